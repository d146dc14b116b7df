import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'
import { createIndex, type Index } from '../indexes.ts'

/**
 * The schema of 0.1.0. Long texts are the last columns of a table: the columns
 * after a long text are only found by reading the text.
 */
export async function up(
  db: Kysely<unknown>,
  { id, day, instant, tableOptions, clusteredOptions }: ColumnTypes,
) {
  await db.schema
    .createTable('attempts')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('since', instant, (column) => column.notNull())
    .addColumn('last_at', instant, (column) => column.notNull())
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createTable('users')
    .addColumn('id', id, (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', instant, (column) => column.notNull())
    .addColumn('seq', instant, (column) => column.notNull())
    .addColumn('head', id, (column) => column.notNull())
    .addColumn('task_count', 'integer', (column) => column.notNull())
    .addColumn('stored_bytes', instant, (column) => column.notNull())
    .addColumn('trim_at', instant, (column) => column.notNull())
    .addColumn('closed_at', instant)
    .addColumn('settings', 'text', (column) => column.notNull().defaultTo('{}'))
    .modifyEnd(tableOptions)
    .execute()
  // Without a foreign key, because a distributed engine stores an email and its user on different nodes.
  await db.schema
    .createTable('accounts')
    .addColumn('email', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', id, (column) => column.notNull())
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createTable('sessions')
    .addColumn('user_id', id, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', instant, (column) => column.notNull())
    .addColumn('last_used_at', instant, (column) => column.notNull())
    .addPrimaryKeyConstraint('sessions_key', ['user_id', 'token_hash'])
    .modifyEnd(clusteredOptions)
    .execute()
  await db.schema
    .createTable('tasks')
    .addColumn('user_id', id, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('id', id, (column) => column.notNull())
    .addColumn('version', instant, (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('due_date', day, (column) => column.notNull())
    .addColumn('priority', 'integer', (column) => column.notNull().check(sql`priority in (1, 2, 3)`))
    .addColumn('created_at', instant, (column) => column.notNull())
    .addColumn('done_at', instant)
    .addColumn('deleted_at', instant)
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('folded', 'text', (column) => column.notNull().defaultTo(''))
    .addPrimaryKeyConstraint('tasks_by_id', ['user_id', 'id'])
    .modifyEnd(clusteredOptions)
    .execute()
  await db.schema
    .createTable('notes')
    .addColumn('user_id', id, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('id', id, (column) => column.notNull())
    .addColumn('version', instant, (column) => column.notNull())
    .addColumn('pinned', 'integer', (column) => column.notNull().check(sql`pinned in (0, 1)`))
    .addColumn('created_at', instant, (column) => column.notNull())
    .addColumn('changed_at', instant, (column) => column.notNull())
    .addColumn('deleted_at', instant)
    .addColumn('saved_seq', instant, (column) => column.notNull())
    .addColumn('saved_by', 'text', (column) => column.notNull())
    .addColumn('version_since', instant, (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('snippet', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('folded', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('notes_by_id', ['user_id', 'id'])
    .modifyEnd(clusteredOptions)
    .execute()
  await db.schema
    .createTable('versions')
    .addColumn('user_id', id, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('seq', instant, (column) => column.notNull())
    .addColumn('note_id', id, (column) => column.notNull())
    .addColumn('at', instant, (column) => column.notNull())
    .addColumn('device', 'text', (column) => column.notNull())
    .addColumn('thinned', 'integer', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('versions_key', ['user_id', 'seq'])
    .modifyEnd(clusteredOptions)
    .execute()
  await db.schema
    .createTable('changes')
    .addColumn('user_id', id, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('seq', instant, (column) => column.notNull())
    .addColumn('id', id, (column) => column.notNull())
    .addColumn('at', instant, (column) => column.notNull())
    .addColumn('device', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('item', id)
    .addColumn('mutation', id)
    .addColumn('group_id', id)
    .addColumn('undoes', instant)
    .addColumn('fields', 'text', (column) => column.notNull())
    .addColumn('before', 'text')
    .addColumn('previous', instant)
    .addPrimaryKeyConstraint('changes_key', ['user_id', 'seq'])
    .modifyEnd(clusteredOptions)
    .execute()
  for (const index of indexes) await createIndex(db, index)
}

const open = 'done_at is null and deleted_at is null'
const deleted = 'deleted_at is not null'

const indexes: readonly Index[] = [
  { name: 'logs_to_trim', table: 'users', columns: ['trim_at'] },
  // The few accounts that are being deleted, so that looking for one does not read all users.
  { name: 'closed_users', table: 'users', columns: ['closed_at'], where: 'closed_at is not null' },

  { name: 'sessions_of_user', table: 'sessions', columns: ['user_id', 'created_at'] },
  // The sweep finds expired rows by these, so its cost depends on their number and not on the size of the tables.
  { name: 'sessions_by_creation', table: 'sessions', columns: ['created_at'] },
  { name: 'sessions_by_use', table: 'sessions', columns: ['last_used_at'] },
  // Known sites are kept for a month and are most of the rows; all others for an hour.
  { name: 'attempts_of_known_sites', table: 'attempts', columns: ['since'], where: `key like 'known %'` },
  { name: 'attempts_of_others', table: 'attempts', columns: ['since'], where: `key not like 'known %'` },

  { name: 'tasks_by_day', table: 'tasks', columns: ['user_id', 'due_date', 'priority', 'id'], where: open },
  {
    name: 'tasks_by_priority',
    table: 'tasks',
    columns: ['user_id', 'priority', 'due_date', 'id'],
    where: open,
  },
  { name: 'tasks_by_creation', table: 'tasks', columns: ['user_id', 'created_at', 'id'], where: open },
  {
    name: 'tasks_by_completion',
    table: 'tasks',
    columns: ['user_id', 'done_at', 'id'],
    where: 'done_at is not null and deleted_at is null',
  },
  { name: 'tasks_by_deletion', table: 'tasks', columns: ['user_id', 'deleted_at', 'id'], where: deleted },
  { name: 'deleted_tasks', table: 'tasks', columns: ['deleted_at'], where: deleted },

  // With the column of its condition, so that SQLite counts notes in the index alone.
  {
    name: 'notes_by_change',
    table: 'notes',
    columns: ['user_id', 'pinned', 'changed_at', 'id', 'deleted_at'],
    where: 'deleted_at is null',
  },
  { name: 'notes_by_deletion', table: 'notes', columns: ['user_id', 'deleted_at', 'id'], where: deleted },
  { name: 'deleted_notes', table: 'notes', columns: ['deleted_at'], where: deleted },
  { name: 'versions_of_note', table: 'versions', columns: ['user_id', 'note_id', 'seq'] },
  { name: 'versions_to_thin_by_hour', table: 'versions', columns: ['at'], where: 'thinned = 0' },
  { name: 'versions_to_thin_by_day', table: 'versions', columns: ['at'], where: 'thinned = 1' },

  // With the item, so that the index alone recognizes a repeated mutation: SQLite would otherwise prefer the primary key.
  {
    name: 'changes_by_mutation',
    table: 'changes',
    columns: ['user_id', 'mutation', 'item'],
    where: 'mutation is not null',
  },
  {
    name: 'changes_by_group',
    table: 'changes',
    columns: ['user_id', 'group_id'],
    where: 'group_id is not null',
  },
  // The changes of an item, except its creation, so that creating an item writes one index less.
  {
    name: 'edits_of_item',
    table: 'changes',
    columns: ['user_id', 'item', 'seq', 'previous'],
    where: 'previous is distinct from 0',
  },
]

import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'
import { createIndex, type Index } from '../indexes.ts'

const indexes: readonly Index[] = [
  // With the column of its condition, so that SQLite counts notes in the index alone.
  {
    name: 'notes_by_change',
    table: 'notes',
    columns: ['user_id', 'pinned', 'changed_at', 'id', 'deleted_at'],
    where: 'deleted_at is null',
  },
  {
    name: 'notes_by_deletion',
    table: 'notes',
    columns: ['user_id', 'deleted_at', 'id'],
    where: 'deleted_at is not null',
  },
  // The sweep finds the notes of all users to purge, and the versions to thin, by these.
  { name: 'deleted_notes', table: 'notes', columns: ['deleted_at'], where: 'deleted_at is not null' },
  { name: 'versions_of_note', table: 'versions', columns: ['user_id', 'note_id', 'seq'] },
  { name: 'versions_to_thin_by_hour', table: 'versions', columns: ['at'], where: 'thinned = 0' },
  { name: 'versions_to_thin_by_day', table: 'versions', columns: ['at'], where: 'thinned = 1' },
]

/** The long texts are the last columns, so that reading the others does not read them. */
export async function up(db: Kysely<unknown>, { id, instant, clusteredOptions }: ColumnTypes) {
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
  for (const index of indexes) await createIndex(db, index)
}

/** Loses all notes. Their changes stay in the log, without effect. */
export async function down(db: Kysely<unknown>) {
  for (const table of ['versions', 'notes']) await db.schema.dropTable(table).execute()
}

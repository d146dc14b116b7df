import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

const month = 30 * 86_400_000

/**
 * Adds the log of changes and gives all rows of a user keys that begin with the user's id. The tables are created anew
 * and filled in key order: SQLite can neither drop a unique column nor add a column before the body, and dropping
 * `users` first would delete the rows that refer to it. Servers of the previous version read `users.tasks_version` with
 * every token, so all their calls fail from here on.
 */
export async function up(db: Kysely<unknown>, types: ColumnTypes) {
  const { id, day, instant, tableOptions, clusteredOptions } = types
  // Renaming waits for the transactions of servers that are still running and excludes further ones: what they write
  // while the rows are copied would be lost.
  for (const table of ['users', 'sessions', 'tasks'])
    await db.schema.alterTable(table).renameTo(`old_${table}`).execute()
  await db.schema
    .createTable('new_users')
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
    .createTable('new_sessions')
    .addColumn('user_id', id, (column) => column.notNull().references('new_users.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', instant, (column) => column.notNull())
    .addColumn('last_used_at', instant, (column) => column.notNull())
    .addPrimaryKeyConstraint('sessions_key', ['user_id', 'token_hash'])
    .modifyEnd(clusteredOptions)
    .execute()
  await db.schema
    .createTable('new_tasks')
    .addColumn('user_id', id, (column) => column.notNull().references('new_users.id').onDelete('cascade'))
    .addColumn('id', id, (column) => column.notNull())
    .addColumn('version', instant, (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('due_date', day, (column) => column.notNull())
    .addColumn('priority', 'integer', (column) => column.notNull().check(sql`priority in (1, 2, 3)`))
    .addColumn('created_at', instant, (column) => column.notNull())
    .addColumn('done_at', instant)
    .addColumn('deleted_at', instant)
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('tasks_by_id', ['user_id', 'id'])
    .modifyEnd(clusteredOptions)
    .execute()
  await db.schema
    .createTable('changes')
    .addColumn('user_id', id, (column) => column.notNull().references('new_users.id').onDelete('cascade'))
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
    .addPrimaryKeyConstraint('changes_key', ['user_id', 'seq'])
    .modifyEnd(clusteredOptions)
    .execute()

  await sql`
    insert into new_users
      (id, name, email, password_hash, created_at, seq, head, task_count, stored_bytes, trim_at,
        closed_at)
    select id, name, case when closed_at is null then email else '' end, password_hash, created_at, 0,
      tasks_version, task_count, stored_bytes, ${sql.lit(Date.now() + month)} + created_at % ${sql.lit(month)}, closed_at
    from old_users order by id
  `.execute(db)
  await sql`insert into accounts (email, user_id) select email, id from old_users where closed_at is null`.execute(
    db,
  )
  await sql`
    insert into new_sessions (user_id, token_hash, created_at, last_used_at)
    select user_id, token_hash, created_at, last_used_at from old_sessions order by user_id, token_hash
  `.execute(db)
  await sql`
    insert into new_tasks (user_id, id, version, title, due_date, priority, created_at, body)
    select user_id, id, 0, title, due_date, priority, created_at, body from old_tasks order by user_id, id
  `.execute(db)
  await sql`
    insert into changes (user_id, seq, id, at, device, kind, fields)
    select id, 0, tasks_version, ${sql.lit(Date.now())}, '', 'start', '' from old_users order by id
  `.execute(db)

  for (const table of ['tasks', 'sessions', 'users']) await db.schema.dropTable(`old_${table}`).execute()
  for (const table of ['users', 'sessions', 'tasks'])
    await db.schema.alterTable(`new_${table}`).renameTo(table).execute()
  await createIndexes(db)
}

async function createIndexes(db: Kysely<unknown>) {
  await db.schema.createIndex('logs_to_trim').on('users').column('trim_at').execute()
  await createClosedUsersIndex(db)
  await db.schema.createIndex('sessions_of_user').on('sessions').columns(['user_id', 'created_at']).execute()
  // Tokens issued before this migration do not contain the user's id.
  await db.schema.createIndex('sessions_by_token').on('sessions').column('token_hash').execute()
  const orders = {
    tasks_by_day: ['user_id', 'due_date', 'priority', 'id'],
    tasks_by_priority: ['user_id', 'priority', 'due_date', 'id'],
    tasks_by_creation: ['user_id', 'created_at', 'id'],
  }
  for (const [name, columns] of Object.entries(orders)) {
    await db.schema
      .createIndex(name)
      .on('tasks')
      .columns(columns)
      .where(sql.ref('done_at'), 'is', null)
      .where(sql.ref('deleted_at'), 'is', null)
      .execute()
  }
  await db.schema
    .createIndex('deleted_tasks')
    .on('tasks')
    .columns(['deleted_at'])
    .where(sql.ref('deleted_at'), 'is not', null)
    .execute()
  await db.schema.createIndex('changes_of_item').on('changes').columns(['user_id', 'item', 'seq']).execute()
  // With the item, so that the index alone recognizes a repeated mutation: SQLite would otherwise prefer the primary key.
  for (const [name, columns] of Object.entries({ mutation: ['mutation', 'item'], group: ['group_id'] })) {
    await db.schema
      .createIndex(`changes_by_${name}`)
      .on('changes')
      .columns(['user_id', ...columns])
      .where(sql.ref(columns[0] as string), 'is not', null)
      .execute()
  }
}

const createClosedUsersIndex = (db: Kysely<unknown>) =>
  db.schema
    .createIndex('closed_users')
    .on('users')
    .column('closed_at')
    .where(sql.ref('closed_at'), 'is not', null)
    .execute()

/** Loses the log, the deleted tasks and the information which tasks are done. */
export async function down(db: Kysely<unknown>, { id, day, instant, tableOptions }: ColumnTypes) {
  await db.schema
    .createTable('old_users')
    .addColumn('id', id, (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', instant, (column) => column.notNull())
    .addColumn('task_count', 'integer', (column) => column.notNull())
    .addColumn('tasks_version', id, (column) => column.notNull())
    .addColumn('stored_bytes', instant, (column) => column.notNull().defaultTo(0))
    .addColumn('closed_at', instant)
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createTable('old_sessions')
    .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', id, (column) => column.notNull().references('old_users.id').onDelete('cascade'))
    .addColumn('created_at', instant, (column) => column.notNull())
    .addColumn('last_used_at', instant, (column) => column.notNull())
    .modifyEnd(tableOptions)
    .execute()
  await db.schema
    .createTable('old_tasks')
    .addColumn('user_id', id, (column) => column.notNull().references('old_users.id').onDelete('cascade'))
    .addColumn('id', id, (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('due_date', day, (column) => column.notNull())
    .addColumn('priority', 'integer', (column) => column.notNull().check(sql`priority in (1, 2, 3)`))
    .addColumn('created_at', instant, (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('tasks_key', ['user_id', 'id'])
    .modifyEnd(tableOptions)
    .execute()
  await sql`
    insert into old_users
      (id, name, email, password_hash, created_at, task_count, tasks_version, stored_bytes, closed_at)
    select id, name, case when closed_at is null then email else cast(id as text) end, password_hash, created_at,
      (select count(*) from tasks where user_id = users.id and deleted_at is null), head,
      coalesce((select sum(octet_length(title) + octet_length(body)) from tasks
        where user_id = users.id and deleted_at is null), 0), closed_at
    from users
  `.execute(db)
  await sql`
    insert into old_sessions (token_hash, user_id, created_at, last_used_at)
    select token_hash, user_id, created_at, last_used_at from sessions
  `.execute(db)
  await sql`
    insert into old_tasks (user_id, id, title, due_date, priority, created_at, body)
    select user_id, id, title, due_date, priority, created_at, body from tasks where deleted_at is null
  `.execute(db)
  for (const table of ['changes', 'tasks', 'sessions', 'accounts', 'users'])
    await db.schema.dropTable(table).execute()
  for (const table of ['users', 'sessions', 'tasks'])
    await db.schema.alterTable(`old_${table}`).renameTo(table).execute()
  await createClosedUsersIndex(db)
  await db.schema.createIndex('sessions_of_user').on('sessions').columns(['user_id', 'created_at']).execute()
  await db.schema
    .createIndex('tasks_by_day')
    .on('tasks')
    .columns(['user_id', 'due_date', 'priority', 'id'])
    .execute()
  await db.schema
    .createIndex('tasks_by_priority')
    .on('tasks')
    .columns(['user_id', 'priority', 'due_date', 'id'])
    .execute()
}

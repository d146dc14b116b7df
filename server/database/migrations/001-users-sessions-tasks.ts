import { type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../column-types.ts'

/** Keys lead with the owner: one user's rows lie together, and an engine that spreads tables can spread them by user. */
export async function up(db: Kysely<unknown>, { id, day, instant, tableOptions }: ColumnTypes) {
  await db.schema
    .createTable('users')
    .addColumn('id', id, (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', instant, (column) => column.notNull())
    .addColumn('task_count', 'integer', (column) => column.notNull())
    .addColumn('tasks_version', id, (column) => column.notNull())
    .modifyEnd(tableOptions)
    .execute()

  await db.schema
    .createTable('sessions')
    .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', id, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', instant, (column) => column.notNull())
    .addColumn('last_used_at', instant, (column) => column.notNull())
    .modifyEnd(tableOptions)
    .execute()
  await db.schema.createIndex('sessions_of_user').on('sessions').columns(['user_id', 'created_at']).execute()

  await db.schema
    .createTable('tasks')
    .addColumn('user_id', id, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('id', id, (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('due_date', day, (column) => column.notNull())
    .addColumn('priority', 'integer', (column) => column.notNull().check(sql`priority in (1, 2, 3)`))
    .addColumn('created_at', instant, (column) => column.notNull())
    .addPrimaryKeyConstraint('tasks_key', ['user_id', 'id'])
    .modifyEnd(tableOptions)
    .execute()
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

export async function down(db: Kysely<unknown>) {
  for (const table of ['tasks', 'sessions', 'users']) await db.schema.dropTable(table).execute()
}

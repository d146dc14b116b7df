import { type Kysely, sql } from 'kysely'
import { firstId } from '../../../new-id.ts'
import type { ColumnTypes } from '../../column-types.ts'
import type { Subject } from './subject.ts'

async function createMessages(db: Kysely<unknown>, { id, instant, clusteredOptions }: ColumnTypes) {
  await db.schema
    .createTable('reminder_jobs')
    .addColumn('user_id', id, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('item', id, (column) => column.notNull())
    .addColumn('reminder', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('remind_at', instant, (column) => column.notNull())
    .addColumn('due', instant, (column) => column.notNull())
    .addColumn('message', id)
    .addPrimaryKeyConstraint('reminder_jobs_key', ['user_id', 'item', 'reminder'])
    .modifyEnd(clusteredOptions)
    .execute()
  await db.schema
    .createTable('push_messages')
    .addColumn('user_id', id, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('id', id, (column) => column.notNull())
    .addColumn('subscription', id, (column) => column.notNull())
    .addColumn('service', 'text', (column) => column.notNull())
    .addColumn('since', instant, (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('due', instant, (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('push_messages_key', ['user_id', 'id', 'subscription'])
    .modifyEnd(clusteredOptions)
    .execute()
}

/** Adds the reminders of tasks, the subscriptions of browsers, the messages to them, and their keys. */
export const reminders: Subject = {
  former: '009-expand-reminders',
  columns: ({ id }) => ({ tasks: [['reminders', 'text']], users: [['remind_from', id]] }),
  async tables(db, types) {
    const { id, instant, tableOptions, clusteredOptions } = types
    await db.schema
      .createTable('subscriptions')
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('id', id, (column) => column.notNull())
      .addColumn('token_hash', 'text', (column) => column.notNull())
      .addColumn('created_at', instant, (column) => column.notNull())
      .addColumn('endpoint', 'text', (column) => column.notNull())
      .addColumn('p256dh', 'text', (column) => column.notNull())
      .addColumn('auth', 'text', (column) => column.notNull())
      .addColumn('origin', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('subscriptions_key', ['user_id', 'id'])
      .addUniqueConstraint('subscriptions_of_session', ['user_id', 'token_hash'])
      // Whatever ends a session ends its subscription in the same transaction.
      .addForeignKeyConstraint(
        'subscriptions_session',
        ['user_id', 'token_hash'],
        'sessions',
        ['user_id', 'token_hash'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .modifyEnd(clusteredOptions)
      .execute()
    await createMessages(db, types)
    await db.schema
      .createTable('push')
      .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
      .addColumn('vapid', 'text', (column) => column.notNull())
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('is_on', 'integer', (column) => column.notNull())
      .addColumn('not_before', instant, (column) => column.notNull())
      .modifyEnd(tableOptions)
      .execute()
  },
  async convert(db, types) {
    // The jobs are computed anew from the tasks.
    await sql`
      update users set remind_from = ${firstId} where id in (select user_id from reminder_jobs)
    `.execute(db)
    await db.schema.dropTable('reminder_jobs').execute()
    await createMessages(db, types)
  },
  indexes: [
    {
      name: 'reminder_jobs_to_come',
      table: 'reminder_jobs',
      columns: ['due'],
      where: "state in ('to come', 'held')",
    },
    // Those that the page shows, among any number to come.
    {
      name: 'missed_reminders',
      table: 'reminder_jobs',
      columns: ['user_id', 'remind_at', 'item'],
      where: "state = 'missed'",
    },
    { name: 'push_messages_by_due', table: 'push_messages', columns: ['due'] },
    { name: 'users_to_remind', table: 'users', columns: ['remind_from'], where: 'remind_from is not null' },
  ],
}

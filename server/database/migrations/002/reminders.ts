import type { Subject } from './subject.ts'

/** Adds the reminders of tasks, the subscriptions of browsers, the jobs of both, and the keys of messages. */
export const reminders: Subject = {
  former: '009-expand-reminders',
  columns: ({ id }) => ({ tasks: [['reminders', 'text']], users: [['remind_from', id]] }),
  async tables(db, { id, instant, tableOptions, clusteredOptions }) {
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
    await db.schema
      .createTable('reminder_jobs')
      .addColumn('user_id', id, (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('item', id, (column) => column.notNull())
      .addColumn('reminder', 'text', (column) => column.notNull())
      .addColumn('subscription', 'text', (column) => column.notNull())
      .addColumn('service', 'text', (column) => column.notNull())
      .addColumn('remind_at', instant, (column) => column.notNull())
      .addColumn('due', instant)
      .addColumn('lease', instant)
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('held', 'integer', (column) => column.notNull())
      .addColumn('others', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('reminder_jobs_key', ['user_id', 'item', 'reminder', 'subscription'])
      .modifyEnd(clusteredOptions)
      .execute()
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
  indexes: [
    { name: 'reminder_jobs_by_due', table: 'reminder_jobs', columns: ['due'], where: 'due is not null' },
    // Those that the page shows, among any number to come.
    {
      name: 'missed_reminders',
      table: 'reminder_jobs',
      columns: ['user_id', 'remind_at', 'item'],
      where: 'due is null',
    },
    { name: 'users_to_remind', table: 'users', columns: ['remind_from'], where: 'remind_from is not null' },
  ],
}

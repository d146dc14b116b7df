import type { NewColumn } from '../../new-columns.ts'
import type { Subject } from './subject.ts'

const nameColumn = (name: string): NewColumn => [name, 'text', (column) => column.notNull().defaultTo('')]

/** Credentials with a scope, a name and an expiry; whose name each change has; and accounts that are disabled. */
export const credentials: Subject = {
  former: '004-expand-credentials',
  columns: ({ instant }) => ({
    sessions: [
      ['scope', 'text', (column) => column.notNull().defaultTo('session')],
      nameColumn('name'),
      ['expires_at', instant],
    ],
    changes: [nameColumn('by')],
    versions: [nameColumn('by')],
    notes: [nameColumn('saved_by_name')],
    users: [['disabled_at', instant]],
  }),
  indexes: [
    {
      name: 'sessions_by_expiry',
      table: 'sessions',
      columns: ['expires_at'],
      where: 'expires_at is not null',
    },
  ],
}

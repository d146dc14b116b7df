import { sql } from 'kysely'
import type { Subject } from './subject.ts'

/** By which rules a change was made. `003-expand-texts` follows those that exist; later ones without rules are of servers of 0.1.0. */
export const rules: Subject = {
  columns: ({ engine }) => ({
    changes: [['rules', 'integer', (column) => column.notNull().defaultTo(engine === 'postgres' ? 1 : 0)]],
  }),
  values: (db, { engine }) =>
    // SQLite cannot change a default, and PostgreSQL would rewrite all rows.
    (engine === 'postgres'
      ? sql`alter table changes alter column rules set default 0`
      : sql`update changes set rules = 1`
    ).execute(db),
  indexes: [
    { name: 'changes_of_earlier_servers', table: 'changes', columns: ['user_id', 'seq'], where: 'rules = 0' },
  ],
}

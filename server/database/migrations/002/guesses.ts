import type { Subject } from './subject.ts'

/** Stores the counts of an account with its user. Those in `attempts`, whose keys are hashes, cannot be moved and expire. */
export const guesses: Subject = {
  former: '005-expand-guesses',
  tables: (db, { id, instant, clusteredOptions }) =>
    db.schema
      .createTable('guesses')
      // Without a foreign key, because guesses at an email without an account are counted too.
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('count', 'integer', (column) => column.notNull())
      .addColumn('since', instant, (column) => column.notNull())
      .addColumn('last_at', instant, (column) => column.notNull())
      .addPrimaryKeyConstraint('guesses_key', ['user_id', 'key'])
      .modifyEnd(clusteredOptions)
      .execute(),
  indexes: [
    // The sweep finds expired rows by these, as in `attempts`.
    { name: 'guesses_of_known_sites', table: 'guesses', columns: ['since'], where: `key like 'known %'` },
    { name: 'guesses_of_others', table: 'guesses', columns: ['since'], where: `key not like 'known %'` },
  ],
}

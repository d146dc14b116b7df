import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration'
import type { ColumnTypes } from '../column-types.ts'
import { addColumns, type NewColumn } from '../new-columns.ts'
import { type Schema, tables as schemaTables } from '../schema.ts'
import { credentials } from './002/credentials.ts'
import { reminders } from './002/reminders.ts'
import type { Subject } from './002/subject.ts'

/** The event that a row of the log is. Servers of the previous version read and write it in `kind` alone. */
const changeEvents: Subject = {
  former: '008-expand-change-events',
  columns: () => ({ changes: [['event', 'text']] }),
}

/** By which rules a change was made. `003-expand-texts` follows those that exist; later ones without rules are of servers of 0.1.0. */
const rules: Subject = {
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

/** Stores the counts of an account with its user. Those in `attempts`, whose keys are hashes, cannot be moved and expire. */
const guesses: Subject = {
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

/** The rule of a repeated task, and what belongs to it. `repeat_from` is 1 for `due`. */
const repeats: Subject = {
  former: '007-expand-repeats',
  columns: () => ({
    tasks: [
      ['repeat', 'text'],
      ['repeat_from', 'integer', (column) => column.notNull().defaultTo(1)],
      ['repeat_day', 'text'],
      ['series', 'text'],
    ],
  }),
  indexes: [
    // The tasks of a repeat, by their days.
    {
      name: 'tasks_of_series',
      table: 'tasks',
      columns: ['user_id', 'series', 'repeat_day', 'id'],
      where: 'series is not null',
    },
  ],
}

const open = 'done_at is null and deleted_at is null'

/**
 * Adds the time of day, by which lists are sorted within a day. A task without a day has '9999-12-31', which servers of the
 * previous version show as that day, and a task without a time has '24:00'.
 */
const dueTimes: Subject = {
  former: '006-expand-due-times',
  async tables(db) {
    for (const name of ['tasks_by_day', 'tasks_by_priority']) await db.schema.dropIndex(name).execute()
  },
  columns: () => ({ tasks: [['due_time', 'text', (column) => column.notNull().defaultTo('24:00')]] }),
  indexes: [
    {
      name: 'tasks_by_creation_without_day',
      table: 'tasks',
      columns: ['user_id', 'created_at', 'id'],
      where: `${open} and due_date = '9999-12-31'`,
    },
  ],
}

/** The place of a task in the file of its import, by which lists are sorted within a day, time and priority. */
export const placeInFile: NewColumn = ['place_in_file', 'integer', (column) => column.notNull().defaultTo(0)]

/** `004-expand-places` adds it to a database of a build that had this migration without it. */
const places: Subject = { columns: () => ({ tasks: [placeInFile] }) }

const tableNames = Object.keys(schemaTables) as (keyof Schema)[]

const subjects: readonly Subject[] = [
  ...[credentials, guesses, dueTimes, repeats, changeEvents, reminders, rules, places],
]

/** The migrations of builds between 0.1.0 and this version. A database has the first ones of them, or none. */
export const formerNames: readonly string[] = [
  '002-expand-folded-texts',
  '003-expand-composed-emails',
  ...subjects.flatMap(({ former = [] }) => former),
  '010-expand-series',
]

/** Adds what the database lacks, and converts what a build between 0.1.0 and this version has added. */
export async function up(db: Kysely<unknown>, types: ColumnTypes) {
  const table = sql.table(DEFAULT_MIGRATION_TABLE)
  const { rows } = await sql<{ name: string }>`
    delete from ${table} where name in (${sql.join(formerNames)}) returning name
  `.execute(db)
  const has = ({ former }: Subject) => rows.some(({ name }) => name === former)
  const added = subjects.filter((subject) => !has(subject))
  for (const { convert } of subjects.filter(has)) await convert?.(db, types)
  const columns = added.flatMap((subject) => Object.entries(subject.columns?.(types) ?? {}))
  // Once for all subjects, because SQLite rebuilds a table of long texts. Changes lock the users first, and then the others in this
  // order, so on PostgreSQL they wait for this or this waits for them, and nobody has a deadlock.
  for (const name of tableNames) {
    const ofTable = columns.flatMap(([table, more]): NewColumn[] => (table === name ? more : []))
    if (ofTable.length > 0) await addColumns(db, types, name, ofTable)
  }
  for (const { tables } of added) await tables?.(db, types)
  for (const { values } of added) await values?.(db, types)
}

export const indexes = subjects.flatMap((subject) => subject.indexes ?? [])

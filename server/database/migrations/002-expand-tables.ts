import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration'
import type { ColumnTypes } from '../column-types.ts'
import { addColumns, type NewColumn } from '../new-columns.ts'
import { type Schema, tables as schemaTables } from '../schema.ts'
import { changeEvents } from './002/change-events.ts'
import { credentials } from './002/credentials.ts'
import { dueTimes } from './002/due-times.ts'
import { guesses } from './002/guesses.ts'
import { reminders } from './002/reminders.ts'
import { repeats } from './002/repeats.ts'
import { rules } from './002/rules.ts'
import type { Subject } from './002/subject.ts'

const tableNames = Object.keys(schemaTables) as (keyof Schema)[]

const subjects: readonly Subject[] = [credentials, guesses, dueTimes, repeats, changeEvents, reminders, rules]

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

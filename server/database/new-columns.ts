import { type AlterTableBuilder, type Kysely, sql } from 'kysely'
import type { ColumnTypes } from './column-types.ts'
import { longTexts, type Schema } from './schema.ts'

/** Name, type and constraints. A column that may not be null has a default. */
export type NewColumn = Parameters<AlterTableBuilder['addColumn']>

/**
 * Adds columns to a table, in the transaction of a migration. PostgreSQL rewrites no row. SQLite reads the columns of a row in
 * their order, so it rebuilds a table of long texts, with the new columns before its text.
 */
export async function addColumns(
  db: Kysely<unknown>,
  { engine }: ColumnTypes,
  table: keyof Schema,
  columns: readonly NewColumn[],
): Promise<void> {
  const additions = columns.map((column) => db.schema.alterTable(table).addColumn(...column))
  const text = (longTexts as { [Table in keyof Schema]?: string })[table]
  if (engine === 'sqlite' && text !== undefined) {
    const definitions = additions.map((addition) => addition.compile().sql.split(' add column ')[1])
    await rebuild(db, table, text, definitions.join(', '))
  } else for (const addition of additions) await addition.execute()
}

/** Copies a table of SQLite to one that has new columns before `text`, and gives it the name, the indexes and the triggers. */
async function rebuild(db: Kysely<unknown>, table: string, text: string, definitions: string) {
  await rejectReferences(db, table)
  const { rows: parts } = await sql<{ sql: string }>`
    select sql from sqlite_schema where tbl_name = ${table} and sql is not null order by type = 'table' desc, rowid
  `.execute(db)
  const [created = '', ...dependents] = parts.map((part) => part.sql)
  const { rows: columns } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(
    db,
  )
  const names = sql.join(columns.map(({ name }) => sql.ref(name)))
  const rebuilt = `rebuilt_${table}`
  const renamed = replaceOne(created, `^create table "?${table}"?`, `create table "${rebuilt}"`)
  const extended = replaceOne(renamed, `, (?="?${text}"? )`, `, ${definitions}, `)

  await sql.raw(extended).execute(db)
  await sql`insert into ${sql.table(rebuilt)} (${names}) select ${names} from ${sql.table(table)}`.execute(db)
  await db.schema.dropTable(table).execute()
  await db.schema.alterTable(rebuilt).renameTo(table).execute()
  for (const dependent of dependents) await sql.raw(dependent).execute(db)
}

/** Dropping a table deletes the rows that reference it. */
async function rejectReferences(db: Kysely<unknown>, table: string) {
  const { rows } = await sql<{ name: string }>`
    select other.name from sqlite_schema as other, pragma_foreign_key_list(other.name) as reference
    where reference."table" = ${table}
  `.execute(db)
  if (rows[0]) throw new Error(`${table} cannot be rebuilt, because ${rows[0].name} references it`)
}

function replaceOne(statement: string, pattern: string, replacement: string): string {
  const [before, after, ...more] = statement.split(new RegExp(pattern, 'i'))
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${pattern} is not found once in ${statement}`)
  return `${before}${replacement}${after}`
}

import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { type Kysely, sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type Engine, onEveryEngine } from '../testing/engines.ts'
import { allRows } from '../testing/rows.ts'
import { storedDatabase } from '../testing/stored-database.ts'
import { execute } from '../testing/stored-rows.ts'
import { type ColumnTypes, postgresTypes, sqliteTypes } from './column-types.ts'
import { addColumns, type NewColumn } from './new-columns.ts'
import { openDatabase } from './open-database.ts'
import { type Db, longTexts, type Schema } from './schema.ts'

const added: NewColumn[] = [
  ['optional', 'text'],
  ['required', 'integer', (column) => column.notNull().defaultTo(7).check(sql`required > 0`)],
]
const add = (db: Db, types: ColumnTypes, table: keyof Schema, columns = added) =>
  addColumns(db as Kysely<unknown>, types, table, columns)

/** A database of 0.1.0 with the schema of this version, which is open until the test ends. */
async function openStored(engine: Engine) {
  const url = await storedDatabase(engine, '0.1.0')
  const database = await openDatabase(url)
  onTestFinished(database.close)
  return { url, database }
}

const tables = Object.keys(longTexts) as (keyof typeof longTexts)[]

/** Everything that SQLite has stored of a schema besides the definitions of tables. */
const schemaOf = (url: URL) => {
  using file = new DatabaseSync(fileURLToPath(url))
  const parts = file.prepare(`select name, sql from sqlite_schema where type <> 'table' order by name`).all()
  const keys = tables.map((table) => file.prepare(`select * from pragma_foreign_key_list('${table}')`).all())
  return { parts, keys, damage: file.prepare('pragma integrity_check').all() }
}

const columnsOf = (url: URL, table: string) => {
  using file = new DatabaseSync(fileURLToPath(url))
  return file
    .prepare(`select name from pragma_table_info('${table}') order by cid`)
    .all()
    .map(({ name }) => name)
}

onEveryEngine('new columns', (engine) => {
  const types = engine === 'sqlite' ? sqliteTypes : postgresTypes
  test('leave all rows as they were, and have their defaults, in every table', async () => {
    const { database } = await openStored(engine)
    const before = await allRows(database)
    await database.write(async (db) => {
      for (const table of Object.keys(before))
        if (!table.startsWith('kysely')) await add(db, types, table as keyof Schema)
    })
    const after = await allRows(database)
    const expected = Object.entries(before).map(([table, rows]) => {
      const more = table.startsWith('kysely') ? {} : { optional: null, required: 7 }
      return [table, rows.map((row) => ({ ...JSON.parse(row), ...more }))]
    })
    const found = Object.entries(after).map(([table, rows]) => [table, rows.map((row) => JSON.parse(row))])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
    await expect(execute(database, sql`update tasks set required = 0`)).rejects.toThrow(/check/i)
  })

  test('that are interrupted change nothing, and can be added again', async () => {
    const { database } = await openStored(engine)
    const before = await allRows(database)
    const addAll = async (fails: boolean) =>
      await database.write(async (db) => {
        for (const table of tables) await add(db, types, table)
        if (fails) throw new Error('interrupted')
      })
    await expect(addAll(true)).rejects.toThrow('interrupted')
    expect(await allRows(database)).toEqual(before)
    await addAll(false)
    expect((await allRows(database)).tasks).toHaveLength(before.tasks?.length ?? 0)
  })
})

test('on SQLite, new columns are before the long text, again and again, and indexes, triggers and references stay', async () => {
  const { url, database } = await openStored('sqlite')
  await execute(database, sql`create trigger kept after update of title on tasks begin select 1; end`)
  const before = schemaOf(url)
  await database.write(async (db) => {
    for (const table of tables) for (const column of added) await add(db, sqliteTypes, table, [column])
  })
  expect(schemaOf(url)).toEqual(before)
  for (const table of tables) {
    const columns = columnsOf(url, table)
    const at = columns.indexOf(longTexts[table])
    expect(columns.slice(at - 2, at)).toEqual(['optional', 'required'])
  }
})

test('on SQLite, no migration has put a column behind a long text', async () => {
  const { url } = await openStored('sqlite')
  const behind = tables.map((table) => {
    const columns = columnsOf(url, table)
    return [table, columns.slice(columns.indexOf(longTexts[table]) + 1)]
  })
  const expected = { tasks: ['folded'], notes: ['folded'], versions: [], changes: ['previous'] }
  expect(Object.fromEntries(behind)).toEqual(expected)
})

test('on SQLite, a table that others reference is not rebuilt, which would delete their rows', async () => {
  const { database } = await openStored('sqlite')
  const parts = sql`create table parts (id text, user_id text,
    foreign key (user_id, id) references tasks on delete cascade)`
  await execute(database, parts)
  const adding = database.write((db) => add(db, sqliteTypes, 'tasks'))
  await expect(adding).rejects.toThrow('tasks cannot be rebuilt, because parts references it')
})

import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { onEveryEngine } from '../testing/engines.ts'
import { allRows } from '../testing/rows.ts'
import { storedDatabase } from '../testing/stored-database.ts'
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
  const open = async () => {
    const url = await storedDatabase(engine, '0.1.0')
    return { url, database: await openDatabase(url) }
  }

  test('leave all rows as they were, and have their defaults, in every table', async () => {
    const { database } = await open()
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
    await expect(database.write((db) => sql`update tasks set required = 0`.execute(db))).rejects.toThrow(
      /check/i,
    )
    await database.close()
  })

  test('that are interrupted change nothing, and can be added again', async () => {
    const { database } = await open()
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
    await database.close()
  })
})

test('on SQLite, new columns are before the long text, again and again, and indexes, triggers and references stay', async () => {
  const url = await storedDatabase('sqlite', '0.1.0')
  const database = await openDatabase(url)
  await database.write((db) =>
    sql`create trigger kept after update of title on tasks begin select 1; end`.execute(db),
  )
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
  await database.close()
})

test('on SQLite, no migration has put a column behind a long text', async () => {
  const url = await storedDatabase('sqlite', '0.1.0')
  await (await openDatabase(url)).close()
  const behind = tables.map((table) => {
    const columns = columnsOf(url, table)
    return [table, columns.slice(columns.indexOf(longTexts[table]) + 1)]
  })
  expect(Object.fromEntries(behind)).toEqual({
    tasks: ['folded'],
    notes: ['folded'],
    versions: [],
    changes: ['previous'],
  })
})

test('on SQLite, a table that others reference is not rebuilt, which would delete their rows', async () => {
  const url = await storedDatabase('sqlite', '0.1.0')
  const database = await openDatabase(url)
  await database.write((db) =>
    sql`create table parts (id text, user_id text, foreign key (user_id, id) references tasks on delete cascade)`.execute(
      db,
    ),
  )
  const adding = database.write((db) => add(db, sqliteTypes, 'tasks'))
  await expect(adding).rejects.toThrow('tasks cannot be rebuilt, because parts references it')
  await database.close()
})

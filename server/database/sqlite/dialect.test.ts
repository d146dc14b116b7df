import { constants, DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import type { Schema } from '../schema.ts'
import { sqliteDialect } from './dialect.ts'

test('a query with a limit is parsed once and not again at each run', async () => {
  const file = new DatabaseSync(':memory:')
  const db = new Kysely<Schema>({ dialect: sqliteDialect(file, () => {}) })
  await sql`create table users (id text primary key, name text)`.execute(db)
  await sql`insert into users values ('1', 'Ada'), ('2', 'Grace'), ('3', 'Edith')`.execute(db)
  // SQLite calls the authorizer when it parses a statement.
  const parses = vi.fn(() => constants.SQLITE_OK)
  file.setAuthorizer(parses)
  const names = async (limit: number) =>
    (await db.selectFrom('users').select('name').orderBy('id').limit(limit).execute()).map(({ name }) => name)

  expect(await names(1)).toEqual(['Ada'])
  expect(parses).toHaveBeenCalled()
  parses.mockClear()
  expect(await names(2)).toEqual(['Ada', 'Grace'])
  expect(await names(3)).toEqual(['Ada', 'Grace', 'Edith'])
  expect(parses).not.toHaveBeenCalled()
  file.close()
})

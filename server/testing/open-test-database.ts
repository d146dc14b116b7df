import { readConfig } from '../config.ts'
import { openDatabase } from '../database/open-database.ts'
import type { Db } from '../database/schema.ts'
import { newId } from '../new-id.ts'
import { insertUser } from '../users/user-queries.ts'
import { type Engine, migratedDatabase } from './engines.ts'
import { forAll } from './made-for-tests.ts'

export type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>

/** Databases are opened with long limits of time, because a busy machine reaches the usual ones. Tests of these limits set them. */
function optionsOf(environment: Record<string, string> = {}) {
  const { database } = readConfig(environment)
  if ('POSTGRES_STATEMENT_SECONDS' in environment) return database
  return { ...database, statementSeconds: 60, connectTimeout: 60_000 }
}

/** Opens a new database of an engine, or the database of a URL, whose schema it migrates, with these variables. */
export async function openWhere(where: Engine | URL, environment: Record<string, string> = {}) {
  const options = optionsOf(environment)
  if (where instanceof URL) return { url: where, database: await openDatabase(where, options) }
  const url = await migratedDatabase(where)
  return { url, database: await openDatabase(url, { ...options, migrate: false }) }
}

/** Opens a database as `openWhere` does. */
export async function openTestDatabase(where: Engine | URL, environment: Record<string, string> = {}) {
  const { url, database } = await openWhere(where, environment)
  return {
    ...database,
    url,
    /** The emails of all users, sorted. */
    async emails() {
      const users = await database.read.selectFrom('users').select('email').execute()
      return users.map(({ email }) => email).sort()
    },
  }
}

/** A new database for the tests of the surrounding block. */
export const databaseForAll = (engine: Engine): TestDatabase => forAll(() => openTestDatabase(engine))

/** Inserts a minimal row, a user with that email, and returns the user's id. */
export async function addUser(db: Db, email: string = newId()): Promise<string> {
  const id = await insertUser(db, { name: 'Ada', email, passwordHash: '' }, 0)
  if (!id) throw new Error(`${email} is taken`)
  return id
}

/** Increments a number by reading and then writing it: without transaction isolation, concurrent calls lose updates. */
export async function incrementCount(db: Db, userId: string): Promise<void> {
  const task_count = (await countOf(db, userId)) + 1
  await db.updateTable('users').set({ task_count }).where('id', '=', userId).execute()
}

export async function countOf(db: Db, userId: string): Promise<number> {
  const user = db.selectFrom('users').select('task_count').where('id', '=', userId)
  return (await user.executeTakeFirstOrThrow()).task_count
}

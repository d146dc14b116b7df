import { type Database, openDatabase } from '../database/database.ts'
import type { Db } from '../database/schema.ts'
import { newId } from '../new-id.ts'
import { insertUser } from '../users/user-queries.ts'
import { type Engine, emptyDatabase } from './engines.ts'

export type TestDatabase = Database & {
  url: URL
  /** The emails of the users there are, in order. */
  emails(): Promise<string[]>
}

/** The two doors to an empty database, or to the one of that URL. */
export async function openTestDatabase(where: Engine | URL): Promise<TestDatabase> {
  const url = where instanceof URL ? where : await emptyDatabase(where)
  const database = await openDatabase(url)
  return {
    ...database,
    url,
    async emails() {
      const users = await database.read.selectFrom('users').select('email').execute()
      return users.map(({ email }) => email).sort()
    },
  }
}

/** The least that can be written: a user of that email. Answers their id. */
export async function addUser(db: Db, email: string = newId()): Promise<string> {
  const id = await insertUser(db, { name: 'Ada', email, passwordHash: '' }, 0)
  if (!id) throw new Error(`${email} is taken`)
  return id
}

/** A read and a write of one number, that loses an update unless the engine keeps it from being lost. */
export async function countUp(db: Db, userId: string): Promise<void> {
  const user = db.selectFrom('users').select('task_count').where('id', '=', userId)
  const { task_count } = await user.executeTakeFirstOrThrow()
  await db
    .updateTable('users')
    .set({ task_count: task_count + 1 })
    .where('id', '=', userId)
    .execute()
}

export async function countOf(db: Db, userId: string): Promise<number> {
  const user = db.selectFrom('users').select('task_count').where('id', '=', userId)
  return (await user.executeTakeFirstOrThrow()).task_count
}

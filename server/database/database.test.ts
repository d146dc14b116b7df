import { expect, test } from 'vitest'
import { onEveryEngine } from '../testing/engines.ts'
import { addUser, databaseForAll } from '../testing/open-test-database.ts'
import { allRows } from '../testing/rows.ts'
import type { Db } from './schema.ts'

const sessionOf = (user_id: string) => ({ token_hash: 'x', user_id, created_at: 0, last_used_at: 0 })

onEveryEngine('the database', (engine) => {
  const database = databaseForAll(engine)

  test('a write whose work throws or has a failed query is rolled back and rejects with the error', async () => {
    const before = await allRows(database)
    const thrown = new Error('changed my mind')
    const works = [
      () => Promise.reject(thrown),
      (db: Db) => db.insertInto('sessions').values(sessionOf('')).execute(),
    ]
    for (const work of works) {
      const write = database.write(async (db) => {
        await addUser(db)
        await work(db)
      })
      await expect(write).rejects.toSatisfy((error) => (error === thrown) === (work === works[0]))
      expect(await allRows(database)).toEqual(before)
    }
  })

  test('a row that refers to a user who does not exist is rejected', async () => {
    const session = sessionOf('01a1fbec-df28-741d-85d9-08c2d1fcac18')
    const write = database.write((db) => db.insertInto('sessions').values(session).execute())
    await expect(write).rejects.toThrow(/foreign key/i)
  })

  test('deleting a user deletes all rows of the user', async () => {
    // An account has no foreign key to its user; it is deleted when the account is closed.
    const { accounts: _, ...before } = await allRows(database)
    const id = await database.write(async (db) => {
      const user_id = await addUser(db)
      await db.insertInto('sessions').values(sessionOf(user_id)).execute()
      return user_id
    })
    await database.write((db) => db.deleteFrom('users').where('id', '=', id).execute())
    expect(await allRows(database)).toMatchObject(before)
  })

  test('one failing write does not affect concurrent writes', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, number) =>
        database.write(async (db) => {
          await addUser(db, `fifty-${number}@example.org`)
          if (number === 25) throw new Error('the 25th')
          return number
        }),
      ),
    )
    const rejected = results.filter(({ status }) => status === 'rejected')
    expect(rejected).toEqual([{ status: 'rejected', reason: new Error('the 25th') }])
    const stored = (await database.emails()).filter((email) => email.startsWith('fifty-'))
    expect(stored).toHaveLength(49)
    expect(stored).not.toContain('fifty-25@example.org')
  })

  test('a read sees the changes of a write once it is committed, and not before', async () => {
    const seenWithin = await database.write(async (db) => {
      await addUser(db, 'uncommitted@example.org')
      return await database.emails()
    })
    expect(seenWithin).not.toContain('uncommitted@example.org')
    expect(await database.emails()).toContain('uncommitted@example.org')
  })

  test('an error that does not come from the engine is not explained', () => {
    expect(database.explain(new Error('a programming error'))).toBeUndefined()
  })
})

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { foldedTexts } from '#contract/folding.ts'
import { keptFor } from '#contract/limits.ts'
import { newId } from '../server/new-id.ts'
import { hashOf, newToken } from '../server/sessions/token.ts'
import { checkout } from './servers.ts'

const day = 86_400_000

/** Of the measured checkout, because its server does not start on the schema of a newer one. */
const { openDatabase }: typeof import('../server/database/open-database.ts') = await import(
  join(checkout, 'server/database/open-database.ts')
)

/** The password of every seeded user. */
export const seedPassword = 'a long enough password'

/** Adds one user per entry of `taskCounts`, with that many tasks. Returns the users' tokens in the same order. */
export async function seed(url: URL, taskCounts: number[]): Promise<string[]> {
  const database = await openDatabase(url)
  const tokens: string[] = []
  const password_hash = await hash(seedPassword)
  for (const count of taskCounts) {
    const [userId, now, head] = [newId(), Date.now(), randomUUID()]
    const token = newToken(userId)
    tokens.push(token)
    const rows = Array.from({ length: count }, (_, i) => task(userId, i, now))
    const stored = rows.map(({ title, body }) => Buffer.byteLength(title + body))
    await database.write(async (db) => {
      const user = {
        id: userId,
        name: 'Ada',
        email: `${userId}@example.org`,
        seq: 0,
        head,
        password_hash,
        created_at: now,
        trim_at: now + keptFor,
      }
      await db
        .insertInto('users')
        .values({
          ...user,
          task_count: count,
          settings: '{}',
          stored_bytes: stored.reduce((total, bytes) => total + bytes, 0),
        })
        .execute()
      await db.insertInto('accounts').values({ email: user.email, user_id: userId }).execute()
      const start = {
        user_id: userId,
        seq: 0,
        id: head,
        at: now,
        device: '',
        by: '',
        kind: 'start',
        event: 'start',
        fields: '',
      } as const
      await db.insertInto('changes').values(start).execute()
      const session = { token_hash: hashOf(token), user_id: userId, created_at: now, last_used_at: now }
      await db.insertInto('sessions').values(session).execute()
    })
    for (let from = 0; from < count; from += 1000) {
      const chunk = rows.slice(from, from + 1000)
      await database.write((db) => db.insertInto('tasks').values(chunk).execute())
    }
  }
  await database.close()
  return tokens
}

/** Due dates are spread over one year around now, of few tasks too, so that every list contains tasks. */
const task = (userId: string, number: number, now: number) =>
  withFolded({
    user_id: userId,
    id: newId(),
    version: 0,
    title: `Task ${number}: ask about the delivery in March`,
    body: 'Prices as agreed on the phone; the new address is on the second page.',
    due_date: new Date(now + (((number * 37) % 365) - 180) * day).toISOString().slice(0, 10),
    priority: 1 + (number % 3),
    created_at: now,
  })

const withFolded = <Row extends { title: string; body: string }>(row: Row) => ({
  ...row,
  folded: foldedTexts([row.title, row.body]),
})

import { randomUUID } from 'node:crypto'
import { openDatabase } from '../server/database/database.ts'
import { newId } from '../server/new-id.ts'
import { hashOf, newToken } from '../server/sessions/token.ts'

const day = 86_400_000

/** Adds one user per entry of `taskCounts`, with that many tasks. Returns the users' tokens in the same order. */
export async function seed(url: URL, taskCounts: number[]): Promise<string[]> {
  const database = await openDatabase(url)
  const tokens: string[] = []
  for (const count of taskCounts) {
    const [userId, token, now] = [newId(), newToken(), Date.now()]
    tokens.push(token)
    await database.write(async (db) => {
      const user = {
        id: userId,
        name: 'Ada',
        email: `${userId}@example.org`,
        password_hash: '',
        created_at: now,
      }
      await db
        .insertInto('users')
        .values({ ...user, task_count: count, tasks_version: randomUUID() })
        .execute()
      const session = { token_hash: hashOf(token), user_id: userId, created_at: now, last_used_at: now }
      await db.insertInto('sessions').values(session).execute()
    })
    for (let from = 0; from < count; from += 1000) {
      const rows = Array.from({ length: Math.min(1000, count - from) }, (_, i) => task(userId, from + i, now))
      await database.write((db) => db.insertInto('tasks').values(rows).execute())
    }
  }
  await database.close()
  return tokens
}

/** Due dates are spread over one year around now, so that every list contains tasks. */
const task = (userId: string, number: number, now: number) => ({
  user_id: userId,
  id: newId(),
  title: `Task ${number}: ask about the delivery in March`,
  body: 'Prices as agreed on the phone; the new address is on the second page.',
  due_date: new Date(now + ((number % 365) - 180) * day).toISOString().slice(0, 10),
  priority: 1 + (number % 3),
  created_at: now,
})

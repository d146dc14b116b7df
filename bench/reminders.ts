import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../server/database/open-database.ts'
import { newId } from '../server/new-id.ts'
import { hashOf, newToken } from '../server/sessions/token.ts'
import { certificate, newBrowser } from '../server/testing/push-service.ts'
import { listing, median } from './load.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { engines, start, startDaymark, withSqliteFile } from './servers.ts'

const [people, perSecond, minute] = [3000, 500, 60_000]

/** Sends 3,000 reminders that become due at 500 a second, while another person lists tasks. */
export async function reminders(rounds: number) {
  for (const [engine, withDatabase] of engines())
    for (let round = 0; round < rounds; round++) {
      section(`Reminders, ${engine}, round ${round + 1}`)
      await withDatabase((url) => measure(url))
    }
}

async function measure(url: URL) {
  const receiver = await start('push-receiver.ts')
  const received = async () =>
    (await (await fetch(receiver.base)).json()) as { origin: string; count: number; seconds: number }
  const { origin } = await received()
  const [reader] = (await seed(url, [50])) as [string]
  await withSqliteFile(async (folder) => {
    const trusted = join(folder.pathname, '../ca.pem')
    await writeFile(trusted, certificate)
    const environment = {
      PUSH_HOSTS: 'localhost',
      CONTACT: 'admin@example.org',
      NODE_EXTRA_CA_CERTS: trusted,
    }
    const daymark = await startDaymark(url, environment)
    const before = await listing(daymark.base, reader, async (count) => count === 500)
    await addReminders(url, origin, Date.now() + minute / 6)
    while ((await received()).count === 0) await delay(10)
    const isOver = async (count: number) => count % 50 === 0 && (await received()).count >= people
    const during = await listing(daymark.base, reader, isOver)
    const { count, seconds } = await received()
    row('sent in a second', count / seconds)
    row('sent more than once', count - people)
    row('median of a list without reminders, ms', median(before))
    row('median of a list meanwhile, ms', median(during))
    row('ratio (at most 1.25)', median(during) / median(before))
    await daymark.stop()
  })
  await receiver.stop()
}

/** Adds a person, a browser and a task for each reminder. The first one is due at `first`. */
async function addReminders(url: URL, origin: string, first: number) {
  const database = await openDatabase(url)
  const { subscription } = newBrowser(origin, '/')
  const each = Array.from({ length: people }, (_, index) => {
    const [id, task] = [newId(), newId()]
    return { id, task, token: hashOf(newToken(id)), at: first + (1000 * index) / perSecond }
  })
  await database.write(async (db) => {
    for (let from = 0; from < people; from += 500) {
      const some = each.slice(from, from + 500)
      const now = Date.now()
      await db
        .insertInto('users')
        .values(
          some.map(({ id }) => ({
            ...{ id, name: 'Ada', email: `${id}@example.org`, password_hash: '', created_at: now, seq: 0 },
            ...{ head: newId(), task_count: 1, stored_bytes: 0, trim_at: now + 10 * minute },
            settings: JSON.stringify({ zone: 'UTC' }),
          })),
        )
        .execute()
      await db
        .insertInto('sessions')
        .values(
          some.map(({ id, token }) => ({
            user_id: id,
            token_hash: token,
            created_at: now,
            last_used_at: now,
          })),
        )
        .execute()
      await db
        .insertInto('subscriptions')
        .values(
          some.map(({ id, token }) => ({
            ...{ user_id: id, id: newId(), token_hash: token, created_at: now, origin },
            ...{ endpoint: `${origin}/${randomBytes(16).toString('hex')}`, ...subscription.keys },
          })),
        )
        .execute()
      const wall = new Date(Math.floor(first / minute) * minute).toISOString().slice(0, 16)
      await db
        .insertInto('tasks')
        .values(
          some.map(({ id, task }) => ({
            ...{ user_id: id, id: task, version: 0, title: 'Ask about the delivery', body: '', folded: '' },
            ...{ due_date: '2099-01-01', priority: 1, created_at: now, reminders: wall },
          })),
        )
        .execute()
      await db
        .insertInto('reminder_jobs')
        .values(
          some.map(({ id, task, at }) => ({
            ...{ user_id: id, item: task, reminder: wall, state: 'to come' as const, message: null },
            ...{ remind_at: Math.floor(first / minute) * minute, due: Math.round(at) },
          })),
        )
        .execute()
    }
  })
  await database.close()
}

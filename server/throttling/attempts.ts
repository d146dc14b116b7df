import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Schema } from '../database/schema.ts'
import { tooManyRequests } from '../errors.ts'

/** How often something may be tried, counted from its first try; `wait` makes it slower beyond that instead of ending it. */
export type Policy = {
  name: string
  most: number
  /** Milliseconds after which counting begins anew. */
  window: number
  /** Milliseconds to wait after the last try, when `count` have been made. Without it one waits for the window to end. */
  wait?: (count: number) => number
}

/** What is being tried: an address or an account. Only a hash of it is stored. */
export type Subject = { policy: Policy; of: string }

/** Throws a 429 for whoever would have to wait anyway: it costs no more than a look. */
export async function refuseTooMany(db: Db, subjects: Subject[], now: number) {
  for (const { policy, of } of subjects) {
    const key = keyOf(policy, of)
    const row = await db.selectFrom('attempts').selectAll().where('key', '=', key).executeTakeFirst()
    if (row && row.since > now - policy.window) refuseBefore(nextTry(policy, row), now)
  }
}

/**
 * Counts a try against every subject, or throws a 429 that says when the next one may succeed; a refused try is not
 * counted. It stands in the database before the outcome is known, so neither a restart, a second server nor many
 * tries at once make room for more.
 */
export async function countAttempt(db: Db, subjects: Subject[], now: number) {
  for (const { policy, of } of subjects) {
    const row = await increment(db, keyOf(policy, of), policy.window, now)
    refuseBefore(nextTry(policy, { ...row, count: row.count - 1 }), now)
  }
  const keys = subjects.map(({ policy, of }) => keyOf(policy, of))
  await db.updateTable('attempts').set({ last_at: now }).where('key', 'in', keys).execute()
}

/** When another try may be made, after as many as the row has counted. */
function nextTry({ most, window, wait }: Policy, { count, since, last_at }: Counted) {
  if (count < most) return 0
  return wait ? last_at + wait(count) : since + window
}

type Counted = Pick<Schema['attempts'], 'count' | 'since' | 'last_at'>

function refuseBefore(next: number, now: number) {
  if (next > now) throw tooManyRequests(Math.ceil((next - now) / 1000))
}

/** Takes back what `countAttempt` counted: the try turned out well. One row after the other, as there, lest two deadlock. */
export async function forgiveAttempt(db: Db, subjects: Subject[]) {
  for (const { policy, of } of subjects) {
    await db
      .updateTable('attempts')
      .set((row) => ({ count: row('count', '-', 1) }))
      .where('key', '=', keyOf(policy, of))
      .where('count', '>', 0)
      .execute()
  }
}

/** Forgets what began so long ago that no policy counts it any more. */
export async function sweepAttempts(db: Db, before: number) {
  await db.deleteFrom('attempts').where('since', '<', before).execute()
}

/** Holds the row until the transaction ends; `last_at` is answered as it was before. */
async function increment(db: Db, key: string, window: number, now: number) {
  const began = now - window
  return await db
    .insertInto('attempts')
    .values({ key, count: 1, since: now, last_at: now })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql`case when attempts.since <= ${began} then 1 else attempts.count + 1 end`,
        since: sql`case when attempts.since <= ${began} then ${now} else attempts.since end`,
      }),
    )
    .returning(['count', 'since', 'last_at'])
    .executeTakeFirstOrThrow()
}

const keyOf = ({ name }: Policy, of: string) => hash('sha256', `${name} ${of}`)

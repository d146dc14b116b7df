import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { DeleteRows } from '../database/expired-rows.ts'
import type { Db, Schema } from '../database/schema.ts'
import type { Policy } from './policies.ts'

export type Count = Omit<Schema['attempts'], 'key'>

/** The counted subject, and its policy. */
type Subject = { policy: Policy; of: string }

/** Emails and addresses are stored only as hashes. */
const keyOf = ({ policy, of }: Subject) => `${policy.name} ${hash('sha256', of)}`

/**
 * Returns the count that is valid at `now`. Timestamps in the future come from a wrong clock and count as now. The time
 * of the last attempt is kept after the window ends, so that a wait that started before does not restart.
 */
export function countAt(now: number, { window }: Policy, { count, since, last_at }: Count): Count {
  const last = Math.min(last_at, now)
  return since <= now - window
    ? { count: 0, since: now, last_at: last }
    : { count, since: Math.min(since, now), last_at: last }
}

/** Returns the milliseconds until the next attempt is allowed, at most the window. */
export function waitAfter(now: number, { max, window, wait }: Policy, { count, since, last_at }: Count) {
  if (count < max) return 0
  const next = wait ? Math.min(last_at + wait(count - max), since + window) : since + window
  return Math.max(0, next - now)
}

type Counts<Subjects> = { [I in keyof Subjects]: Count }

/**
 * Returns the counts of the subjects at `now`, in the same order. Ignores rows with timestamps in the future, because
 * only a write can correct them.
 */
export async function readCounts<const Subjects extends readonly Subject[]>(
  db: Db,
  subjects: Subjects,
  now: number,
): Promise<Counts<Subjects>> {
  const rows = await db
    .selectFrom('attempts')
    .selectAll()
    .where('key', 'in', subjects.map(keyOf))
    .where('since', '<=', now)
    .where('last_at', '<=', now)
    .execute()
  return countsOf(rows, subjects, now)
}

/**
 * Changes the counts of the subjects. Their rows stay locked until the transaction ends, so no concurrent attempt is
 * lost. All callers pass the subjects in the order of `guesses.ts`, which prevents deadlocks.
 */
export async function changeCounts<const Subjects extends readonly Subject[]>(
  db: Db,
  subjects: Subjects,
  now: number,
  change: (counts: Counts<Subjects>) => Counts<Subjects>,
): Promise<void> {
  const rows = await db
    .insertInto('attempts')
    .values(subjects.map((subject) => ({ key: keyOf(subject), ...unused(now) })))
    // Updating the key to itself locks the row without a change.
    .onConflict((conflict) => conflict.column('key').doUpdateSet((row) => ({ key: row.ref('excluded.key') })))
    .returningAll()
    .execute()
  await setCounts(db, subjects, change(countsOf(rows, subjects, now)))
}

/** Replaces the counts of the subjects, which have the same order, without reading them. */
export async function setCounts(db: Db, subjects: readonly Subject[], counts: readonly Count[]) {
  await db
    .insertInto('attempts')
    .values(subjects.map((subject, i) => ({ key: keyOf(subject), ...(counts[i] as Count) })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((row) => ({
        count: row.ref('excluded.count'),
        since: row.ref('excluded.since'),
        last_at: row.ref('excluded.last_at'),
      })),
    )
    .execute()
}

function countsOf<Subjects extends readonly Subject[]>(
  rows: Schema['attempts'][],
  subjects: Subjects,
  now: number,
): Counts<Subjects> {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const counts = subjects.map((subject) => {
    const row = byKey.get(keyOf(subject))
    return row ? countAt(now, subject.policy, row) : unused(now)
  })
  return counts as Counts<Subjects>
}

const unused = (now: number): Count => ({ count: 0, since: now, last_at: now })

export const increment = (count: Count, now: number): Count => ({
  ...count,
  count: count.count + 1,
  last_at: now,
})

export const decrement = (count: Count): Count => ({ ...count, count: Math.max(0, count.count - 1) })

/** Counts an attempt and returns 0, or returns the milliseconds to wait. Rejected attempts are not counted. */
export async function countAttempt(db: Db, subject: Subject, now: number): Promise<number> {
  let wait = 0
  await changeCounts(db, [subject], now, ([count]) => {
    wait = waitAfter(now, subject.policy, count)
    return [wait ? count : increment(count, now)]
  })
  return wait
}

/** The maximum difference between the clocks of several servers, in milliseconds. */
const clockSkew = 60_000

/**
 * Deletes the rows that are older than all policies' windows, or begin in the future. Each condition repeats the condition of a
 * partial index in the same words, because otherwise the engines do not use the index.
 */
export async function sweepAttempts(
  deleteRows: DeleteRows,
  now: number,
  windows: { known: number; other: number },
) {
  const kinds = [
    { kind: sql`key like 'known %'`, window: windows.known },
    { kind: sql`key not like 'known %'`, window: windows.other },
  ]
  for (const { kind, window } of kinds) {
    await deleteRows('attempts', 'since', sql`since <= ${now - window} and ${kind}`)
    await deleteRows('attempts', 'since', sql`since > ${now + clockSkew} and ${kind}`)
  }
}

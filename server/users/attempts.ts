import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { DeleteRows } from '../database/expired-rows.ts'
import { type Db, type Schema, tables } from '../database/schema.ts'
import type { Policy } from './policies.ts'

export type Count = Omit<Schema['attempts'], 'key'>

export type Subject = { policy: Policy; of: string }

/** The account whose subjects are counted: its counts are stored with its user. All others are stored by their keys. */
type Owner = string | undefined

/** Returns the table as if it were `attempts`: the other one has the same columns and the owner's. */
const tableOf = (owner: Owner) => (owner === undefined ? 'attempts' : 'guesses') as 'attempts'

const ownerOf = (owner: Owner) => (owner === undefined ? {} : { user_id: owner })

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
 * Returns the owner's counts of the subjects at `now`, in the same order. Ignores rows with timestamps in the future, because
 * only a write can correct them.
 */
export async function readCounts<const Subjects extends readonly Subject[]>(
  db: Db,
  owner: Owner,
  subjects: Subjects,
  now: number,
): Promise<Counts<Subjects>> {
  const table = tableOf(owner)
  const rows = await db
    .selectFrom(table)
    .select(['key', 'count', 'since', 'last_at'])
    .$if(owner !== undefined, (query) => query.where(sql.ref('user_id'), '=', owner))
    .where('key', 'in', subjects.map(keyOf))
    .where('since', '<=', now)
    .where('last_at', '<=', now)
    .execute()
  return countsOf(rows, subjects, now)
}

/**
 * Returns the owner's counts of the subjects at `now`. Their rows stay locked until the transaction ends, so no concurrent
 * attempt is lost. All callers lock in the order of `guesses.ts`, which prevents deadlocks.
 */
export async function lockCounts<const Subjects extends readonly Subject[]>(
  db: Db,
  owner: Owner,
  subjects: Subjects,
  now: number,
): Promise<Counts<Subjects>> {
  const table = tableOf(owner)
  const rows = await db
    .insertInto(table)
    .values(subjects.map((subject) => ({ ...ownerOf(owner), key: keyOf(subject), ...unused(now) })))
    // Updating the key to itself locks the row without a change.
    .onConflict((conflict) =>
      conflict.columns(tables[table]).doUpdateSet((row) => ({ key: row.ref('excluded.key') })),
    )
    .returning(['key', 'count', 'since', 'last_at'])
    .execute()
  return countsOf(rows, subjects, now)
}

/** Replaces the owner's counts of the subjects, which have the same order, without reading them. */
export async function setCounts(
  db: Db,
  owner: Owner,
  subjects: readonly Subject[],
  counts: readonly Count[],
) {
  const table = tableOf(owner)
  await db
    .insertInto(table)
    .values(
      subjects.map((subject, i) => ({ ...ownerOf(owner), key: keyOf(subject), ...(counts[i] as Count) })),
    )
    .onConflict((conflict) =>
      conflict.columns(tables[table]).doUpdateSet((row) => ({
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

export const unused = (now: number): Count => ({ count: 0, since: now, last_at: now })

export const increment = (count: Count, now: number): Count => ({
  ...count,
  count: count.count + 1,
  last_at: now,
})

export const decrement = (count: Count): Count => ({ ...count, count: Math.max(0, count.count - 1) })

/** Counts an attempt and returns 0, or returns the milliseconds to wait. Rejected attempts are not counted. */
export async function countAttempt(db: Db, owner: Owner, subject: Subject, now: number): Promise<number> {
  const [count] = await lockCounts(db, owner, [subject], now)
  const wait = waitAfter(now, subject.policy, count)
  await setCounts(db, owner, [subject], [wait ? count : increment(count, now)])
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
  for (const table of ['attempts', 'guesses'] as const)
    for (const { kind, window } of kinds) {
      await deleteRows(table, 'since', sql`since <= ${now - window} and ${kind}`)
      await deleteRows(table, 'since', sql`since > ${now + clockSkew} and ${kind}`)
    }
}

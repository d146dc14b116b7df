import { hash } from 'node:crypto'
import type { KeyRange } from '../database/key-ranges.ts'
import type { Db, Schema } from '../database/schema.ts'
import type { Policy } from './policies.ts'

export type Count = Omit<Schema['attempts'], 'key'>

/** What is counted, and under which policy. */
export type Subject = { policy: Policy; of: string }

/** Only a hash of who or what is tried is stored. */
const keyOf = ({ policy, of }: Subject) => `${policy.name} ${hash('sha256', of)}`

/**
 * A count as it holds at `now`. Dates in the future come from a clock that was wrong and count as now. The last try
 * stays when the window ends, so that a wait that began before the end does not begin again.
 */
export function countAt(now: number, { window }: Policy, { count, since, last_at }: Count): Count {
  const last = Math.min(last_at, now)
  return since <= now - window
    ? { count: 0, since: now, last_at: last }
    : { count, since: Math.min(since, now), last_at: last }
}

/** Milliseconds until another try may be made, never more than the window. */
export function waitAfter(now: number, { max, window, wait }: Policy, { count, since, last_at }: Count) {
  if (count < max) return 0
  const next = wait ? Math.min(last_at + wait(count - max), since + window) : since + window
  return Math.max(0, next - now)
}

type Counts<Subjects> = { [I in keyof Subjects]: Count }

/**
 * The counts of these subjects at `now`, in their order. Rows dated in the future are left out: a look cannot correct
 * them, and would find them in the future each time.
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
  return inOrder(rows, subjects, now)
}

/**
 * Changes the counts of these subjects. Their rows are held until the transaction ends, so that nothing else counts
 * between reading and writing. All callers name their subjects in the order of `guesses.ts`, which prevents deadlocks.
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
    // Writing the row's own key locks it and changes nothing.
    .onConflict((conflict) => conflict.column('key').doUpdateSet((row) => ({ key: row.ref('excluded.key') })))
    .returningAll()
    .execute()
  const changed: readonly Count[] = change(inOrder(rows, subjects, now))
  await db
    .insertInto('attempts')
    .values(subjects.map((subject, i) => ({ key: keyOf(subject), ...(changed[i] as Count) })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((row) => ({
        count: row.ref('excluded.count'),
        since: row.ref('excluded.since'),
        last_at: row.ref('excluded.last_at'),
      })),
    )
    .execute()
}

function inOrder<Subjects extends readonly Subject[]>(
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

/** Counts a try, or answers how many milliseconds to wait; a refused try is not counted. */
export async function countAttempt(db: Db, subject: Subject, now: number): Promise<number> {
  let wait = 0
  await changeCounts(db, [subject], now, ([count]) => {
    wait = waitAfter(now, subject.policy, count)
    return [wait ? count : increment(count, now)]
  })
  return wait
}

/** Clocks of several servers may differ by less than this. */
const clockSkew = 60_000

/** Removes the rows in the range that no policy looks at any more, and those dated in the future by a wrong clock. */
export async function sweepAttempts(
  db: Db,
  now: number,
  windows: { known: number; other: number },
  range: KeyRange,
) {
  await db
    .deleteFrom('attempts')
    .where(range)
    .where((row) =>
      row.or([
        row('since', '<=', now - windows.known),
        row.and([row('key', 'not like', 'known %'), row('since', '<=', now - windows.other)]),
        row('since', '>', now + clockSkew),
        row('last_at', '>', now + clockSkew),
      ]),
    )
    .execute()
}

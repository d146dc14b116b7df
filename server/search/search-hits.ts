import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { pageSize } from '#contract/limits.ts'
import { compareRanks, hasWords, inTitle, isTag, type Rank } from '#contract/search.ts'
import { storedBytes } from '../changes/task-row.ts'
import type { Db } from '../database/schema.ts'
import { positionIn } from '../database/text-position.ts'

/**
 * How much one search reads, and how much of it one statement reads: between statements, other requests are processed. A
 * row counts as `frame` bytes besides its text, so that the number of rows is limited too.
 */
export const most = {
  bytes: 64 * 1_048_576,
  frame: 256,
  rowsPerStatement: 2000,
  bytesPerStatement: 1_048_576,
}

export type Wanted = {
  words: readonly string[]
  limit: number
  /** Whether the client still waits for the response. */
  isWanted: () => boolean
}

/** The SQL of what items of one kind are ranked by, and of the bytes that showing one takes. */
export type Source = {
  table: 'tasks' | 'notes'
  isDone: RawBuilder<number>
  at: RawBuilder<number>
  bytes: RawBuilder<number>
}

export const taskSource: Source = {
  table: 'tasks',
  isDone: sql<number>`case when done_at is null then 0 else 1 end`,
  at: sql<number>`created_at`,
  bytes: storedBytes,
}

/** What is shown of a note is short. */
export const noteSource: Source = {
  table: 'notes',
  isDone: sql<number>`0`,
  at: sql<number>`changed_at`,
  bytes: sql<number>`0`,
}

export type Hit = Rank & { bytes: number }

/** `unread`: the bytes that the search may still read. */
export type Hits = { hits: Hit[]; isCut: boolean; isComplete: boolean; unread: number }

/** Finds the owner's items that contain every word and are not deleted. Texts are read from the newest id to the oldest. */
export async function findHits(
  db: Db,
  owner: string,
  source: Source,
  { words, isWanted }: Wanted,
  mayRead: number,
): Promise<Hits> {
  let hits: Hit[] = []
  let [unread, isCut] = [mayRead, false]
  let part: Part | undefined = { rows: most.rowsPerStatement, before: undefined, from: undefined, bytes: 0 }
  while (part && unread > 0 && isWanted()) {
    part = await nextPart(db, owner, source, part)
    if (!part) break
    unread -= part.bytes
    const found = await searchPart(db, owner, source, part, words, isCut ? hits.at(-1) : undefined)
    if (found.length > 0) hits = [...hits, ...found].sort(compareRanks)
    isCut ||= hits.length > pageSize.max
    hits = hits.slice(0, pageSize.max)
    await nextTurn()
  }
  return { hits, isCut, isComplete: part === undefined, unread }
}

/** Some rows with consecutive ids: from `from` up to `before`, which is not one of them. The next part begins there. */
type Part = { rows: number; before: string | undefined; from: string | undefined; bytes: number }

/** Returns the rows behind a part that one statement may read, at least one, or undefined if there are none. */
async function nextPart(db: Db, owner: string, { table }: Source, last: Part): Promise<Part | undefined> {
  const before = last.from
  for (let rows = Math.min(2 * last.rows, most.rowsPerStatement); ; rows = Math.floor(rows / 2)) {
    const ids = rowsBehind(db, table, owner, before)
      .select(['id', sql<number>`octet_length(folded)`.as('bytes')])
      .orderBy('id', 'desc')
      .limit(rows)
    const { count, bytes, from } = await db
      .selectFrom(ids.as('part'))
      .select([
        sql<number>`count(*)`.as('count'),
        sql<number>`coalesce(sum(bytes), 0)`.as('bytes'),
        sql<string>`min(cast(id as text))`.as('from'),
      ])
      .executeTakeFirstOrThrow()
    if (count === 0) return
    if (bytes <= most.bytesPerStatement || count === 1)
      return { rows, before, from, bytes: bytes + count * most.frame }
    rows = Math.min(rows, count)
  }
}

function rowsBehind(db: Db, table: Source['table'], owner: string, before: string | undefined) {
  const rows = db.selectFrom(table).where('user_id', '=', owner)
  return before === undefined ? rows : rows.where('id', '<', before)
}

/**
 * Returns the hits of a part, perhaps without those that rank behind `last`. The engine finds tags as parts of words; which
 * of them are whole is decided here.
 */
async function searchPart(
  db: Db,
  owner: string,
  { table, isDone, at, bytes: size }: Source,
  { from, before }: Part,
  words: readonly string[],
  last: Rank | undefined,
): Promise<Hit[]> {
  const hasTag = words.some(isTag)
  const places = words.map((word) => positionIn(db, sql.ref('folded'), word))
  const lineBreak = positionIn(db, sql.ref('folded'), '\n')
  const areInTitle = sql.join(
    places.map((place) => sql`${place} < ${lineBreak}`),
    sql` and `,
  )
  const outside = sql<number>`case when ${areInTitle} then 0 else 1 end`
  let query = rowsBehind(db, table, owner, before)
    .where('id', '>=', String(from))
    .where('deleted_at', 'is', null)
    .select(['id', at.as('at'), isDone.as('done'), outside.as('outside'), size.as('bytes')])
    .$if(hasTag, (tagged) => tagged.select('folded'))
    .$if(!hasTag, (ranked) =>
      ranked
        .orderBy('done')
        .orderBy('outside')
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(pageSize.max + 1),
    )
  // Before the words: most rows of a common word are rejected by their time, which costs the least.
  if (last) query = query.where(mayRankBefore(last, { isDone, at, outside }))
  for (const place of places) query = query.where(place, '>', 0)
  const rows = await query.execute()
  return rows
    .filter(({ folded }) => folded === undefined || hasWords(folded, words))
    .map(({ id, at, done, outside, bytes, folded }) => ({
      id,
      isDone: done === 1,
      inTitle: folded === undefined ? outside === 0 : inTitle(folded, words),
      createdAt: at,
      bytes,
    }))
}

/** A condition that all rows meet that rank before `last`, and few others. */
function mayRankBefore(
  { id, isDone, inTitle, createdAt }: Rank,
  row: Pick<Source, 'isDone' | 'at'> & { outside: RawBuilder<number> },
) {
  const done = sql.lit(isDone ? 1 : 0)
  const isBetterPlaced = inTitle ? sql`` : sql`or ${row.outside} = 0`
  return sql<boolean>`(${row.isDone} < ${done}
    or (${row.isDone} = ${done} and ((${row.at}, id) > (${createdAt}, ${id}) ${isBetterPlaced})))`
}

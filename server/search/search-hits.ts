import { type RawBuilder, sql } from 'kysely'
import { searchedColumns } from '#contract/fields.ts'
import { pageSize } from '#contract/limits.ts'
import { compareRanks, hasWords, inTitle, type Rank } from '#contract/search-rules.ts'
import { isMistypable, partsOf, similarTo } from '#contract/similar-words.ts'
import { isTag } from '#contract/tags.ts'
import { taskFields } from '#contract/task-fields.ts'
import { positionIn } from '../database/engine-sql.ts'
import type { Db } from '../database/schema.ts'
import { turn } from '../fairness/turns.ts'
import { taskKind } from '../tasks/task-kind.ts'

/**
 * How much one search reads, and how much of that one statement reads. Between statements, other requests are processed. A row
 * counts as `frame` bytes besides its text, so that the number of rows is limited too.
 */
export const searchLimits = {
  bytes: 64 * 1_048_576,
  bytesForSimilar: 16 * 1_048_576,
  frame: 256,
  rowsPerStatement: 2000,
  bytesPerStatement: 1_048_576,
}

export type Wanted = {
  words: readonly string[]
  limit: number
  isSimilar?: boolean
  isWanted: () => boolean
}

/** How items of one kind are ranked, and the bytes of one in a response, as SQL expressions. */
type Source = {
  table: 'tasks' | 'notes'
  isDone: RawBuilder<number>
  at: RawBuilder<number>
  bytes: RawBuilder<number>
  /** The texts before they were folded, which have the tags. */
  texts: readonly [RawBuilder<string>, RawBuilder<string | null>]
}

const [title, ...others] = searchedColumns(taskFields).map((column) => sql`coalesce(${sql.ref(column)}, '')`)

export const taskSource: Source = {
  table: 'tasks',
  isDone: sql<number>`case when done_at is null then 0 else 1 end`,
  at: sql<number>`coalesce(done_at, created_at)`,
  bytes: taskKind.storedBytes,
  texts: [sql<string>`${title}`, sql<string>`${sql.join(others, sql` || '\n' || `)}`],
}

export const noteSource: Source = {
  table: 'notes',
  isDone: sql<number>`0`,
  at: sql<number>`changed_at`,
  bytes: sql<number>`octet_length(text)`,
  texts: [sql<string>`text`, sql<null>`null`],
}

/** `similar`: the words that were found in place of those of the query. */
export type Hit = Rank & { bytes: number; similar?: string[] }

/** `unread`: the bytes that the search may still read. */
export type Hits = { hits: Hit[]; isCut: boolean; isComplete: boolean; unread: number }

/** Finds the owner's items that contain every word and are not deleted. Texts are read from the newest id to the oldest. */
export async function findHits(
  db: Db,
  owner: string,
  source: Source,
  { words, isSimilar = false, isWanted }: Wanted,
  mayRead: number,
): Promise<Hits> {
  let hits: Hit[] = []
  let [unread, isCut] = [mayRead, false]
  let part: Part | undefined = {
    rows: searchLimits.rowsPerStatement,
    before: undefined,
    from: undefined,
    bytes: 0,
  }
  while (part && unread > 0 && isWanted()) {
    part = await nextPart(db, owner, source, part)
    if (!part) break
    unread -= part.bytes
    const last = isCut ? hits.at(-1) : undefined
    const found = isSimilar
      ? await searchSimilar(db, owner, source, part, words)
      : await searchPart(db, owner, source, part, words, last)
    if (found.length > 0) hits = [...hits, ...found].sort(compareRanks)
    isCut ||= hits.length > pageSize.max
    hits = hits.slice(0, pageSize.max)
  }
  return { hits, isCut, isComplete: part === undefined, unread }
}

/** Rows with consecutive ids. The first id is `from`. The next part begins at `before`. */
type Part = { rows: number; before: string | undefined; from: string | undefined; bytes: number }

/** Returns the rows behind a part that one statement may read, at least one, or undefined if there are none. */
async function nextPart(db: Db, owner: string, { table }: Source, last: Part): Promise<Part | undefined> {
  const before = last.from
  for (let rows = Math.min(2 * last.rows, searchLimits.rowsPerStatement); ; rows = Math.floor(rows / 2)) {
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
    if (bytes <= searchLimits.bytesPerStatement || count === 1)
      return { rows, before, from, bytes: bytes + count * searchLimits.frame }
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
  { table, isDone, at, bytes: size, texts }: Source,
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
    .$if(hasTag, (tagged) => tagged.select(['folded', ...aliased(texts)]))
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
  const hits: Hit[] = []
  for (const { id, at, done, outside, bytes, folded, ...row } of await query.execute()) {
    const written = [row.first ?? null, row.second ?? null]
    const wait = hasTag ? turn() : undefined
    if (wait) await wait
    if (folded === undefined || hasWords(folded, words, written))
      hits.push({
        id,
        isSimilar: false,
        isDone: done === 1,
        inTitle: folded === undefined ? outside === 0 : inTitle(folded, words, written),
        at,
        bytes,
      })
  }
  return hits
}

/** Returns the items of a part that have similar words. The engine finds parts of words; which are similar is decided here. */
async function searchSimilar(
  db: Db,
  owner: string,
  { table, isDone, at, bytes: size, texts }: Source,
  { from, before }: Part,
  words: readonly string[],
): Promise<Hit[]> {
  const folded = sql.ref<string>('folded')
  const title = sql<string>`substr(folded, 1, ${positionIn(db, folded, '\n')})`
  let query = rowsBehind(db, table, owner, before)
    .where('id', '>=', String(from))
    .where('deleted_at', 'is', null)
    .select(['id', at.as('at'), isDone.as('done'), size.as('bytes'), 'folded', ...aliased(texts)])
  for (const word of words) {
    const places = isMistypable(word)
      ? partsOf(word).map((part) => positionIn(db, isTag(word) ? folded : title, part))
      : []
    // Texts that contain a single searched word were found before.
    if (words.length > 1 || places.length === 0) places.push(positionIn(db, folded, word))
    query = query.where(({ or }) => or(places.map((place) => sql<boolean>`${place} > 0`)))
  }
  const similarIn = similarTo(words)
  const hits: Hit[] = []
  for (const { id, at, done, bytes, folded, first, second } of await query.execute()) {
    const wait = turn()
    if (wait) await wait
    const similar = similarIn(folded, [first, second])
    if (similar) hits.push({ id, isSimilar: true, isDone: done === 1, inTitle: true, at, bytes, similar })
  }
  return hits
}

const aliased = ([first, second]: Source['texts']) => [first.as('first'), second.as('second')] as const

/** A condition that all rows meet that rank before `last`, and few others. */
function mayRankBefore(
  { id, isDone, inTitle, at }: Rank,
  row: Pick<Source, 'isDone' | 'at'> & { outside: RawBuilder<number> },
) {
  const done = sql.lit(isDone ? 1 : 0)
  const isBetterPlaced = inTitle ? sql`` : sql`or ${row.outside} = 0`
  return sql<boolean>`(${row.isDone} < ${done}
    or (${row.isDone} = ${done} and ((${row.at}, id) > (${at}, ${id}) ${isBetterPlaced})))`
}

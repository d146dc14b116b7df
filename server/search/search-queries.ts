import { excerptOf } from '#contract/excerpt.ts'
import type { Found, FoundNote } from '#contract/search.ts'
import { fewHits, isMistypable } from '#contract/similar-words.ts'
import type { Task } from '#contract/tasks.ts'
import { fitting, fittingItems, readFitting } from '../changes/fitting-rows.ts'
import type { Db } from '../database/schema.ts'
import { summaryColumns, toSummary } from '../notes/note-kind.ts'
import { taskKind } from '../tasks/task-kind.ts'
import { inTurns } from '../turns/turns.ts'
import {
  findHits,
  type Hit,
  type Hits,
  noteSource,
  searchLimits,
  taskSource,
  type Wanted,
} from './search-hits.ts'

/** Finds the owner's tasks and notes that contain every word. If they are few, those with similar words follow. */
export async function searchItems(db: Db, owner: string, wanted: Wanted): Promise<Found> {
  const exact = await findInBoth(db, owner, wanted, searchLimits.bytes)
  const isFew = exact.tasks.hits.length + exact.notes.hits.length < fewHits
  const similar =
    isFew && wanted.words.some(isMistypable)
      ? await findInBoth(db, owner, { ...wanted, isSimilar: true }, searchLimits.bytesForSimilar)
      : undefined
  const [ofTasks, ofNotes] = [
    followedBy(exact.tasks, similar?.tasks),
    followedBy(exact.notes, similar?.notes),
  ]
  const words = [...new Set([...ofTasks.hits, ...ofNotes.hits].flatMap((hit) => hit.similar ?? []))].sort()

  const rows = await readFitting(db, taskKind, owner, ofTasks.hits.slice(0, wanted.limit))
  // Without those deleted since.
  const open = rows.filter((row) => row.deleted_at === null)
  const tasks = fittingItems(open.map((row) => taskKind.toItem(row) as Task))
  const notes = await readNotes(db, owner, ofNotes.hits.slice(0, wanted.limit), wanted.words)
  const hasMore = ({ isCut, hits }: Hits, shown: unknown[]) => isCut || hits.length > shown.length
  return {
    tasks,
    notes,
    similar: words,
    more: hasMore(ofTasks, tasks) || hasMore(ofNotes, notes),
    complete: ofTasks.isComplete && ofNotes.isComplete,
  }
}

async function findInBoth(db: Db, owner: string, wanted: Wanted, mayRead: number) {
  const tasks = await findHits(db, owner, taskSource, wanted, mayRead)
  return { tasks, notes: await findHits(db, owner, noteSource, wanted, tasks.unread) }
}

const followedBy = (exact: Hits, similar: Hits | undefined): Hits =>
  similar
    ? {
        ...similar,
        hits: [...exact.hits, ...similar.hits],
        isComplete: exact.isComplete && similar.isComplete,
      }
    : exact

/** Excerpts are made of the notes whose texts fit into a page. The summaries of 200 notes are smaller. `words`: those of the query. */
async function readNotes(db: Db, owner: string, hits: Hit[], words: readonly string[]): Promise<FoundNote[]> {
  if (hits.length === 0) return []
  const ids = hits.map(({ id }) => id)
  const notesOf = (some: string[]) =>
    db.selectFrom('notes').where('user_id', '=', owner).where('id', 'in', some)
  const found = await notesOf(ids).select(summaryColumns).execute()
  const whole = ids.slice(0, fitting(hits).length)
  const read = await notesOf(whole).select(['id', 'text']).execute()
  const rows = new Map(found.map((row) => [row.id, row]))
  const texts = new Map(read.map(({ id, text }) => [id, text]))
  const notes: FoundNote[] = []
  for await (const { id, similar = [] } of inTurns(hits)) {
    const row = rows.get(id)
    if (!row || row.deleted_at !== null) continue
    const text = texts.get(id)
    notes.push({
      ...toSummary(row),
      excerpt: text === undefined ? row.snippet : excerptOf(text, [...words, ...similar]),
    })
  }
  return notes
}

import type { Found } from '#contract/searches.ts'
import { summaryColumns, toSummary } from '../changes/note-row.ts'
import { selectTasks } from '../changes/stored-tasks.ts'
import { countFitting, endPage } from '../changes/task-page.ts'
import { toTask } from '../changes/task-row.ts'
import type { Db } from '../database/schema.ts'
import { findHits, type Hits, most, noteSource, taskSource, type Wanted } from './search-hits.ts'

/** Finds the owner's tasks and notes that contain every word and are not deleted. */
export async function searchItems(db: Db, owner: string, wanted: Wanted): Promise<Found> {
  const ofTasks = await findHits(db, owner, taskSource, wanted, most.bytes)
  const ofNotes = await findHits(db, owner, noteSource, wanted, ofTasks.unread)
  const tasks = await findTasks(db, owner, shownOf(ofTasks, wanted.limit))
  const notes = await findNotes(db, owner, shownOf(ofNotes, wanted.limit))
  const hasMore = ({ isCut, hits }: Hits, shown: unknown[]) => isCut || hits.length > shown.length
  return {
    tasks,
    notes,
    more: hasMore(ofTasks, tasks) || hasMore(ofNotes, notes),
    complete: ofTasks.isComplete && ofNotes.isComplete,
  }
}

/** The ids of the hits that fit into a response. */
function shownOf({ hits }: Hits, limit: number): string[] {
  const shown = hits.slice(0, limit)
  return shown.slice(0, countFitting(shown.map(({ bytes }) => bytes))).map(({ id }) => id)
}

/** The tasks in the order of their ids, as many as fit into one response, without those deleted since. */
async function findTasks(db: Db, owner: string, ids: string[]) {
  const rows = new Map((await selectTasks(db, owner, ids)).map((row) => [row.id, row]))
  return endPage(
    ids.flatMap((id) => {
      const row = rows.get(id)
      return row && row.deleted_at === null ? [toTask(row)] : []
    }),
  )
}

async function findNotes(db: Db, owner: string, ids: string[]) {
  if (ids.length === 0) return []
  const found = db.selectFrom('notes').select(summaryColumns).where('user_id', '=', owner)
  const rows = new Map((await found.where('id', 'in', ids).execute()).map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = rows.get(id)
    return row && row.deleted_at === null ? [toSummary(row)] : []
  })
}

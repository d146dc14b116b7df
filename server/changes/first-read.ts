import type { Task } from '#contract/tasks.ts'
import type { Db } from '../database/schema.ts'
import type { Read } from './delta-cursor.ts'
import { type SummaryRow, summaryColumns } from './note-row.ts'
import { selectTasks } from './stored-tasks.ts'
import { countFitting, endPage } from './task-page.ts'
import { storedBytes, toTask } from './task-row.ts'

/** The maximum number of items of a kind, deleted ones included, among which one response looks for items. */
const itemsPerScan = 2000

/** Before every id. */
const firstId = '00000000-0000-0000-0000-000000000000'

export const beginning: Read = { kind: 'task', id: firstId }

type Part = { tasks: Task[]; notes: SummaryRow[]; last: Read | undefined }

/** Returns the next items of a first read, without deleted ones, and the last of them if there are more. */
export async function findItems(db: Db, owner: string, after: Read, limit: number): Promise<Part> {
  if (after.kind === 'note') return { tasks: [], ...(await findNotes(db, owner, after.id, limit)) }
  const { tasks, last } = await findTasks(db, owner, after.id, limit)
  if (last !== undefined) return { tasks, notes: [], last: { kind: 'task', id: last } }
  return { tasks, ...(await findNotes(db, owner, firstId, limit - tasks.length)) }
}

const itemsAfter = (db: Db, table: 'tasks' | 'notes', owner: string, after: string) =>
  db.selectFrom(table).where('user_id', '=', owner).where('id', '>', after).orderBy('id')

/** Returns the id of the last item of a full scan, or undefined if there are no further items. */
async function findLastScanned(db: Db, table: 'tasks' | 'notes', owner: string, after: string) {
  const last = itemsAfter(db, table, owner, after)
    .select('id')
    .limit(1)
    .offset(itemsPerScan - 1)
  return (await last.executeTakeFirst())?.id
}

async function findTasks(db: Db, owner: string, after: string, limit: number) {
  const scanned = itemsAfter(db, 'tasks', owner, after)
    .select(['id', 'deleted_at', storedBytes.as('bytes')])
    .limit(itemsPerScan)
  const sizes = await db
    .selectFrom(scanned.as('scanned'))
    .select(['id', 'bytes'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  // With fewer tasks than fit, the scan may have ended among deleted tasks.
  const end = sizes.length > limit ? undefined : await findLastScanned(db, 'tasks', owner, after)
  const ids = sizes.slice(0, limit).map(({ id }) => id)
  const fitting = ids.slice(0, ids.length && countFitting(sizes.slice(0, limit).map(({ bytes }) => bytes)))
  const rows = await selectTasks(db, owner, fitting)
  const tasks = endPage(rows.sort((a, b) => (a.id < b.id ? -1 : 1)).map(toTask))
  const isWhole = sizes.length === fitting.length && tasks.length === rows.length
  const last = isWhole ? end : tasks.length < rows.length ? tasks.at(-1)?._id : fitting.at(-1)
  return { tasks, last }
}

/** What is shown of 200 notes is less than a page. With a limit of 0, finds out whether there are any. */
async function findNotes(db: Db, owner: string, after: string, limit: number): Promise<Omit<Part, 'tasks'>> {
  const scanned = db
    .selectFrom('notes')
    .select(summaryColumns)
    .where('user_id', '=', owner)
    .where('id', '>', after)
    .orderBy('id')
    .limit(itemsPerScan)
  const found = await db
    .selectFrom(scanned.as('scanned'))
    .selectAll()
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  const notes = found.slice(0, limit)
  const isCut = found.length > limit
  const last = isCut ? (notes.at(-1)?.id ?? after) : await findLastScanned(db, 'notes', owner, after)
  return { notes, last: last === undefined ? undefined : { kind: 'note', id: last } }
}

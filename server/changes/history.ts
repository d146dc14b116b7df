import type { History } from '#contract/changes.ts'
import type { Db } from '../database/schema.ts'
import type { Author } from './account.ts'
import type { LoggedColumn, TaskColumn, Values } from './item-kind.ts'
import { fieldsOf, findChanges, findValues, valuesBefore } from './later-changes.ts'
import { findNoteHistory } from './note-history.ts'
import { findTask } from './stored-tasks.ts'
import { countFitting } from './task-page.ts'
import { loggedColumns, priorityOf, toInstantOrNull } from './task-row.ts'

/** The maximum number of changes in one response. */
const pageSize = 50

type Entry = History['changes'][number]

/** Returns the changes of an item before change number `behind`, newest first; undefined if the owner has no such item. */
export async function findHistory(
  db: Db,
  author: Author,
  item: string,
  behind: number | undefined,
): Promise<History | undefined> {
  const { userId, device } = author
  const row = await findTask(db, userId, item)
  if (!row) return await findNoteHistory(db, author, item, behind)
  const found = await findChanges(db, userId, row)
  // Changes made after the task was read do not lead to its values, nor do those from before its old values were removed.
  const known = found.filter(({ seq }) => seq <= row.version)
  const end = known.findIndex(({ kind }) => kind !== 'task')
  const all = end < 0 ? known : known.slice(0, end)
  const from = behind === undefined ? 0 : all.findIndex(({ seq }) => seq < behind)
  const next = from < 0 ? [] : all.slice(from, from + pageSize)
  // The response contains each old value twice: before one change and after an earlier one.
  const page = next.slice(0, next.length && countFitting(next.map(({ bytes }) => 2 * (bytes ?? 0))))
  const old = await findValues(
    db,
    userId,
    page.map(({ seq }) => seq),
  )
  const values = await valuesBefore(db, userId, row, from < 0 ? [] : all.slice(0, from), loggedColumns)
  const changes = page.map((change): Entry => {
    const before = old.get(change.seq) ?? null
    const changed = (fieldsOf(change.fields) as TaskColumn[]).map((field) => [
      names[field],
      { before: before ? format(field, before) : null, after: format(field, values) },
    ])
    Object.assign(values, before)
    return {
      seq: change.seq,
      at: new Date(change.at).toISOString(),
      own: change.device === device,
      ...(change.undoes !== null && { undoes: change.undoes }),
      changed: Object.fromEntries(changed),
    }
  })
  const last = page.at(-1)
  const hasMore = last !== undefined && from + page.length < all.length
  return { changes, ...(hasMore && { nextCursor: String(last.seq) }) }
}

const names = {
  title: 'title',
  body: 'body',
  due_date: 'dueDate',
  priority: 'priority',
  done_at: 'doneAt',
  deleted_at: 'deletedAt',
} as const satisfies Record<TaskColumn, string>

function format(field: LoggedColumn, values: Values): string | null {
  const value = values[field]
  if (value === undefined || value === null) return null
  if (field === 'priority') return priorityOf(Number(value))
  return field === 'done_at' || field === 'deleted_at' ? toInstantOrNull(Number(value)) : String(value)
}

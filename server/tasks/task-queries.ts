import { sql } from 'kysely'
import { type List, nullWhenListed } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import { countFitting, endPage, shortBody } from '../changes/task-page.ts'
import { rankOf, storedBytes, type TaskRow, toTask } from '../changes/task-row.ts'
import type { Db } from '../database/schema.ts'
import type { Position } from './cursor.ts'

/** The column of each field that a list names. */
const columnOf = {
  _id: 'id',
  dueDate: 'due_date',
  priority: 'priority',
  createdAt: 'created_at',
  doneAt: 'done_at',
  deletedAt: 'deleted_at',
} as const

/**
 * Returns the owner's next tasks of the list after the position `after`, at most `limit` and one page in bytes, and the
 * position to continue from if there are more. `today` is the caller's day, `YYYY-MM-DD`.
 */
export async function findTasks(
  db: Db,
  owner: string,
  list: List,
  { today, limit, after }: { today: string; limit: number; after?: Position | undefined },
): Promise<{ tasks: Task[]; next: Position | undefined }> {
  const query = selectListed(db, owner, list, today, after)
  const found = await query
    .select([...shortColumns, bodyIfShort])
    .limit(limit + 1)
    .execute()
  const tasks = found.slice(0, limit)
  const page = endPage((tasks.every(isWhole) ? tasks : await findLong(query, limit)).map(toListed))
  const last = page.at(-1)
  return { tasks: page, next: last && found.length > page.length ? positionOf(list, last) : undefined }
}

const shortColumns = ['id', 'version', 'title', 'due_date', 'priority', 'created_at'] as const

type ListedRow = Pick<TaskRow, (typeof shortColumns)[number] | 'body'>

/** The columns that are null in every listed task are not read. */
const toListed = (row: ListedRow): Task => toTask({ ...row, done_at: null, deleted_at: null })

const bodyIfShort = sql<
  string | null
>`case when octet_length(body) <= ${sql.lit(shortBody)} then body end`.as('body')

const isWhole = <Found extends { body: string | null }>(row: Found): row is Found & { body: string } =>
  row.body !== null

/** Both engines know the length of a text without reading it, so this reads no more than one page. */
async function findLong(query: ReturnType<typeof selectListed>, limit: number): Promise<ListedRow[]> {
  const sizes = await query.select(storedBytes.as('bytes')).limit(limit).execute()
  const count = countFitting(sizes.map(({ bytes }) => bytes))
  return await query
    .select([...shortColumns, 'body'])
    .limit(count)
    .execute()
}

function selectListed(
  db: Db,
  owner: string,
  { where, order, direction }: List,
  today: string,
  after: Position | undefined,
) {
  const columns = order.map((field) => columnOf[field])
  const [sort, isBehind] = direction === 'ascending' ? (['asc', '>'] as const) : (['desc', '<'] as const)
  let query = db.selectFrom('tasks').where('user_id', '=', owner)
  for (const field of nullWhenListed) query = query.where(columnOf[field], 'is', null)
  for (const [field, operator, value] of where) {
    query =
      field === 'priority'
        ? query.where('priority', operator, rankOf(value))
        : query.where('due_date', operator, today)
  }
  if (after) {
    const position = sql.join(columns.map((column) => sql.ref(column)))
    query = query.where(sql<boolean>`(${position}) ${sql.raw(isBehind)} (${sql.join(after)})`)
  }
  for (const column of columns) query = query.orderBy(column, sort)
  return query
}

const positionOf = ({ order }: List, task: Task): Position =>
  order.map((field) => {
    if (field === 'priority') return rankOf(task.priority)
    return field === 'createdAt' ? Date.parse(task.createdAt) : task[field]
  })

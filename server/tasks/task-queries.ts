import { type SelectQueryBuilder, sql } from 'kysely'
import type { List } from '#contract/lists.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import { toStored } from '../changes/field-values.ts'
import { fitting, fittingTexts, shortTexts } from '../changes/fitting-rows.ts'
import { compiledQuery } from '../database/compiled-query.ts'
import type { Db, Schema } from '../database/schema.ts'
import type { Position } from '../http/cursor.ts'
import { taskJson } from './task-json.ts'
import { taskKind } from './task-kind.ts'

/** The column of each field that a list names, and its type in a position. */
const listFields = {
  _id: ['id', 'id'],
  dueDate: [taskFields.dueDate.column, 'day'],
  dueTime: [taskFields.dueTime.column, 'time'],
  priority: [taskFields.priority.column, 'small'],
  placeInFile: [taskFields.placeInFile.column, 'number'],
  createdAt: ['created_at', 'instant'],
  doneAt: [taskFields.doneAt.column, 'instant'],
  deletedAt: [taskFields.deletedAt.column, 'instant'],
} as const

/** The values of a position in a list. */
export const partsOf = ({ order }: List) => order.map((field) => listFields[field][1])

/** `today` is the caller's day, `YYYY-MM-DD`; the page begins after the position `after`. */
type Wanted = { today: string; limit: number; after?: Position | undefined }

export type Page = {
  /** The tasks, each as JSON. */
  tasks: string[]
  /** The position to continue from if there are more. */
  next: Position | undefined
  /** The cursor of the newest change that the page shows; undefined if it was read from several states of the database. */
  newest: string | undefined
}

/** Returns the query of a list. It finds the owner's next tasks, at most `limit`, and at most one page in bytes. */
export function listQuery(list: List) {
  const [fromStart, fromPosition] = [statementsOf(list, false), statementsOf(list, true)]

  return async (db: Db, owner: string, { today, limit, after }: Wanted): Promise<Page> => {
    // The day may have changed since the position was returned, so that the list begins behind it.
    const isBefore = startOf(list) !== undefined && String(after?.[0]) <= today
    const statements = after && !isBefore ? fromPosition : fromStart
    // The values of a position are named by their indexes. They come first, so that they replace no other value.
    const values = { ...after, owner, today }
    const found = await read(db, statements.shortTasks, { ...values, limit: limit + 1 })
    const shown = found.tasks.slice(0, limit)
    const whole = shown.includes(long) ? await readLong(db, statements, { ...values, limit }) : found
    const tasks = fittingTexts(whole.tasks.slice(0, limit))
    const last = tasks.at(-1)
    return {
      tasks,
      next: last && found.tasks.length > tasks.length ? positionOf(list, JSON.parse(last)) : undefined,
      newest: whole.newest === found.newest ? found.newest : undefined,
    }
  }
}

type Values = { owner: string; today: string; limit: number; [index: number]: string | number }
type Statement = ReturnType<typeof compiledQuery<Values, Lines>>
type Statements = ReturnType<typeof statementsOf>

/** The statements of a list, from its start or from a position. */
function statementsOf(list: List, isContinued: boolean) {
  const select = (db: Db, value: Values) => selectListed(db, list, value, isContinued)
  return {
    shortTasks: compiledQuery((db, value: Values) =>
      inLines(db, value.owner, select(db, value).select(jsonIfShort(db, list).as('task'))),
    ),
    tasks: compiledQuery((db, value: Values) =>
      inLines(db, value.owner, select(db, value).select(taskJson(db, list).as('task'))),
    ),
    sizes: compiledQuery((db, value: Values) => select(db, value).select(taskKind.storedBytes.as('bytes'))),
  }
}

/** Stands for a task with long texts. Both engines know the length of a text without reading it. */
const long = ''
const jsonIfShort = (db: Db, list: List) =>
  sql<string>`case when ${taskKind.storedBytes} <= ${sql.lit(shortTexts)} then ${taskJson(db, list)} else ${sql.lit(long)} end`

/** JSON contains no line break, so that a line is a task. */
const lineBreak = '\n'

type Lines = { lines: string | null; newest: string }

/**
 * All tasks in one row, which costs less than a row for each. The newest change is read in the same statement, because
 * another one may be answered by a replica that is behind.
 */
const inLines = (db: Db, owner: string, tasks: SelectQueryBuilder<Schema, 'tasks', { task: string }>) =>
  db
    .selectFrom(tasks.as('listed'))
    .select([
      sql<string | null>`string_agg(task, ${sql.lit(lineBreak)})`.as('lines'),
      sql<string>`${db.selectFrom('users').select(cursor).where('id', '=', owner)}`.as('newest'),
    ])

/** `cursorOf` in SQL. */
const cursor = sql<string>`cast(seq as text) || '.' || cast(head as text)`.as('cursor')

async function read(db: Db, statement: Statement, values: Values) {
  const [row] = (await statement(db, values)).rows
  return { tasks: row?.lines?.split(lineBreak) ?? [], newest: row?.newest }
}

/** Reads no more than one page. */
async function readLong(db: Db, { sizes, tasks }: Statements, values: Values) {
  const { rows } = await sizes(db, values)
  return await read(db, tasks, { ...values, limit: fitting(rows).length })
}

/**
 * The condition of a list that begins after today. Behind a position it is left out: of two bounds on one side of a column, an engine
 * may take the wider one and read all tasks up to the other.
 */
const startOf = ({ where }: List) => where.find(([, operator]) => operator === '>')

function selectListed(db: Db, list: List, value: Values, isContinued: boolean) {
  const { isNull, isSet, order, direction } = list
  const where = list.where.filter((each) => !isContinued || each !== startOf(list))
  const columns = order.map((field) => listFields[field][0])
  const [sort, isBehind] = direction === 'ascending' ? (['asc', '>'] as const) : (['desc', '<'] as const)
  let query = db.selectFrom('tasks').where('user_id', '=', value.owner)
  for (const field of isNull) query = query.where(listFields[field][0], 'is', null)
  for (const field of isSet) query = query.where(listFields[field][0], 'is not', null)
  for (const [field, operator, constant] of where) {
    query =
      field === 'priority'
        ? query.where('priority', operator, toStored(taskFields.priority, constant) as number)
        : query.where('due_date', operator, constant === 'today' ? value.today : sql.lit(constant))
  }
  if (isContinued) {
    const position = sql.join(columns.map((column) => sql.ref(column)))
    const after = sql.join(columns.map((_, index) => value[index]))
    query = query.where(sql<boolean>`(${position}) ${sql.raw(isBehind)} (${after})`)
  }
  for (const column of columns) query = query.orderBy(column, sort)
  return query.limit(sql<number>`${value.limit}`)
}

const positionOf = ({ order }: List, task: Task): Position =>
  order.map((field) => {
    if (field === 'priority') return toStored(taskFields.priority, task.priority) as number
    if (field === '_id' || field === 'placeInFile') return task[field]
    if (field === 'dueDate' || field === 'dueTime') return String(toStored(taskFields[field], task[field]))
    return Date.parse(String(task[field]))
  })

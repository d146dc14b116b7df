import { sql } from 'kysely'
import type { List } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import { compiledQuery } from '../database/compiled-query.ts'
import type { Db } from '../database/schema.ts'
import type { Position } from './cursor.ts'
import { taskJson } from './task-json.ts'
import { countFitting, endPage, shortBody } from './task-page.ts'
import { rankOf, storedBytes } from './task-row.ts'

/** The column of each field that a list names. */
const columnOf = { _id: 'id', dueDate: 'due_date', priority: 'priority' } as const

/** `today` is the caller's day, `YYYY-MM-DD`; the page begins after the position `after`. */
type Wanted = { today: string; limit: number; after?: Position | undefined }

export type Page = {
  /** The tasks, each as JSON. */
  tasks: string[]
  /** The position to continue from if there are more. */
  next: Position | undefined
  /** The version of the owner's tasks that the page shows; undefined if it shows none or was read from several. */
  version: string | undefined
}

/** Returns the query of a list: the owner's next tasks, at most `limit` and one page in bytes. */
export function listQuery(list: List) {
  const [fromStart, fromPosition] = [statementsOf(list, false), statementsOf(list, true)]

  return async (db: Db, owner: string, { today, limit, after }: Wanted): Promise<Page> => {
    const statements = after ? fromPosition : fromStart
    // The values of a position are named by their indexes.
    const values = { owner, today, ...after }
    const { rows } = await statements.shortTasks(db, { ...values, limit: limit + 1 })
    const found = rows.slice(0, limit)
    const whole = found.every(isWhole) ? found : await findLong(db, statements, { ...values, limit })
    const tasks = endPage(whole.map(({ task }) => task))
    const last = tasks.at(-1)
    return {
      tasks,
      next: last && rows.length > tasks.length ? positionOf(list, JSON.parse(last)) : undefined,
      version: rows[0]?.version === whole[0]?.version ? rows[0]?.version : undefined,
    }
  }
}

type Values = { owner: string; today: string; limit: number; [index: number]: string | number }

/** The statements of a list, from its start or from a position. */
function statementsOf(list: List, isContinued: boolean) {
  const listed = (db: Db, value: Values) => selectListed(db, list, value, isContinued)
  return {
    shortTasks: compiledQuery((db, value: Values) =>
      listed(db, value).select([taskIfShort(db).as('task'), versionOf(db, value.owner).as('version')]),
    ),
    sizes: compiledQuery((db, value: Values) => listed(db, value).select(storedBytes.as('bytes'))),
    tasks: compiledQuery((db, value: Values) =>
      listed(db, value).select([taskJson(db).as('task'), versionOf(db, value.owner).as('version')]),
    ),
  }
}

/** Part of the statement that reads the tasks, because a second statement may be answered by a replica that is behind. */
const versionOf = (db: Db, owner: string) =>
  sql<string>`(${db.selectFrom('users').select('tasks_version').where('id', '=', owner)})`

/** Both engines know the length of a text without reading it. */
const taskIfShort = (db: Db) =>
  sql<string | null>`case when octet_length(body) <= ${sql.lit(shortBody)} then ${taskJson(db)} end`

const isWhole = <Row extends { task: string | null }>(row: Row): row is Row & { task: string } =>
  row.task !== null

/** Reads no more than one page. */
async function findLong(db: Db, statements: ReturnType<typeof statementsOf>, values: Values) {
  const sizes = await statements.sizes(db, values)
  const limit = countFitting(sizes.rows.map(({ bytes }) => bytes))
  return (await statements.tasks(db, { ...values, limit })).rows
}

function selectListed(db: Db, { where, order, direction }: List, value: Values, isContinued: boolean) {
  const columns = order.map((field) => columnOf[field])
  const [sort, isBehind] = direction === 'ascending' ? (['asc', '>'] as const) : (['desc', '<'] as const)
  let query = db.selectFrom('tasks').where('user_id', '=', value.owner)
  for (const [field, operator, constant] of where) {
    query =
      field === 'priority'
        ? query.where('priority', operator, rankOf(constant))
        : query.where('due_date', operator, value.today)
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
  order.map((field) => (field === 'priority' ? rankOf(task.priority) : task[field]))

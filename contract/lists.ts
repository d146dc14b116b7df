/**
 * The server derives its SQL from these values; the page derives the position of a changed task. A new list needs one
 * entry here and one in `web/views/`.
 */

/** The sort order of tasks that are due on the same day. */
export const priorities = ['high', 'medium', 'low'] as const

export const defaultPriority = 'medium'

/** What stands for null in the lists and in the database, so that every day and time can be compared with it. */
export const noDay = '9999-12-31'
export const noTime = '24:00'

type Listed = {
  _id: string
  dueDate: string | null
  dueTime: string | null
  priority: (typeof priorities)[number]
  /** Missing in a task that an earlier version has stored in the browser. */
  placeInFile?: number
  createdAt: string
  doneAt: string | null
  deletedAt: string | null
}

/** A comparison of a task's field with a constant or with the caller's current day (`today`). */
type Condition =
  | readonly ['dueDate', '<=' | '>', 'today']
  | readonly ['dueDate', '=' | '<', typeof noDay]
  | readonly ['priority', '=', (typeof priorities)[number]]

type Instant = 'doneAt' | 'deletedAt'

/**
 * A list contains the tasks whose `isNull` fields are null, whose `isSet` fields are not, and that meet every condition.
 * The last field of `order` must be unique.
 */
export type List = {
  endpoint: `GET /list/${string}`
  isNull: readonly Instant[]
  isSet: readonly Instant[]
  where: readonly Condition[]
  order: readonly ('_id' | 'dueDate' | 'dueTime' | 'priority' | 'placeInFile' | 'createdAt' | Instant)[]
  direction: 'ascending' | 'descending'
}

const open = { isNull: ['doneAt', 'deletedAt'], isSet: [] } as const
const done = { isNull: ['deletedAt'], isSet: ['doneAt'] } as const

/**
 * Earliest due date first, and within a day earliest time first. Tasks that are equal in this are in the order in which they were added,
 * because their ids begin with the time, and then those of an import, whose ids are hashes, in the order of their file.
 */
const bySoonest = { order: ['dueDate', 'dueTime', 'placeInFile', '_id'], direction: 'ascending' } as const

/** As `bySoonest`, and high priorities before low ones at the same time. */
const byDay = {
  order: ['dueDate', 'dueTime', 'priority', 'placeInFile', '_id'],
  direction: 'ascending',
} as const

const byCreation = { order: ['createdAt', '_id'], direction: 'descending' } as const

const ofPriority = <const P extends (typeof priorities)[number]>(priority: P) =>
  ({ ...open, where: [['priority', '=', priority]], ...bySoonest }) as const

/** The endpoints of the first five lists are those of specification section 7, which contain open tasks only. */
export const lists = {
  today: {
    endpoint: 'GET /list/getTodayTasks',
    ...open,
    where: [['dueDate', '<=', 'today']],
    ...byDay,
  },
  latest: { endpoint: 'GET /list/getLatestTasks', ...open, where: [], ...byCreation },
  high: { endpoint: 'GET /list/getHighPriorityTasks', ...ofPriority('high') },
  medium: { endpoint: 'GET /list/getMediumPriorityTasks', ...ofPriority('medium') },
  low: { endpoint: 'GET /list/getLowPriorityTasks', ...ofPriority('low') },
  upcoming: {
    endpoint: 'GET /list/getUpcomingTasks',
    ...open,
    where: [
      ['dueDate', '>', 'today'],
      ['dueDate', '<', noDay],
    ],
    ...byDay,
  },
  someday: {
    endpoint: 'GET /list/getSomedayTasks',
    ...open,
    where: [['dueDate', '=', noDay]],
    ...byCreation,
  },
  done: {
    endpoint: 'GET /list/getDoneTasks',
    ...done,
    where: [],
    order: ['doneAt', '_id'],
    direction: 'descending',
  },
  deleted: {
    endpoint: 'GET /list/getDeletedTasks',
    isNull: [],
    isSet: ['deletedAt'],
    where: [],
    order: ['deletedAt', '_id'],
    direction: 'descending',
  },
} as const satisfies Record<string, List>

export type ListName = keyof typeof lists

export const listNames = Object.keys(lists) as ListName[]

export const dependsOnToday = ({ where }: List): boolean => where.some(([, , value]) => value === 'today')

export function isListed({ isNull, isSet, where }: List, task: Listed, today: string): boolean {
  if (isNull.some((field) => task[field] !== null) || isSet.some((field) => task[field] === null))
    return false
  return where.every(([field, operator, value]) => {
    const actual = field === 'dueDate' ? (task.dueDate ?? noDay) : task[field]
    const expected = value === 'today' ? today : value
    if (operator === '=') return actual === expected
    if (operator === '>') return actual > expected
    return actual < expected || (operator === '<=' && actual === expected)
  })
}

/** A comparison function for the list's order: negative if `one` comes before `other`, positive if after. */
export function compareInList(
  { order, direction }: Pick<List, 'order' | 'direction'>,
  one: Listed,
  other: Listed,
): number {
  for (const field of order) {
    const [ours, theirs] = [sortKey(field, one), sortKey(field, other)]
    if (ours !== theirs) return ours < theirs === (direction === 'ascending') ? -1 : 1
  }
  return 0
}

const blank = { dueDate: noDay, dueTime: noTime, placeInFile: 0, doneAt: '', deletedAt: '' }

function sortKey(field: List['order'][number], task: Listed) {
  if (field === 'priority') return priorities.indexOf(task.priority)
  return task[field] ?? blank[field as keyof typeof blank]
}

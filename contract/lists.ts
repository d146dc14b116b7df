/**
 * The lists of tasks, each a value: the server derives its SQL from it, the page where a changed task belongs. A new
 * list is one entry here and one in `web/views/`. No imports, so that the page may load this file at run time.
 */

/** In the order in which lists put the tasks of one day. */
export const priorities = ['high', 'medium', 'low'] as const

/** What a list looks at in a task. */
type Listed = {
  _id: string
  dueDate: string
  priority: (typeof priorities)[number]
}

/** A field of a task, compared with a constant or with the caller's day (`today`). */
type Condition =
  | readonly ['dueDate', '<=' | '>', 'today']
  | readonly ['priority', '=', (typeof priorities)[number]]

/** The tasks that meet every condition, ordered by the fields named, the last of which is unique. */
export type List = {
  endpoint: `GET /list/${string}`
  where: readonly Condition[]
  order: readonly (keyof Listed)[]
  direction: 'ascending' | 'descending'
}

/** Soonest due first, then in the order of creation: an id begins with the instant it was made at. */
const bySoonest = { order: ['dueDate', '_id'], direction: 'ascending' } as const

/** The calls of the first five are those of specification section 7. */
export const lists = {
  today: {
    endpoint: 'GET /list/getTodayTasks',
    where: [['dueDate', '<=', 'today']],
    order: ['dueDate', 'priority', '_id'],
    direction: 'ascending',
  },
  latest: { endpoint: 'GET /list/getLatestTasks', where: [], order: ['_id'], direction: 'descending' },
  high: { endpoint: 'GET /list/getHighPriorityTasks', where: [['priority', '=', 'high']], ...bySoonest },
  medium: {
    endpoint: 'GET /list/getMediumPriorityTasks',
    where: [['priority', '=', 'medium']],
    ...bySoonest,
  },
  low: { endpoint: 'GET /list/getLowPriorityTasks', where: [['priority', '=', 'low']], ...bySoonest },
  upcoming: {
    endpoint: 'GET /list/getUpcomingTasks',
    where: [['dueDate', '>', 'today']],
    order: ['dueDate', 'priority', '_id'],
    direction: 'ascending',
  },
} as const satisfies Record<string, List>

export type ListName = keyof typeof lists

export const listNames = Object.keys(lists) as ListName[]

/** Whether the list changes at midnight without any task changing. */
export const dependsOnToday = ({ where }: List): boolean => where.some(([, , value]) => value === 'today')

/** Whether the task is in the list on the caller's day `today`, `YYYY-MM-DD`. */
export function isListed({ where }: List, task: Listed, today: string): boolean {
  return where.every(([field, operator, value]) => {
    const expected = value === 'today' ? today : value
    if (operator === '=') return task[field] === expected
    return operator === '<=' ? task[field] <= expected : task[field] > expected
  })
}

/** Negative where the list has `one` before `other`, positive where after it. */
export function compareInList({ order, direction }: List, one: Listed, other: Listed): number {
  for (const field of order) {
    const [ours, theirs] = [sortKey(field, one), sortKey(field, other)]
    if (ours !== theirs) return ours < theirs === (direction === 'ascending') ? -1 : 1
  }
  return 0
}

const sortKey = (field: keyof Listed, task: Listed) =>
  field === 'priority' ? priorities.indexOf(task.priority) : task[field]

import { checkLinesIn } from './check-lines.ts'
import { labelledValues } from './fields.ts'
import { hashedId } from './hashed-id.ts'
import { lastingReminders } from './reminder-times.ts'
import { daysBetween, firstDay, isOnGrid, isTooSparse, nextDay } from './repeat-days.ts'
import { datesTo, formatRule, parseRule, type RepeatRule } from './repeat-rules.ts'
import { taskFields } from './task-fields.ts'
import type { Task } from './tasks.ts'

export type Repeat = {
  dueDate: string | null
  repeat: string | null
  repeatFrom: 'due' | 'done'
  /** The day of this occurrence on the grid of the rule, wherever its due date was moved. */
  repeatDay: string | null
}

const ruleOf = (repeat: string | null) => (repeat === null ? undefined : parseRule(repeat))

/**
 * Returns the next occurrence of a task that is completed on `day`, or undefined if this is the last one. From the due day, it is the
 * first one after both that day and its own. From the completion, the interval counts from `day`.
 */
export function nextRepeat(task: Repeat, day: string): Repeat | undefined {
  const [rule, start] = [ruleOf(task.repeat), task.repeatDay]
  if (!rule || start === null) return undefined
  if (task.repeatFrom === 'done') return repeatOn(task, rule, nextDay(clamped(rule, day), day, day), () => 1)
  const next = nextDay(rule, start, day > start ? day : start)
  return repeatOn(task, rule, next, () => daysBetween(rule, start, start, next ?? start))
}

/** Returns the next occurrence after its own, where a skipped task goes, or undefined if there is none. */
export const skippedRepeat = (task: Repeat): Repeat | undefined =>
  task.repeatDay === null ? undefined : nextRepeat(task, task.repeatDay)

/**
 * Returns the days of a task's grid after both its own day and `after`, up to `last`, as far as its rule goes. A task that counts from
 * its completion has none, because they depend on that day.
 */
export function laterDays(task: Repeat, after: string, last: string): string[] {
  const [rule, start] = [ruleOf(task.repeat), task.repeatDay]
  if (!rule || start === null || task.repeatFrom === 'done' || start > last) return []
  const from = start > after ? start : after
  let left = rule.count === undefined ? Number.POSITIVE_INFINITY : rule.count - 1
  if (rule.count !== undefined) left -= daysBetween(rule, start, start, from)
  const days: string[] = []
  let day = nextDay(rule, start, from)
  for (; day !== undefined && day <= last && left > 0; left--) {
    days.push(day)
    day = nextDay(rule, start, day)
  }
  return days
}

/** Returns the days after today and up to `last` on which an open task comes again if it is completed in time. */
export const comingDays = (task: Repeat, today: string, last: string): string[] =>
  laterDays(task, today, last).filter((day) => day !== task.dueDate)

/** Returns the task on another day of its grid, which uses up so many occurrences. */
function repeatOn(
  task: Repeat,
  rule: RepeatRule,
  day: string | undefined,
  used: () => number,
): Repeat | undefined {
  if (day === undefined) return undefined
  if (rule.count === undefined) return { ...task, dueDate: day, repeatDay: day }
  const count = rule.count - used()
  return count < 1
    ? undefined
    : { ...task, dueDate: day, repeatDay: day, repeat: formatRule({ ...rule, count }) }
}

/** Nobody chooses the day of a completion, so a month after 31 January is then the last day of February. */
function clamped(rule: RepeatRule, day: string): RepeatRule {
  const date = Number(day.slice(8))
  const isLong = rule.freq === 'MONTHLY' || rule.freq === 'YEARLY'
  if (!isLong || rule.byDay.length + rule.byMonthDay.length > 0 || date <= 28) return rule
  const byMonth =
    rule.freq === 'YEARLY' && rule.byMonth.length === 0 ? [Number(day.slice(5, 7))] : rule.byMonth
  return { ...rule, byMonth, byMonthDay: datesTo(date), bySetPos: -1 }
}

/**
 * Returns the day on the grid that a new or changed rule gives its task: the first one on or after the due date. Returns undefined if
 * the rule never occurs then, or takes too many steps.
 */
export function firstRepeatDay(repeat: string, dueDate: string): string | undefined {
  const rule = parseRule(repeat)
  const first = rule && firstDay(rule, dueDate)
  return first !== undefined && !isTooSparse(rule as RepeatRule, first) ? first : undefined
}

/**
 * Returns the rule of a task that is moved to another day of its grid, with the occurrences that are left there. Returns undefined if
 * the day is not on the grid, or none is left.
 */
export function repeatMovedTo(task: Repeat, day: string): string | undefined {
  const [rule, start] = [ruleOf(task.repeat), task.repeatDay]
  if (!rule || start === null || !isOnGrid(rule, start, day)) return undefined
  const used = () =>
    day < start ? -daysBetween(rule, start, day, start) : daysBetween(rule, start, start, day)
  return repeatOn(task, rule, day, used)?.repeat ?? undefined
}

/** Whether a change gives the rule of a task only another end, which its occurrence is not after, or another spelling. */
function isSameGrid(before: Repeat, { repeat, dueDate }: Repeat): boolean {
  const [old, rule] = [before.repeat, repeat].map(ruleOf)
  if (!old || !rule || before.repeatDay === null || dueDate !== before.dueDate) return false
  const isOver = rule.until !== undefined && rule.until < before.repeatDay
  return !isOver && withoutEnd(old) === withoutEnd(rule)
}

const withoutEnd = ({ count: _, until: __, ...rule }: RepeatRule) => formatRule(rule)

/**
 * Returns the rule and the day that a change gives a task: a new or changed rule begins on its first day, but another end moves no day.
 * Another day on the grid sets how many occurrences are left. Returns undefined if that day is not on the grid.
 */
export function derivedRepeat(
  after: Repeat,
  before: Repeat | undefined,
): Pick<Repeat, 'repeat' | 'repeatDay'> | 'never-occurs' | undefined {
  const { repeat, dueDate, repeatDay } = after
  if (repeat === null || dueDate === null) return { repeat, repeatDay: null }
  if (repeat !== before?.repeat) {
    if (before && isSameGrid(before, after)) return { repeat, repeatDay: before.repeatDay }
    const first = firstRepeatDay(repeat, dueDate)
    return first === undefined ? 'never-occurs' : { repeat, repeatDay: first }
  }
  if (repeatDay === before.repeatDay) return { repeat, repeatDay }
  const left = repeatDay === null ? undefined : repeatMovedTo(before, repeatDay)
  return left === undefined ? undefined : { repeat: left, repeatDay }
}

type NamedDay = { done?: unknown; dueDate?: unknown; repeatDay?: unknown }

/**
 * Returns a change of a task as far as it fits the task now. A completion names the occurrence that was completed. If another device has
 * skipped it since, the task goes back to its day; if the rule has another grid since, the task stays. A task that is done is not skipped.
 */
export function fittingSet<Set extends NamedDay>(set: Set, task: Repeat & { isDone: boolean }): Set {
  if (typeof set.repeatDay !== 'string' || !(task.isDone ? set.done !== false : set.done)) return set
  const { dueDate, repeatDay, ...others } = set
  if (task.isDone) return others as Set
  if (repeatDay === task.repeatDay || repeatMovedTo(task, repeatDay) === undefined)
    return { ...others, ...(dueDate !== undefined && { dueDate }) } as Set
  return { ...set, dueDate: repeatDay }
}

type Lasting = Omit<Task, '_id' | 'version' | 'createdAt' | 'doneAt' | 'deletedAt'>

/** Returns the next task of one that is completed on `day`, or undefined if that is the last one. Every field that a form has goes on. */
export function nextTask(task: Lasting, day: string): Lasting | undefined {
  const next = nextRepeat(task, day)
  if (!next) return undefined
  const { body, reminders, series, placeInFile } = task
  return {
    ...labelledValues(taskFields, { ...task, ...next }),
    ...{ body: withOpenBoxes(body), reminders: lastingReminders(reminders) },
    ...{ series, placeInFile, repeatDay: next.repeatDay },
  } as Lasting
}

/** The body of the next occurrence: all its boxes are open. */
export function withOpenBoxes(body: string): string {
  const ticks = [...checkLinesIn(body)].flatMap(({ tick, checked }) => (checked ? [tick] : []))
  return [-1, ...ticks].map((tick, index) => body.slice(tick + 1, ticks[index])).join(' ')
}

/** The id of the occurrence that follows the completed one: the same on every device, so that two that complete it make one. */
export const nextId = (series: string, completed: string): string => hashedId(`${series} ${completed}`)

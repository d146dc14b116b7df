import {
  firstRepeatDay,
  nextId,
  nextRepeat,
  type Repeat,
  repeatMovedTo,
  withOpenBoxes,
} from '#contract/repeats.ts'
import { taskFields } from '#contract/task-fields.ts'
import { type ItemRow, toJson, type Values } from '../changes/field-values.ts'
import { type ItemSet, jsonOf, type Reject } from '../changes/item-kind.ts'

const repeatOf = (row: Values) =>
  ({
    dueDate: toJson(taskFields.dueDate, row.due_date),
    repeat: toJson(taskFields.repeat, row.repeat),
    repeatFrom: toJson(taskFields.repeatFrom, row.repeat_from),
    repeatDay: toJson(taskFields.repeatDay, row.repeat_day),
  }) as Repeat

/**
 * Gives a new or changed rule its first day and its series. A day on the grid that a change gives, as a skip does, sets how many
 * occurrences are left; another day is a conflict, because the rule has changed since.
 */
export function deriveRepeat(
  values: Values,
  before: ItemRow | undefined,
  reject: Reject,
): Values | undefined {
  const row = { ...before, ...values }
  const after = repeatOf(row)
  if (after.repeat === null || after.dueDate === null) return { ...values, repeat_day: null }
  const stored = before && repeatOf(before)
  if (after.repeat !== stored?.repeat) {
    const repeatDay = firstRepeatDay(after.repeat, after.dueDate)
    if (repeatDay === undefined)
      throw reject('repeat', 'never-occurs', 'must have a day within 1,000 steps from the due date')
    return { ...values, repeat_day: repeatDay, series: row.series ?? row.id ?? null }
  }
  if (after.repeatDay === stored.repeatDay) return values
  const repeat = after.repeatDay === null ? undefined : repeatMovedTo(stored, after.repeatDay)
  return repeat === undefined ? undefined : { ...values, repeat }
}

/** The next occurrence of a completed repeat. */
export const successor = {
  idOf: ({ id, series }: ItemRow) => (series === null ? undefined : nextId(String(series), id)),

  isDue: (before: Values | undefined, row: Values) =>
    row.done_at !== null &&
    row.deleted_at === null &&
    row.repeat !== null &&
    (before?.done_at ?? null) === null,

  make(row: ItemRow, day: string): ItemSet | undefined {
    const next = nextRepeat(repeatOf(row), day)
    if (!next) return undefined
    const { title, body, priority, dueTime } = jsonOf(taskFields, row)
    const goesOn = { title, body: withOpenBoxes(String(body)), priority, dueTime }
    return { ...goesOn, ...next, series: row.series } as ItemSet
  },
}

import { derivedRepeat, fittingSet, nextId, nextTask, type Repeat } from '#contract/repeats.ts'
import { taskFields } from '#contract/task-fields.ts'
import { type ItemRow, toJson, type Values } from '../changes/field-values.ts'
import { type ItemSet, jsonOf, type Reject } from '../changes/item-kind.ts'

export const repeatOf = (row: Values) =>
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
  const derived = derivedRepeat(repeatOf(row), before && repeatOf(before))
  if (derived === 'never-occurs')
    throw reject('repeat', 'never-occurs', 'must have a day within 1,000 steps from the due date')
  if (!derived) return undefined
  const { repeat, repeatDay } = derived
  const series = repeat === null ? undefined : (row.series ?? row.id)
  return { ...values, repeat, repeat_day: repeatDay, ...(series !== undefined && { series }) }
}

export const fittingRepeat = (set: ItemSet, row: ItemRow): ItemSet =>
  fittingSet(set, { ...repeatOf(row), isDone: row.done_at !== null })

export const successor = {
  idOf: ({ id, series }: ItemRow) => (series === null ? undefined : nextId(String(series), id)),

  isMade: ({ id, series }: Values) => series !== null && series !== id,

  isLost: ({ done_at, deleted_at }: Values) => done_at === null && deleted_at !== null,

  isDue: (before: Values | undefined, row: Values) =>
    row.done_at !== null &&
    row.deleted_at === null &&
    row.repeat !== null &&
    (before?.done_at ?? null) === null,

  isReopened: (before: Values, row: Values) => before.done_at !== null && row.done_at === null,

  make: (row: ItemRow, day: string): ItemSet | undefined =>
    nextTask(jsonOf(taskFields, row) as unknown as Parameters<typeof nextTask>[0], day),
}

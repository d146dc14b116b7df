import type { Call } from '#contract/api.ts'
import { defaultsOf, type Field } from '#contract/fields.ts'
import type { KindName } from '#contract/kinds.ts'
import type { NoteSummary } from '#contract/notes.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'

export type StoredTask = Task & { kind: 'task' }
export type StoredNote = NoteSummary & { kind: 'note' }
/** An item as the store has it: with its kind, which answers of the server say beside it. */
export type Item = StoredTask | StoredNote

/** The item with its kind. */
export const ofKind = <Kind extends KindName>(
  kind: Kind,
  item: Omit<Extract<Item, { kind: Kind }>, 'kind'>,
) => ({ ...item, kind }) as Extract<Item, { kind: Kind }>

/** New values of an item's fields, as `POST /changes` takes them. */
export type ItemSet = Call<'POST /changes'>['body']['changes'][number]['set']

/** Values of an item's fields, as it is shown. */
export type Values = Record<string, unknown>
/** Values by item. Of an item that does not exist, null. */
export type ValuesByItem = Record<string, Values | null>

/** Whether these values are a whole item, which a change makes. */
export const isWhole = (values: Values | null | undefined): values is Values & Task =>
  values !== null && values !== undefined && '_id' in values

/** The fields that a change sets by true or false. */
export const instants: Record<string, string> = Object.fromEntries(
  Object.entries<Field>(taskFields).flatMap(([name, { setBy }]) => (setBy ? [[setBy, name]] : [])),
)

/** The values of a task that was given none. Versions are numbered from 1. */
export const freshTask = { ...defaultsOf(taskFields), version: 0 }

/** The values of `item` in the fields in which `other` differs from it. */
export const differences = (item: object, other: object): Values =>
  Object.fromEntries(Object.entries(item).filter(([name, value]) => (other as Values)[name] !== value))

/** Whether the item has these values. Of the times of completion and deletion, only whether there is one counts. */
export const hasValues = (item: object | undefined, values: Values | null): boolean => {
  if (item === undefined || values === null) return item === undefined && values === null
  return Object.entries(values).every(([name, value]) => {
    const own = (item as Values)[name]
    return Object.values(instants).includes(name) ? (own === null) === (value === null) : own === value
  })
}

/**
 * The version that a change of these values is based on. If the version that the server has now has the same values, nothing
 * was changed in between, and it is the base.
 */
export const baseOf = (stored: Item | undefined, values: Values, base: number): number =>
  stored && hasValues(stored, values) ? stored.version : base

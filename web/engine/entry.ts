import type { Call } from '#contract/api.ts'
import { type CheckLine, withChecked } from '#contract/check-lines.ts'
import { defaultsOf, type Field, isOptional, settled, uuidOf } from '#contract/fields.ts'
import type { KindName } from '#contract/kinds.ts'
import { summaryOf } from '#contract/note-summary.ts'
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

/** What a person does to tasks and notes. `verbs/` has what each of them is. */
export type Verb =
  | ('add' | 'edit' | 'complete' | 'reopen' | 'move' | 'skip' | 'stop' | 'prioritise' | 'tag' | 'renameTag')
  | ('removeTag' | 'tick' | 'link' | 'delete' | 'restore' | 'revert' | 'pin' | 'unpin')

/** A line of a note that became a task: its number in the note, and its text without and with the link to the task. */
export type LinkedLine = { note: string; number: number; plain: string; linked: string }

/**
 * What was done: a verb, the day, priority or tag that the item got, the tag that it had before, and the line that became the task. The
 * undo of a change, and entries of earlier builds, have none.
 */
export type Done = {
  verb?: Verb
  to?: string | undefined
  from?: string | undefined
  line?: LinkedLine | undefined
}

/**
 * A change of the fields of an item, or of a line of its body, or the undo of an earlier change. `shows` beside `set`: what the
 * server will derive from the change, by item: the day of a repeat, and its next task.
 */
export type Change = Done & {
  item: string
  kind?: KindName
  /** The title of the item when it was changed: the server may not know the item any more. */
  title?: string
} & (
    | { set: ItemSet; base?: number; shows?: ValuesByItem }
    | { check: CheckLine & { checked: boolean } }
    /**
     * `shows`: the values before that change, by item; of an item that it made, null. `seq`: its number, or with `isGroup` one
     * of its group; `of`: its name, until the number is known.
     */
    | { undo: { seq?: number; of?: string; isGroup?: boolean }; shows: ValuesByItem }
  )

/** A change that a verb makes. */
export type NewChange = Change & { verb: Verb }

/** Why a change was not stored. */
export type Failure = { status: number; reason: string }

/**
 * A way to send an entry alone, by a call whose outcome its caller awaits: a specified call, the restoring of an earlier version of a note,
 * or the removal for good of a deleted item, perhaps with those that were deleted earlier.
 */
export type Way = 'add' | 'edit' | 'delete' | 'version' | 'purge' | 'purgeEarlier'

/** A change that was made on this device and is not confirmed. */
export type Entry = Change & {
  mutation: string
  /** Its place among all entries of the account in this browser. */
  order: number
  /** When it was made, in milliseconds. */
  at: number
  /** The group of the changes that were made and are undone together. */
  group?: string
  /** The values that it replaced. Without them, it creates its item. */
  was: Values | undefined
  /** The typed text, to be edited if it is rejected. */
  typed?: { text: string; dismissed: readonly string[] }
  /** Whether the server does not have its item yet, a note that is not saved: it is sent after that. */
  needsItem?: boolean
  /** How it is sent. Without it, the journal keeps the entry and sends it with others. */
  via?: Way
  /**
   * `new`: the server does not have it. `sent`: the server may have it, and its answer tells. `unknown`: the call of its way got no answer,
   * so the log tells. `failed`: the server has rejected it, and `failure` says why.
   */
  status: 'new' | 'sent' | 'unknown' | 'failed'
  failure?: Failure
}

/** An entry as this build or an earlier one has kept it. Earlier ones have kept `isSent`, and no status. */
export function entryIn<Kept extends Partial<Pick<Entry, 'status' | 'failure'>>>(kept: Kept) {
  const { failure, status = 'isSent' in kept && kept.isSent ? 'sent' : 'new' } = kept
  return { ...kept, status: failure ? 'failed' : status === 'failed' ? 'sent' : status } as const
}

/** The name by which a change is undone. All changes of a group have the name of the group. */
export const nameOf = ({ group, mutation }: Pick<Entry, 'group' | 'mutation'>): string => group ?? mutation

/** What an entry says of its item. Without a title, it is the beginning of a text. Entries of an earlier build have no title. */
export function titleIn(entry: Entry): string {
  const said: Values[] = [
    'set' in entry ? entry.set : {},
    { title: entry.title },
    entry.was ?? {},
    'undo' in entry ? (entry.shows[entry.item] ?? {}) : {},
    'check' in entry ? entry.check : {},
  ]
  const titles = said.map(({ title }) => title)
  const texts = said
    .flatMap(({ body, text }) => [body, text])
    .map((text) => summaryOf(String(text ?? '')).title)
  return String([...titles, ...texts].find(Boolean) ?? '')
}

/**
 * The title of the item of an unsent change. If the item is no longer known, it is what the change says of the item, which may be nothing.
 */
export function titleOf(store: { current(id: string): Item | undefined }, entry: Entry): string {
  const item = store.current(entry.item)
  return item ? item.title || 'Untitled' : titleIn(entry)
}

/** The values of items that a change shows besides those that it sets. */
export const shownBy = (change: Change): ValuesByItem => ('shows' in change && change.shows) || {}

/** The items that an entry changes. */
export const itemsOfEntry = (entry: Change): string[] => [
  ...new Set([entry.item, ...Object.keys(shownBy(entry))]),
]

/** The item with these values. An item that is done or deleted keeps its time. */
function valuesOf(set: ItemSet, item: Item | undefined, at: number): Values {
  const values = Object.entries(set).map(([name, value]) => {
    const field = instants[name]
    if (!field) return [name, value]
    return [field, value ? ((item as Values | undefined)?.[field] ?? new Date(at).toISOString()) : null]
  })
  return Object.fromEntries(values)
}

/** Whether these values make a task. */
const isComplete = (set: ItemSet): boolean =>
  Object.entries<Field>(taskFields).every(([name, field]) => isOptional(field) || name in set)

/** Those of the values that the item has: a change of another kind of items does not belong to it. */
const ownOf = (item: Item, values: Values = {}): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name in item))

/** The item with the change; undefined if there is none. `id`: the item, if it is not the one that the change is made to. */
export function withChange(
  item: Item | undefined,
  change: Change & Partial<Pick<Entry, 'was' | 'status'>> & { at: number },
  id = change.item,
): Item | undefined {
  if (change.status === 'failed') return item
  const shown = shownBy(change)[id]
  if (shown === null) return
  // What another device has made stands.
  if (isWhole(shown)) return item ?? ofKind('task', shown)
  if (!item) {
    if (!('set' in change) || change.was || !isComplete(change.set)) return
    const createdAt = new Date(change.at).toISOString()
    const values = valuesOf(change.set, undefined, change.at)
    const made = { ...freshTask, _id: change.item, createdAt, ...values, ...shown }
    return ofKind('task', settled(taskFields, made) as unknown as Task)
  }
  if ('undo' in change) return { ...item, ...ownOf(item, shown) } as Item
  if ('set' in change) {
    const set = id === change.item ? change.set : {}
    const values = ownOf(item, { ...valuesOf(set, item, change.at), ...shown })
    return settled(taskFields, { ...item, ...values }) as Item
  }
  const { check } = change
  const body = item.kind === 'task' ? withChecked(item.body, check, check.checked) : undefined
  return body === undefined ? item : ({ ...item, body } as Item)
}

/** Whether a change gives a note another text, which the store does not show. */
export const hasText = (change: Change): boolean => 'set' in change && change.set.text !== undefined

/** Whether a change of this item, as it is shown, changes nothing. */
export const isWithoutEffect = (item: Item | undefined, change: Change): boolean =>
  item !== undefined &&
  !hasText(change) &&
  Object.keys(differences(item, withChange(item, { ...change, was: {}, at: 0 }) ?? item)).length === 0

/** A random UUID, version 4. `crypto.randomUUID` exists only on pages that are served over HTTPS or by the own machine. */
export const randomId = (): string => idOf(crypto.getRandomValues(new Uint8Array(16)), 0x40)

/** A UUID of version 7, which begins with the time: lists sort items by their ids, so later ones come after earlier ones. */
export function itemId(now: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  for (let index = 0; index < 6; index++) bytes[index] = Math.floor(now / 256 ** (5 - index)) % 256
  return idOf(bytes, 0x70)
}

function idOf(bytes: Uint8Array, version: number): string {
  bytes.set([((bytes[6] ?? 0) & 0x0f) | version, bytes[7] ?? 0, variantOf(bytes[8])], 6)
  return uuidOf([...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''))
}

const variantOf = (byte = 0) => (byte & 0x3f) | 0x80

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
/** An item as the store has it. In answers of the server, the kind is beside the item. */
export type Item = StoredTask | StoredNote

export const ofKind = <Kind extends KindName>(
  kind: Kind,
  item: Omit<Extract<Item, { kind: Kind }>, 'kind'>,
) => ({ ...item, kind }) as Extract<Item, { kind: Kind }>

export type ItemSet = Call<'POST /changes'>['body']['changes'][number]['set']

export type Values = Record<string, unknown>
/** Values by item; null for an item that does not exist. */
export type ValuesByItem = Record<string, Values | null>

export const isWhole = (values: Values | null | undefined): values is Values & Task =>
  values !== null && values !== undefined && '_id' in values

/** The fields with an instant that a change sets by true or false, by the name in the change. */
export const instants: Record<string, string> = Object.fromEntries(
  Object.entries<Field>(taskFields).flatMap(([name, { setBy }]) => (setBy ? [[setBy, name]] : [])),
)

/** The values of a new task. Versions are numbered from 1. */
export const freshTask = { ...defaultsOf(taskFields), version: 0 }

export const differences = (item: object, other: object): Values =>
  Object.fromEntries(Object.entries(item).filter(([name, value]) => (other as Values)[name] !== value))

/** Whether the item has these values. Times of completion and deletion are equal if both are set or both are null. */
export const hasValues = (item: object | undefined, values: Values | null): boolean => {
  if (item === undefined || values === null) return item === undefined && values === null
  return Object.entries(values).every(([name, value]) => {
    const own = (item as Values)[name]
    return Object.values(instants).includes(name) ? (own === null) === (value === null) : own === value
  })
}

/** The base version of a change of these values: the server's version, if it has the same values. */
export const baseOf = (stored: Item | undefined, values: Values, base: number): number =>
  stored && hasValues(stored, values) ? stored.version : base

export type Verb =
  | ('add' | 'edit' | 'complete' | 'reopen' | 'move' | 'skip' | 'stop' | 'prioritise' | 'tag' | 'renameTag')
  | ('removeTag' | 'tick' | 'link' | 'delete' | 'restore' | 'revert' | 'pin' | 'unpin')

/** A line of a note that became a task: its number in the note, and its text without and with the link to the task. */
export type LinkedLine = { note: string; number: number; plain: string; linked: string }

/** `to`: the new day, priority or tag. `from`: the earlier tag. Undos, and entries of earlier builds, have no verb. */
export type Done = {
  verb?: Verb
  to?: string | undefined
  from?: string | undefined
  line?: LinkedLine | undefined
}

/** A change of an item. `shows` beside `set`: what the server will derive, by item (the day of a repeat, its next task). */
export type Change = Done & {
  item: string
  kind?: KindName
  /** The title before the change: the server may no longer know the item. */
  title?: string
} & (
    | { set: ItemSet; base?: number; shows?: ValuesByItem }
    | { check: CheckLine & { checked: boolean } }
    /** `shows`: the values before; null for an item that it created. `seq`: of the change or one in its group. `of`: its name. */
    | { undo: { seq?: number; of?: string; isGroup?: boolean }; shows: ValuesByItem }
  )

export type NewChange = Change & { verb: Verb }

export type Failure = { status: number; reason: string }

/** How an entry is sent alone: by a specified call, the restore of a version of a note, or a purge of deleted items. */
export type Way = 'add' | 'edit' | 'delete' | 'version' | 'purge' | 'purgeEarlier'

export type Entry = Change & {
  mutation: string
  /** Its place among the entries of the account in this browser. */
  order: number
  /** Milliseconds since 1970. */
  at: number
  group?: string
  /** The replaced values; undefined if the entry creates its item. */
  was: Values | undefined
  /** The text that the person typed, to be edited if it is rejected. */
  typed?: { text: string; dismissed: readonly string[] }
  /** Whether the item is a note that is not saved yet. The entry is sent after it. */
  needsItem?: boolean
  /** Without it, the journal keeps the entry and sends it with others. */
  via?: Way
  /** `sent`: the server may have it, and its next answer tells. `unknown`: a call of `via` got no answer, so the log tells. */
  status: 'new' | 'sent' | 'unknown' | 'failed'
  failure?: Failure
}

/** Reads a stored entry. Earlier builds stored `isSent` instead of a status. */
export function entryIn<Kept extends Partial<Pick<Entry, 'status' | 'failure'>>>(kept: Kept) {
  const { failure, status = 'isSent' in kept && kept.isSent ? 'sent' : 'new' } = kept
  return { ...kept, status: failure ? 'failed' : status === 'failed' ? 'sent' : status } as const
}

/** An undo names a change or a whole group. */
export const nameOf = ({ group, mutation }: Pick<Entry, 'group' | 'mutation'>): string => group ?? mutation

/** The title of the item according to the entry, or the beginning of a text. Entries of earlier builds have no title. */
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

export function titleOf(store: { current(id: string): Item | undefined }, entry: Entry): string {
  const item = store.current(entry.item)
  return item ? item.title || 'Untitled' : titleIn(entry)
}

export const shownBy = (change: Change): ValuesByItem => ('shows' in change && change.shows) || {}

export const itemsOfEntry = (entry: Change): string[] => [
  ...new Set([entry.item, ...Object.keys(shownBy(entry))]),
]

/** The values with instants for true and false. An existing instant stays. */
function valuesOf(set: ItemSet, item: Item | undefined, at: number): Values {
  const values = Object.entries(set).map(([name, value]) => {
    const field = instants[name]
    if (!field) return [name, value]
    return [field, value ? ((item as Values | undefined)?.[field] ?? new Date(at).toISOString()) : null]
  })
  return Object.fromEntries(values)
}

const isComplete = (set: ItemSet): boolean =>
  Object.entries<Field>(taskFields).every(([name, field]) => isOptional(field) || name in set)

const ownOf = (item: Item, values: Values = {}): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name in item))

/** The item `id` with the change, which may be made to another item. Undefined if there is no such item. */
export function withChange(
  item: Item | undefined,
  change: Change & Partial<Pick<Entry, 'was' | 'status'>> & { at: number },
  id = change.item,
): Item | undefined {
  if (change.status === 'failed') return item
  const shown = shownBy(change)[id]
  if (shown === null) return
  // If another device has created the task, that one is shown.
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

export const hasText = (change: Change): boolean => 'set' in change && change.set.text !== undefined

export const isWithoutEffect = (item: Item | undefined, change: Change): boolean =>
  item !== undefined &&
  !hasText(change) &&
  Object.keys(differences(item, withChange(item, { ...change, was: {}, at: 0 }) ?? item)).length === 0

/** A random UUID, version 4. `crypto.randomUUID` exists only in secure contexts. */
export const randomId = (): string => idOf(crypto.getRandomValues(new Uint8Array(16)), 0x40)

/** A UUID of version 7, which begins with the time: lists sort items by their ids. */
export function itemId(now: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  for (let index = 0; index < 6; index++) bytes[index] = Math.floor(now / 256 ** (5 - index)) % 256
  return idOf(bytes, 0x70)
}

function idOf(bytes: Uint8Array, version: number): string {
  bytes.set([((bytes[6] ?? 0) & 0x0f) | version, bytes[7] ?? 0, ((bytes[8] ?? 0) & 0x3f) | 0x80], 6)
  return uuidOf([...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(''))
}

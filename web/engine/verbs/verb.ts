import type { KindName } from '#contract/kinds.ts'
import type { Task } from '#contract/tasks.ts'
import type { ItemSet, Verb } from '../entry.ts'

export type Offered = {
  /** Its key. In the dialog of another verb, it follows the key of that one. */
  key?: string
  /** The text of its button. `labelOf`: the text with the items, unless they only follow the label. */
  label: string
  labelOf?: string
  command?: string
  icon?: 'delete' | 'done' | 'edit' | 'plus' | 'priority' | 'tag' | 'upcoming'
}

const [doneKey, moveKey] = ['x', 'm'] as const

/** The landing page shows cards with these, and loads nothing else of the verbs. */
export const offered = {
  add: { key: 'n', label: 'Add a task', icon: 'plus' },
  edit: { key: 'e', label: 'Edit', icon: 'edit' },
  complete: { key: doneKey, label: 'Complete', icon: 'done' },
  reopen: { key: doneKey, label: 'Reopen', icon: 'done' },
  move: { key: moveKey, label: 'Move', icon: 'upcoming' },
  skip: { key: `${moveKey} k`, label: 'Skip this one', command: 'Skip {items} once' },
  stop: { key: `${moveKey} r`, label: 'Stop repeating' },
  prioritise: {
    ...{ key: 'p', label: 'Priority', icon: 'priority' },
    ...{ labelOf: 'Priority of {items}', command: 'Change the priority of {items}' },
  },
  tag: { key: 't', label: 'Tag', icon: 'tag' },
  delete: { key: 'Delete', label: 'Delete', icon: 'delete' },
  restore: { label: 'Restore' },
  pin: { label: 'Pin the note' },
} as const satisfies Record<string, Offered>

type Labels = { [Name in 'label' | 'labelOf']?: Offered[Name] | undefined }

/** `items`: the title of a task, or the number of several. */
export const labelFor = ({ label, labelOf = `${label} {items}` }: Labels, items: string): string =>
  labelOf.replace('{items}', () => items)

/** What is said of a change. `{items}`: what was changed. `{to}`: the new day, priority or tag. */
export type Told = {
  done: string
  doneTo?: string
  undone: readonly [one: string, several: string]
  last?: string
  /** Shown at the task if the change was not stored. The reason follows. */
  failed: string
  /** The toasts of a specified call (specification section 8). `explains`: the reason follows the failure. */
  toasts?: { done: string; failed: string; explains?: true }
  /** Whether the items leave their lists. The bar counts such changes in a row. */
  leaves?: true
  /** Whether `to` is a day. The bar can show the task there. */
  places?: true
}

type Possible = { isPossible: (task: Task) => boolean }

/** A verb: its name, how it is offered, what is said of it, and the change that it makes. */
export type AnyVerb = Partial<Offered> &
  Possible & { name: Verb; said: Told; make: (...args: never[]) => { item: string } }

export type OfferedVerb = AnyVerb & Required<Pick<Offered, 'key' | 'label' | 'icon'>>

type Made = { item: string; kind?: KindName; set?: ItemSet }
type OfferOf<Name> = Name extends keyof typeof offered ? (typeof offered)[Name] : object

export const verb = <Name extends Verb, Args extends unknown[], Change extends Made>(
  name: Name,
  make: (...args: Args) => Change,
  { isPossible = () => true, ...said }: Told & Partial<Possible>,
) => ({
  ...(offered[name as keyof typeof offered] as OfferOf<Name>),
  name,
  isPossible,
  make: (...args: Args) => ({ verb: name, ...make(...args) }),
  said,
})

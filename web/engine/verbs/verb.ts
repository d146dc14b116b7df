import type { KindName } from '#contract/kinds.ts'
import type { Task } from '#contract/tasks.ts'
import type { ItemSet, Verb } from '../entry.ts'

/** How a verb is offered. */
export type Offered = {
  /** The key that does it. In the dialog of another verb, it follows the key of that one. */
  key?: string
  /** What its button says. With what is changed, that follows the label, or the text is another. */
  label: string
  labelOf?: string
  /** What the palette says, if that is not the label with what is changed. */
  command?: string
  icon?: 'delete' | 'done' | 'edit' | 'plus' | 'priority' | 'tag' | 'upcoming'
}

const [doneKey, moveKey] = ['x', 'm'] as const

/** The keys, labels and icons of the verbs. The landing page shows cards with them, and nothing else of the verbs. */
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

/** The label with what is changed: the title of a task, or the number of several. */
export const labelFor = ({ label, labelOf = `${label} {items}` }: Labels, items: string): string =>
  labelOf.replace('{items}', () => items)

/** The whole sentences about the changes of a verb. `{items}`: what was changed. `{to}`: the day, priority or tag that it got. */
export type Told = {
  done: string
  /** Instead, if it is known what they got. */
  doneTo?: string
  /** What is true again after that was undone, of one item and of several. */
  undone: readonly [one: string, several: string]
  /** What was done to the last task of a repeat. */
  last?: string
  /** What is said at the task if the change was not stored. The reason follows. */
  failed: string
  /** The specified toasts about a specified call (specification section 8). `explains`: the reason follows the failure. */
  toasts?: { done: string; failed: string; explains?: true }
  /** Whether the items leave their lists: such changes are often several in a row, which the bar counts. */
  leaves?: true
  /** Whether the task has a new place, which the bar can show, and what it got is its day. */
  places?: true
}

/** Whether it can be done to a task as it is now. */
type Possible = { isPossible: (task: Task) => boolean }

/** What a person does to tasks and notes: its name, how it is offered, what is said, and the change that it makes. */
export type AnyVerb = Partial<Offered> &
  Possible & { name: Verb; said: Told; make: (...args: never[]) => { item: string } }

/** A verb that is offered by a key and a button. */
export type OfferedVerb = AnyVerb & Required<Pick<Offered, 'key' | 'label' | 'icon'>>

type Made = { item: string; kind?: KindName; set?: ItemSet }
type OfferOf<Name> = Name extends keyof typeof offered ? (typeof offered)[Name] : object

/** The verb of this name, which is offered as the table says. */
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

import type { KindName } from '#contract/kinds.ts'
import type { Task } from '#contract/tasks.ts'
import type { ItemSet } from '../items.ts'
import { type Offered, offered } from './offered.ts'

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
  Possible & { name: string; said: Told; make: (...args: never[]) => { item: string } }

/** A verb that is offered by a key and a button. */
export type OfferedVerb = AnyVerb & Required<Pick<Offered, 'key' | 'label' | 'icon'>>

type Made = { item: string; kind?: KindName; set?: ItemSet }
type OfferOf<Name> = Name extends keyof typeof offered ? (typeof offered)[Name] : object

/** The verb of this name, which is offered as the table says. */
export const verb = <Name extends string, Args extends unknown[], Change extends Made>(
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

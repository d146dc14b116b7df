import type { KindName } from '#contract/kinds.ts'
import type { Task } from '#contract/tasks.ts'
import type { IconName } from '../../ui/icon.tsx'
import type { ItemSet } from '../items.ts'

/** The whole sentences about the changes of a verb. `{items}`: what was changed. `{to}`: the day, priority or tag that it got. */
type Said = {
  done: string
  /** Instead, if it is known what they got. */
  doneTo?: string
  /** What is true again after that was undone, of one item and of several. */
  undone: readonly [one: string, several: string]
  /** What was done to the last task of a repeat. */
  last?: string
  /** What is said at the task if the change was not stored. The reason follows. */
  failed: string
  /** The specified toasts about a specified call (specification section 8). */
  toasts?: { done: string; failed: (error: unknown) => string }
}

type Shown = {
  /** The key that does it. In the dialog of another verb, it follows the key of that one. */
  key?: string
  /** What its button says. */
  label?: string
  /** The label with what is changed, if that does not just follow it. */
  labelOf?: string
  icon?: IconName
  /** Whether it can be done to a task as it is now. */
  isPossible?: (task: Task) => boolean
  said: Said
  /** Whether the items leave their lists: such changes are often several in a row, which the bar counts. */
  leaves?: true
  /** Whether the task has a new place, which the bar can show, and what it got is its day. */
  places?: true
}

/** What a person does to tasks and notes: its name, how it is offered and told, and the change that it makes. */
export type AnyVerb = Shown & { name: string; make: (...args: never[]) => { item: string } }

type Made = { item: string; kind?: KindName; set?: ItemSet }

export const verb = <Name extends string, Args extends unknown[], Change extends Made, How extends Shown>(
  name: Name,
  how: How,
  make: (...args: Args) => Change,
) => ({ ...how, name, make: (...args: Args) => ({ verb: name, ...make(...args) }) })

/** The label with what is changed: the title of a task, or the number of several. */
export const labelOf = (
  { label, labelOf = `${label} {items}` }: Pick<Shown, 'label' | 'labelOf'>,
  items: string,
): string => labelOf.replace('{items}', () => items)

import type { ReactNode } from 'react'

/** The whole sentences about the changes of a verb. */
export type Sentences = {
  /** What was done to an item, or to several. `to`: the day, priority or tag that they got, or empty. */
  done: (items: ReactNode, to: string) => ReactNode
  /** What is true again after that was undone, of one item and of several. */
  undone: (item: ReactNode) => ReactNode
  allUndone: (items: string) => string
  /** What was done to the last task of a repeat. */
  last?: (item: ReactNode) => ReactNode
  /** What is said at the task if the change was not stored. The reason follows. */
  failed: string
  /** The specified toasts about a specified call (specification section 8). */
  toasts?: { done: string; failed: (error: unknown) => string }
  /** Whether the items leave their lists: such changes are often several in a row, which the bar counts. */
  leaves?: true
  /** Whether the task has a new place, which the bar can show, and `to` is its day. */
  places?: true
}

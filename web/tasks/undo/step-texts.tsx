import type { ReactNode } from 'react'
import type { Step, TaskAction } from './undo-history.ts'

type Texts = {
  /** What was done to an item, or to several. `to`: the day, priority or tag that they got, or empty. */
  done: (items: ReactNode, to: string) => ReactNode
  /** What is true again after that was undone, of one item and of several. */
  one: (item: ReactNode) => ReactNode
  many: (items: string) => string
}

/** The whole sentences about each kind of change. */
export const stepTexts: Record<Step['action'], Texts> = {
  Added: {
    done: (items, day) =>
      day ? (
        <>
          Added {items} for {day}
        </>
      ) : (
        <>Added {items}</>
      ),
    one: (item) => <>{item} was removed</>,
    many: (items) => `${items} were removed`,
  },
  Changed: {
    done: (items) => <>Changed {items}</>,
    one: (item) => <>{item} is as it was</>,
    many: (items) => `${items} are as they were`,
  },
  Prioritized: {
    done: (items, priority) => (
      <>
        Changed {items} to {priority}
      </>
    ),
    one: (item) => <>{item} has its earlier priority again</>,
    many: (items) => `${items} have their earlier priorities again`,
  },
  Tagged: {
    done: (items, tag) => (
      <>
        Changed {items} by adding {tag}
      </>
    ),
    one: (item) => <>{item} no longer has the new tag</>,
    many: (items) => `${items} no longer have the new tag`,
  },
  Moved: {
    done: (items, day) =>
      day ? (
        <>
          Moved {items} to {day}
        </>
      ) : (
        <>Moved {items}</>
      ),
    one: (item) => <>{item} is due as before</>,
    many: (items) => `${items} are due as before`,
  },
  Completed: {
    done: (items) => <>Completed {items}</>,
    one: (item) => <>{item} is open again</>,
    many: (items) => `${items} are open again`,
  },
  Reopened: {
    done: (items) => <>Reopened {items}</>,
    one: (item) => <>{item} is done again</>,
    many: (items) => `${items} are done again`,
  },
  Deleted: {
    done: (items) => <>Deleted {items}</>,
    one: (item) => <>{item} is back</>,
    many: (items) => `${items} are back`,
  },
  Restored: {
    done: (items) => <>Restored {items}</>,
    one: (item) => <>{item} is deleted again</>,
    many: (items) => `${items} are deleted again`,
  },
  Reverted: {
    done: (items) => <>Restored {items} to an earlier version</>,
    one: (item) => <>{item} has its newer text again</>,
    many: (items) => `${items} have their newer texts again`,
  },
  Pinned: {
    done: (items) => <>Pinned {items}</>,
    one: (item) => <>{item} is no longer pinned</>,
    many: (items) => `${items} are no longer pinned`,
  },
  Unpinned: {
    done: (items) => <>Unpinned {items}</>,
    one: (item) => <>{item} is pinned again</>,
    many: (items) => `${items} are pinned again`,
  },
}

/** What is said at a task if its change was not stored. The reason follows. */
export const notStored: Record<TaskAction, string> = {
  Added: 'This task was not added.',
  Changed: 'This task was not changed.',
  Prioritized: 'This task was not changed.',
  Tagged: 'This task was not changed.',
  Moved: 'This task was not moved.',
  Completed: 'This task was not completed.',
  Reopened: 'This task was not reopened.',
  Deleted: 'This task was not deleted.',
  Restored: 'This task was not restored.',
}

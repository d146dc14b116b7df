import type { ReactNode } from 'react'
import type { Step } from './undo-history.ts'

type Texts = { one: (title: ReactNode) => ReactNode; many: (tasks: string) => string }

/** What is true again after a change was undone, as whole sentences. `many`: of a group, with its number of tasks. */
export const undoneTexts: Record<Step['action'], Texts> = {
  Added: { one: (title) => <>{title} was removed</>, many: (tasks) => `${tasks} were removed` },
  Changed: { one: (title) => <>{title} is as it was</>, many: (tasks) => `${tasks} are as they were` },
  Deleted: { one: (title) => <>{title} is back</>, many: (tasks) => `${tasks} are back` },
  Completed: { one: (title) => <>{title} is open again</>, many: (tasks) => `${tasks} are open again` },
  Reopened: { one: (title) => <>{title} is done again</>, many: (tasks) => `${tasks} are done again` },
  Restored: { one: (title) => <>{title} is deleted again</>, many: (tasks) => `${tasks} are deleted again` },
  Moved: { one: (title) => <>{title} is due as before</>, many: (tasks) => `${tasks} are due as before` },
  Pinned: {
    one: (title) => <>{title} is no longer pinned</>,
    many: (tasks) => `${tasks} are no longer pinned`,
  },
  Unpinned: { one: (title) => <>{title} is pinned again</>, many: (tasks) => `${tasks} are pinned again` },
}

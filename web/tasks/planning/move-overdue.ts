import { todayHere } from '#contract/days.ts'
import { move } from '../../changes/move.tsx'
import type { Dashboard } from '../../state/dashboard.tsx'
import { isDueBefore } from '../../store/item-rules.ts'
import { offline } from '../../store/page-connection.ts'
import type { Store } from '../../store/store.ts'
import { changeSelected } from '../change-selected.ts'

/** In milliseconds: a server with the specified calls alone never fills the store. */
const longestWait = 10_000

/** Moves all overdue tasks to today as one group, which is shown at once. Only a store that is still being filled is waited for. */
export async function moveOverdue(dashboard: Dashboard) {
  const { store } = dashboard
  if (!store.isComplete && !offline.getState()) await filled(store)
  const today = todayHere()
  const tasks = store.list('today', today).filter((task) => isDueBefore(task, today))
  changeSelected(
    dashboard,
    tasks.map((task) => move(task, today)),
  )
}

const filled = (store: Store) =>
  new Promise<void>((resolve) => {
    const stop = store.subscribe(() => store.isComplete && end())
    const timeout = setTimeout(end, longestWait)
    function end() {
      stop()
      clearTimeout(timeout)
      resolve()
    }
  })

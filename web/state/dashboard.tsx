import { createContext, use, useCallback, useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import { type AtItem, createChanges } from '../changes/changes.ts'
import type { Journal } from '../changes/journal.ts'
import { createPageJournal } from '../changes/page-journal.ts'
import { createUndo } from '../changes/undo.ts'
import { createUndoHistory } from '../changes/undo-history.ts'
import type { Device } from '../store/device.ts'
import { createAllFetched, type Fetched } from '../store/fetched.ts'
import { createReplication } from '../store/replication.ts'
import { createStore, type Store } from '../store/store.ts'
import { createTags } from '../store/tags-in-use.ts'
import { createQuickLines } from '../tasks/quick-add/quick-lines.ts'
import { createSelection } from '../tasks/selection.ts'
import { createWaiting, type Late, lateItems } from '../unsent/waiting/waiting.ts'

export type Dashboard = ReturnType<typeof createDashboard>

/** The parts of the dashboard that live as long as a visit to it. */
export function createDashboard() {
  const fetched = createAllFetched()
  const store = createStore()
  const journal = createPageJournal({ fetched, store })
  const history = createUndoHistory()
  const changes = createChanges({ fetched, store, journal, history })
  return {
    fetched,
    store,
    replication: createReplication(store),
    /** The storage of this device, as soon as it has been read; if nothing is stored, the promise stays pending. */
    device: Promise.withResolvers<Device>(),
    tags: createTags(store),
    journal,
    history,
    changes,
    undo: createUndo({ store, journal, history, changes }),
    waiting: createWaiting({ store, journal }),
    selection: createSelection(),
    quickLines: createQuickLines({ journal, changes }),
  }
}

const Context = createContext<Dashboard | undefined>(undefined)

export const DashboardProvider = Context

/** The parts of the dashboard around the component. */
export function useParts(): Dashboard {
  const dashboard = use(Context)
  if (!dashboard) throw new Error('The component is not inside of a dashboard.')
  return dashboard
}

/** The result of `select` on a part, now and after each change. It must return the same value until that changes. */
function useSubscribed<Part extends { subscribe: (look: () => void) => () => void }, Value>(
  part: Part,
  select: (part: Part) => Value,
): Value {
  const read = () => select(part)
  return useSyncExternalStore(
    useCallback((look: () => void) => part.subscribe(look), [part]),
    read,
    read,
  )
}

export const useStored = <Value,>(select: (store: Store) => Value): Value =>
  useSubscribed(useParts().store, select)

type Opening = { freshFor?: number; isWanted?: boolean }

/** Opens a list or an item while the component is shown, and returns its pages and how its call goes. */
export function useFetched<Page extends object>(
  fetched: Fetched<Page>,
  { freshFor = 0, isWanted = true }: Opening = {},
) {
  useEffect(() => (isWanted ? fetched.open(freshFor) : undefined), [fetched, freshFor, isWanted])
  return useSubscribed(fetched, ({ state }) => state())
}

export const useJournal = <Value,>(select: (journal: Journal) => Value): Value =>
  useSubscribed(useParts().journal, select)

/** Why the last change of an item failed. The component says it at the item. */
export function useFailure(item: string): AtItem | undefined {
  const { failures, showing } = useParts().changes
  const failure = useStore(failures, (all) => all[item])
  useLayoutEffect(() => failure && showing(failure), [failure, showing])
  return failure
}

/** The result of `select` for what has waited for longer than a moment. */
export const useLate = <Value,>(select: (late: readonly Late[]) => Value): Value =>
  useStore(useParts().waiting.late, select)

/** Whether an item has changes, or an unsaved text, that the server does not have yet. */
export const useIsLate = (item: string): boolean => useLate((late) => lateItems(late).has(item))

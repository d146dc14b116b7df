import { createContext, use, useCallback, useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import type { AtItem } from '../engine/changes.ts'
import type { Engine } from '../engine/engine.ts'
import type { Journal } from '../engine/journal/journal.ts'
import type { Fetched } from '../engine/store/fetched.ts'
import type { Store } from '../engine/store/store.ts'
import type { Late } from '../engine/waiting.ts'

export const EngineProvider = createContext<Engine | undefined>(undefined)

export function useEngine(): Engine {
  const dashboard = use(EngineProvider)
  if (!dashboard) throw new Error('The component is not inside of a dashboard.')
  return dashboard
}

/** `select` must return the same value until the part changes. */
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

export const useStored = <Value,>(select: (store: Store) => Value) => useSubscribed(useEngine().store, select)

export function useFetched<Page extends object>(
  fetched: Fetched<Page>,
  { freshFor = 0, isWanted = true }: { freshFor?: number; isWanted?: boolean } = {},
) {
  useEffect(() => (isWanted ? fetched.open(freshFor) : undefined), [fetched, freshFor, isWanted])
  return useStore(fetched)
}

export const useJournal = <Value,>(select: (journal: Journal) => Value): Value =>
  useSubscribed(useEngine().journal, select)

/** The component must say the failure at the item. */
export function useFailure(item: string): AtItem | undefined {
  const { failures, showing } = useEngine().changes
  const failure = useStore(failures, (all) => all[item])
  useLayoutEffect(() => failure && showing(failure), [failure, showing])
  return failure
}

/** What has waited for longer than a moment is late. */
export const useLate = <Value,>(select: (late: readonly Late[]) => Value): Value =>
  useStore(useEngine().waiting.late, select)

/** Changes or an unsaved text that the server does not have yet make an item late. */
export const useIsLate = (item: string) => useStore(useEngine().waiting.lateItems, (items) => items.has(item))

import { createContext, use, useCallback, useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import type { AtItem } from '../engine/changes.ts'
import type { Engine } from '../engine/engine.ts'
import type { Journal } from '../engine/journal/journal.ts'
import type { Fetched } from '../engine/store/fetched.ts'
import type { Store } from '../engine/store/store.ts'
import type { Late } from '../engine/waiting.ts'

const Context = createContext<Engine | undefined>(undefined)

export const EngineProvider = Context

/** The parts of the dashboard around the component. */
export function useEngine(): Engine {
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
  useSubscribed(useEngine().store, select)

type Opening = { freshFor?: number; isWanted?: boolean }

/** Opens a list or an item while the component is shown, and returns its pages and how its call goes. */
export function useFetched<Page extends object>(
  fetched: Fetched<Page>,
  { freshFor = 0, isWanted = true }: Opening = {},
) {
  useEffect(() => (isWanted ? fetched.open(freshFor) : undefined), [fetched, freshFor, isWanted])
  return useStore(fetched)
}

export const useJournal = <Value,>(select: (journal: Journal) => Value): Value =>
  useSubscribed(useEngine().journal, select)

/** Why the last change of an item failed. The component says it at the item. */
export function useFailure(item: string): AtItem | undefined {
  const { failures, showing } = useEngine().changes
  const failure = useStore(failures, (all) => all[item])
  useLayoutEffect(() => failure && showing(failure), [failure, showing])
  return failure
}

/** The result of `select` for what has waited for longer than a moment. */
export const useLate = <Value,>(select: (late: readonly Late[]) => Value): Value =>
  useStore(useEngine().waiting.late, select)

/** Whether an item has changes, or an unsaved text, that the server does not have yet. */
export const useIsLate = (item: string): boolean =>
  useStore(useEngine().waiting.lateItems, (items) => items.has(item))

import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { dependsOnToday, type ListName, lists } from '#contract/lists.ts'
import { taskListOf } from '../../engine/store/task-lists.ts'
import { useEngine } from '../../state/use-engine.tsx'
import { pressedKey } from '../../ui/pressed-key.ts'
import { dashboardToast } from '../../ui/toasts.tsx'
import { useKeyDown } from '../../ui/use-key-down.ts'
import { useSignal } from '../../ui/use-signal.ts'
import type { ListToasts } from '../../views/views.ts'
import { useListed } from '../use-listed.ts'
import { useRetry } from './use-retry.ts'

/** `needsAnswer`: shows nothing before the call of this opening has answered, even if the store has tasks. */
export function useTaskList(
  list: ListName,
  today: string,
  { toasts, needsAnswer = false }: { toasts?: ListToasts | undefined; needsAnswer?: boolean } = {},
) {
  const listed = useListed(list, today, { needsAnswer })
  const { fetched, fetching, failure, tasks, isKnown, hasMore, showMore } = listed
  const { connection, needs } = useEngine()
  const isOffline = useStore(connection.offline)
  useListToasts(list, toasts)
  const isLoadedToPrint = usePrintAll(listed)

  const loadedDay = useRef(today)
  useSignal([fetched, list, today, needs], (signal) => {
    if (loadedDay.current === today) return
    loadedDay.current = today
    if (!dependsOnToday(lists[list])) return
    // Nobody asked for it, so a failure is not reported: a computer that wakes up in the morning is often not connected yet.
    needs.untilDone(fetched.reload, signal).catch((error) => signal.aborted || console.error(error))
  })

  const failedMore = failure?.which === 'next'
  useRetry(failedMore ? undefined : failure?.error, fetched.reload)

  return {
    tasks,
    /** Why there is no first page. Offline, a line above all lists says so. */
    error: fetching || failedMore || (isOffline && isKnown && tasks) ? undefined : failure?.error,
    failedMore,
    hasMore,
    loadMore: showMore,
    isLoadedToPrint,
    retry: fetched.refetch,
  }
}

/** Announces each answer to this opening of the list; further pages and the page's own changes raise no toast. */
function useListToasts(list: ListName, toasts: ListToasts | undefined) {
  const engine = useEngine()

  const announce = useEffectEvent(() => {
    const { pages, failure } = taskListOf(engine, list).getState()
    if (failure) console.error(failure.error)
    if (!toasts) return
    if (failure) dashboardToast.error(toasts.failed)
    else if (pages[0]?.isEmpty) dashboardToast.info(toasts.none)
    else if (toasts.found) dashboardToast.success(toasts.found)
  })

  useEffect(
    () => engine.fetched.onAnswer((name, isReload) => name === list && !isReload && announce()),
    [engine, list],
  )
}

/** Loads the rest of the list before Ctrl+P prints. A second press prints what is loaded, as does the menu, which cannot wait. */
function usePrintAll({ fetched, fetching, failure, hasNext, isComplete }: ReturnType<typeof useListed>) {
  const [isWanted, setWanted] = useState(false)
  const isCut = hasNext && !isComplete

  useKeyDown(isCut && !isWanted, (event) => {
    const isModified = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
    if (!isModified || pressedKey(event).toLowerCase() !== 'p') return
    event.preventDefault()
    setWanted(true)
  })

  useEffect(() => {
    if (!isWanted || fetching) return
    if (isCut && !failure) return void fetched.fetchNext()
    setWanted(false)
    // When the last cards are rendered.
    requestAnimationFrame(() => print())
  }, [isWanted, fetching, isCut, failure, fetched])

  return isWanted
}

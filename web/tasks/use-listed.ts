import { useCallback, useMemo, useState } from 'react'
import { pageSize } from '#contract/limits.ts'
import { compareInList, type ListName, lists } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import { isDueBefore } from '../engine/store/item-rules.ts'
import { taskListOf } from '../engine/store/task-lists.ts'
import { useEngine, useFetched, useStored } from '../state/use-engine.tsx'
import { usePrinting } from '../ui/use-printing.ts'

/**
 * The tasks of a list in the store, as far as they are shown. They are shown up to the end of the answers, or up to the end of
 * the first page that this device has kept. If the store is complete, a page more is shown each time, and all on paper. Without
 * any of them, `tasks` is undefined. After a failure, `tasks` are those that the store has, and `isKnown` says whether they are
 * the first ones of the list.
 */
export function useListed(
  list: ListName,
  today: string,
  { freshFor = 0, needsAnswer = false }: { freshFor?: number; needsAnswer?: boolean } = {},
) {
  const engine = useEngine()
  const fetched = useMemo(() => taskListOf(engine, list), [engine, list])
  const { pages, fetching, failure } = useFetched(fetched, { freshFor })
  const last = pages.at(-1)
  const all = useStored((store) => store.list(list, today))
  const isComplete = useStored((store) => store.isComplete)
  const hasFirst = useStored((store) => store.hasFirst)
  const [wanted, setWanted] = useState(pageSize.default)
  const isWhole = usePrinting() && isComplete

  const isAnswered = last !== undefined
  const end = last?.next?.after
  const isFailed = failure !== undefined && all.length > 0
  const tasks = useMemo(() => {
    if (!isAnswered && !isFailed && (needsAnswer || !hasFirst)) return
    if (isWhole) return all
    const reached = isAnswered ? countUpTo(all, list, end) : hasFirst ? 0 : all.length
    // Overdue tasks are folded: however many they are, those of the day are shown with them.
    const overdue = list === 'today' && isComplete ? all.findIndex((task) => !isDueBefore(task, today)) : 0
    return all.slice(0, hasFirst ? Math.max(wanted + Math.max(0, overdue), reached) : reached)
  }, [all, list, today, isAnswered, end, hasFirst, isComplete, isFailed, isWhole, needsAnswer, wanted])

  const shown = tasks?.length ?? 0
  const showMore = useCallback(
    (pages = 1) => (isComplete ? setWanted(shown + pages * pageSize.default) : fetched.fetchNext()),
    [isComplete, shown, fetched],
  )
  return {
    fetched,
    fetching,
    failure,
    tasks,
    isKnown: isAnswered || hasFirst,
    hasNext: end !== undefined,
    hasMore: isComplete ? shown < all.length : end !== undefined && !fetching,
    isComplete,
    showMore,
  }
}

/** The number of tasks up to the last one of the newest page, or of all if there are no more. */
function countUpTo(tasks: readonly Task[], list: ListName, end: Task | undefined): number {
  if (!end) return tasks.length
  const after = tasks.findIndex((task) => compareInList(lists[list], task, end) > 0)
  return after < 0 ? tasks.length : after
}

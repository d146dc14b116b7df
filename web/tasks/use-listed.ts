import { useCallback, useMemo, useState } from 'react'
import { pageSize } from '#contract/limits.ts'
import { compareInList, type ListName, lists } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import { isDueBefore } from '../engine/store/item-rules.ts'
import { taskListOf } from '../engine/store/task-lists.ts'
import { useEngine, useFetched, useStored } from '../state/use-engine.tsx'
import { usePrinting } from '../ui/use-printing.ts'

/** What says where the shown tasks end: the answers, the first page that this device has kept, or nothing after a failure. */
type Extent = 'answers' | 'kept page' | 'unknown'

/** `tasks` is undefined until there are some to show. */
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
  const isKept = hasFirst && (!needsAnswer || isFailed)
  const withoutAnswer = isKept ? 'kept page' : isFailed ? 'unknown' : undefined
  const extent: Extent | undefined = isAnswered ? 'answers' : withoutAnswer
  const tasks = useMemo(() => {
    if (!extent) return
    if (isWhole) return all
    const reached = { answers: countUpTo(all, list, end), 'kept page': 0, unknown: all.length }[extent]
    // Overdue tasks are folded: however many they are, those of the day are shown with them.
    const overdue = list === 'today' && isComplete ? all.findIndex((task) => !isDueBefore(task, today)) : 0
    return all.slice(0, hasFirst ? Math.max(wanted + Math.max(0, overdue), reached) : reached)
  }, [all, list, today, extent, end, hasFirst, isComplete, isWhole, wanted])

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
    /** Whether `tasks` are the first ones of the list. */
    isKnown: extent !== 'unknown',
    hasNext: end !== undefined,
    hasMore: isComplete ? shown < all.length : end !== undefined && !fetching,
    isComplete,
    showMore,
  }
}

function countUpTo(tasks: readonly Task[], list: ListName, end: Task | undefined): number {
  if (!end) return tasks.length
  const after = tasks.findIndex((task) => compareInList(lists[list], task, end) > 0)
  return after < 0 ? tasks.length : after
}

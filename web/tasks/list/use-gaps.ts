import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Task } from '#contract/tasks.ts'

/** In milliseconds: longer than the time between the clicks of a double click. */
const gapTime = 500

/** A card of the list, or the gap that a deleted card leaves, with its height in pixels. */
export type Entry = { task: Task; gap?: number }

/**
 * Keeps the space of a deleted card open for a moment, so that a second click at the same place meets no other card.
 * Returns the entries of the list, and the function to call before a task leaves it.
 */
export function useGaps(tasks: Task[] | undefined) {
  const [gaps, setGaps] = useState<(Required<Entry> & { index: number })[]>([])
  const entries = useMemo(
    () =>
      gaps.reduce<Entry[]>(
        (all, { index, task, gap }) => all.toSpliced(index, 0, { task, gap }),
        (tasks ?? [])
          .filter(({ _id }) => !gaps.some(({ task }) => task._id === _id))
          .map((task) => ({ task })),
      ),
    [tasks, gaps],
  )
  const shown = useRef(entries)
  useEffect(() => {
    shown.current = entries
  }, [entries])

  const leaveGap = useCallback((task: Task, height: number) => {
    const index = shown.current.findIndex((entry) => entry.task._id === task._id)
    setGaps((others) => [...others, { task, gap: height, index }])
    setTimeout(() => setGaps((all) => all.filter((gap) => gap.task !== task)), gapTime)
  }, [])

  return { entries, leaveGap }
}

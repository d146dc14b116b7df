import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import type { Task } from '#contract/tasks.ts'
import type { Item } from '../../store/pending-change.ts'

/**
 * A card of the list, or with `gap` the space of one that has gone, in pixels. `place` is the task as it was when it got
 * its place, which decides in which group it is.
 */
export type Entry<Listed = Task> = { task: Listed; place: Listed; gap?: number }

/** In milliseconds: how long gaps take to close; `--duration-quick`. */
const closingTime = 120

/**
 * The entries that a list shows. While it is held, no card moves: those that go leave gaps, and those that come wait, except at the
 * end. Then all gaps close at once. `subject` names the list; entries of another subject leave no gaps.
 */
export function useEntries<Listed extends Item = Task>(
  tasks: readonly Listed[] | undefined,
  isHeld: boolean,
  subject = '',
) {
  const [shown, setShown] = useState({ entries: placed(tasks), subject })
  const [isClosing, setClosing] = useState(false)

  const arrange = useEffectEvent(() => {
    const still = tasks && shown.subject === subject ? inPlace(shown.entries, tasks) : []
    const hasGaps = still.some(({ gap }) => gap !== undefined)
    setShown({ entries: hasGaps || (isHeld && still.length > 0) ? still : placed(tasks), subject })
    setClosing(hasGaps && !isHeld)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the entries depend on these
  useLayoutEffect(() => arrange(), [tasks, isHeld, subject])

  const close = useEffectEvent(() => {
    setShown({ entries: placed(tasks), subject })
    setClosing(false)
  })
  useEffect(() => {
    if (!isClosing) return
    const timer = setTimeout(() => close(), closingTime)
    return () => clearTimeout(timer)
  }, [isClosing])

  return { entries: shown.entries, isClosing }
}

const placed = <Listed>(tasks: readonly Listed[] = []): Entry<Listed>[] =>
  tasks.map((task) => ({ task, place: task }))

/** The entries where they are, each with its task as it is now or with its gap, and behind them the tasks that follow. */
function inPlace<Listed extends Item>(entries: Entry<Listed>[], tasks: readonly Listed[]): Entry<Listed>[] {
  const now = new Map(tasks.map((task) => [task._id, task]))
  const kept = entries.flatMap(({ task: { _id }, place, gap = heightOf(_id) }): Entry<Listed> | [] => {
    const task = now.get(_id)
    if (task) return { task, place }
    // A card that was not rendered leaves no gap.
    return gap === undefined ? [] : { task: place, place, gap }
  })
  const before = new Set(entries.map(({ task }) => task._id))
  const last = tasks.findLastIndex(({ _id }) => before.has(_id))
  return [...kept, ...placed(tasks.slice(last + 1))]
}

const heightOf = (id: string): number | undefined =>
  document
    .querySelector(`[data-task="${CSS.escape(id)}"]`)
    ?.closest('li')
    ?.getBoundingClientRect().height

import { useEffect, useState } from 'react'
import type { Task } from '#contract/tasks.ts'
import { isDueBefore } from '../../store/item-rules.ts'
import { useToday } from '../../ui/civil-day.ts'
import { useListed } from '../use-listed.ts'

/**
 * Walks through the overdue tasks in the order of the list Today, which loads further pages as the reader comes near their
 * end. A task keeps its place in the walk after it has left the list.
 */
export function useReview() {
  const today = useToday()
  // The open panel has loaded the list.
  const listed = useListed('today', today, { freshFor: Number.POSITIVE_INFINITY })
  const { tasks = [], fetching, hasMore: isCut, showMore } = listed
  const [walk, setWalk] = useState<Task[]>([])
  const [index, setIndex] = useState(0)

  const known = new Set(walk.map(({ _id }) => _id))
  const found = tasks.filter((task) => isDueBefore(task, today) && !known.has(task._id))
  if (found.length > 0) setWalk([...walk, ...found])

  const last = tasks.at(-1)
  const hasMore = (isCut || fetching === 'next') && (last === undefined || isDueBefore(last, today))
  const isNearEnd = index + tasksAhead >= walk.length
  useEffect(() => {
    if (isCut && hasMore && isNearEnd) showMore()
  }, [isCut, hasMore, isNearEnd, showMore])

  const place = walk[index]
  return {
    /** The task at this place as it is now; undefined at the end. */
    task: place && (tasks.find(({ _id }) => _id === place._id) ?? place),
    position: `${index + 1} of ${walk.length}${hasMore ? '+' : ''}`,
    isAtEnd: place === undefined && !hasMore,
    index,
    goTo: setIndex,
  }
}

/** The number of tasks before the last loaded one at which the next page is fetched. */
const tasksAhead = 5

import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect } from 'react'
import type { Task } from '#contract/tasks.ts'
import { showDeleted } from '../task-cache.ts'
import { collapse } from './use-tick.ts'

/** In milliseconds: how long a card says that its task was deleted elsewhere. */
const readingTime = 3000

/** Takes a task that is gone from the lists after its card has said so. */
export function useDeparture({ _id: id }: Task, isGone: boolean, item: RefObject<HTMLElement | null>) {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!isGone) return
    const timer = setTimeout(async () => {
      await collapse(item.current)
      showDeleted(queryClient, [id])
    }, readingTime)
    return () => clearTimeout(timer)
  }, [isGone, id, item, queryClient])
}

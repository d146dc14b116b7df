import { useQueryClient } from '@tanstack/react-query'
import type { Task } from '#contract/tasks.ts'
import { makeOrExplain } from '../change-task.ts'

/** Moves a task to another day. */
export function useMoveTask() {
  const queryClient = useQueryClient()
  return ({ _id: item, version: base, title }: Task, dueDate: string) =>
    makeOrExplain(queryClient, { item, base, set: { dueDate } }, { action: 'Moved', title })
}

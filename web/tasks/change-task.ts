import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Task } from '#contract/tasks.ts'
import { networkMode } from './queries.ts'
import { sendChange, type TaskSet } from './send-change.ts'
import { showDeleted, showStored } from './task-cache.ts'
import { changedElsewhere, isGone } from './task-errors.ts'
import { remember, type Step } from './undo/undo-history.ts'

type Change = {
  task: Task
  set: TaskSet
  deed: Step['deed']
  /** Called when the server has changed the task, before the lists show it. */
  beforeShown?: () => unknown
}

/**
 * Changes fields of a task as it is shown, and remembers the change for Undo. If another device has changed the same
 * fields or deleted the task, the lists show that and the change fails.
 */
export function useChangeTask() {
  const queryClient = useQueryClient()
  return useMutation({
    networkMode,
    async mutationFn({ task: { _id: item, version: base }, set, deed, beforeShown }: Change) {
      const { task, isStored } = await sendChange(queryClient, { item, base, set })
      if (!isStored) {
        await showStored(queryClient, task)
        throw changedElsewhere()
      }
      await beforeShown?.()
      await showStored(queryClient, task)
      if (task.version > base) remember(queryClient, deed, task)
      return task
    },
    onError(error, { task }) {
      console.error(error)
      if (isGone(error)) return showDeleted(queryClient, [task._id])
    },
  })
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Task } from '#contract/tasks.ts'
import { networkMode } from '../queries.ts'
import { sendChange } from '../send-change.ts'
import { heldTask, showStored } from '../task-cache.ts'
import { changedElsewhere } from '../task-errors.ts'
import { remember } from '../undo/undo-history.ts'
import type { CheckLine } from './check-lines.ts'
import { withChecked } from './ticked-body.ts'

/** How often a body that is being changed elsewhere is read again. */
const attempts = 3

/** Ticks a line of a task's body, or unticks it, whatever else was changed in the body meanwhile. */
export function useCheckLine(task: Task) {
  const queryClient = useQueryClient()
  const { _id: item } = task

  return useMutation({
    networkMode,
    // One after the other, so that each begins with the body that the one before has left.
    scope: { id: `body of ${item}` },
    async mutationFn({ line, checked }: { line: CheckLine; checked: boolean }) {
      let current = heldTask(queryClient, item) ?? task
      for (let attempt = 0; attempt < attempts; attempt++) {
        const body = withChecked(current.body, line, checked)
        if (body === undefined || body === current.body) {
          await showStored(queryClient, current)
          if (body === undefined) break
          return
        }
        const sent = await sendChange(queryClient, { item, base: current.version, set: { body } })
        current = sent.task
        if (!sent.isStored) continue
        remember(queryClient, 'Changed', current)
        return showStored(queryClient, current)
      }
      throw changedElsewhere()
    },
    onError: console.error,
  })
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { seqOf } from '../../sync/change-follower.ts'
import { followerOf } from '../../sync/followers.ts'
import { networkMode } from '../queries.ts'
import { showStored } from '../task-cache.ts'
import { confirmed } from '../task-errors.ts'
import { undoHistoryOf } from '../undo/undo-history.ts'

/** In milliseconds: until then a second click of a double click meets the same button, not a card that took its place. */
const restTime = 500

/**
 * Moves all overdue tasks to today, loaded or not, in as few groups as the server can undo together: up to 2,000 tasks are
 * one. After a failure the rest is still overdue, and moving can be tried again.
 */
export function useMoveOverdue() {
  const queryClient = useQueryClient()
  const { write } = followerOf(queryClient)

  async function moveGroup(rest: Promise<unknown>): Promise<boolean> {
    const { data, cursor } = confirmed(
      await write(
        () => call('POST /tasks/moveOverdue'),
        (answer) => answer.data.tasks.length,
      ),
    )
    const { tasks, more } = data
    await rest
    await showStored(queryClient, ...tasks)
    const title = `${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'} to today`
    if (cursor !== undefined && tasks.length > 0)
      undoHistoryOf(queryClient)
        .getState()
        .made({ seq: seqOf(cursor), isGroup: true, deed: 'Moved', title })
    return more
  }

  return useMutation({
    networkMode,
    async mutationFn({ isByPointer }: { isByPointer: boolean }) {
      const rest = new Promise((rested) => setTimeout(rested, isByPointer ? restTime : 0))
      while (await moveGroup(rest));
    },
    onError: console.error,
  })
}

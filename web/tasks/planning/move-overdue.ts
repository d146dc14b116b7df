import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { confirmed } from '../../store/change-errors.ts'
import { seqOf } from '../../store/replication.ts'
import { storeOf } from '../../store/use-store.ts'
import { todayHere } from '../../ui/civil-day.ts'
import { networkMode } from '../queries.ts'
import { undoHistoryOf } from '../undo/undo-history.ts'

/** In milliseconds: until then a second click of a double click meets the same button, not a card that took its place. */
const restTime = 500

/**
 * Moves all overdue tasks to today, loaded or not, in as few groups as the server can undo together: up to 2,000 tasks are
 * one. After a failure the rest is still overdue, and moving can be tried again.
 */
export function useMoveOverdue() {
  const queryClient = useQueryClient()
  const store = storeOf(queryClient)

  async function moveGroup(rest: Promise<unknown>): Promise<boolean> {
    const { data, cursor } = confirmed(await call('POST /tasks/moveOverdue'))
    const { tasks, more } = data
    store.put({ tasks })
    await rest
    if (cursor !== undefined && tasks.length > 0)
      undoHistoryOf(queryClient)
        .getState()
        .add({ seq: seqOf(cursor), count: tasks.length, action: 'Moved', title: 'to today' })
    return more
  }

  return useMutation({
    networkMode,
    async mutationFn({ isByPointer }: { isByPointer: boolean }) {
      const rest = new Promise((rested) => setTimeout(rested, isByPointer ? restTime : 0))
      const unpin = store.pin(store.list('today', todayHere()).map(({ _id }) => _id))
      try {
        while (await moveGroup(rest));
      } finally {
        unpin()
      }
    },
    onError: console.error,
  })
}

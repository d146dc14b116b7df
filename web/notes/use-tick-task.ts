import { useQueryClient } from '@tanstack/react-query'
import { storeOf } from '../store/use-store.ts'
import { makeChange } from '../tasks/change-task.ts'
import type { ItemAddress } from './markdown/note-address.ts'

/** Completes the task that a note links to, or reopens it; links show the same state as the lists. */
export function useTickTask(onFailure: (reason: string | undefined) => void) {
  const queryClient = useQueryClient()
  return async ({ id: item }: ItemAddress, done: boolean) => {
    onFailure(undefined)
    const title = storeOf(queryClient).task(item)?.title ?? ''
    const action = done ? 'Completed' : 'Reopened'
    const sentence = done ? 'The task was not completed.' : 'The task was not reopened.'
    await makeChange(queryClient, { item, set: { done } }, { action, title }).catch((error: Error) =>
      onFailure(`${sentence} ${error.message}`),
    )
  }
}

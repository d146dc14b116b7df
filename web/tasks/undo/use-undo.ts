import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { call, problemFrom } from '../../api/client.ts'
import { deltasOf } from '../../sync/deltas.ts'
import { followerOf } from '../../sync/followers.ts'
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts'
import { showStored } from '../task-cache.ts'
import { type Direction, undoHistoryOf } from './undo-history.ts'

/** Undoes the newest change of this tab, or redoes what was undone last. */
export function useUndo() {
  const queryClient = useQueryClient()
  return useOneAtATime((direction: Direction) => reverseNewest(queryClient, direction))[0]
}

async function reverseNewest(queryClient: QueryClient, direction: Direction) {
  // A change that is being sent is newer than all that have ended.
  await mutationsSettled(queryClient)
  const history = undoHistoryOf(queryClient).getState()
  const step = history[direction].at(-1)
  if (!step) return
  try {
    const { write } = followerOf(queryClient)
    const { seq, isGroup = false } = step
    const { data } = await write(
      () => call('POST /changes/:seq/undo', { params: { seq }, ...(isGroup && { query: { group: true } }) }),
      ({ data }) => data.results.length,
    )
    await showStored(queryClient, ...data.results.map(({ task }) => task ?? undefined))
    deltasOf(queryClient).publish({ written: data.results.flatMap(({ note }) => note ?? []) })
    history.reversed(direction, step, seqOf(data.cursor))
  } catch (error) {
    const problem = problemFrom(error)
    // Not found: the change is older than the log. Conflict: the task was changed again.
    const isFinal = problem?.status === 404 || problem?.status === 409
    history.failed(direction, step, { reason: problem?.message ?? 'The server did not confirm it.', isFinal })
  }
}

/** The number of the change that a cursor names. */
export const seqOf = (cursor: string) => Number.parseInt(cursor, 10)

function mutationsSettled(queryClient: QueryClient) {
  return new Promise<void>((resolve) => {
    if (queryClient.isMutating() === 0) return resolve()
    const stop = queryClient.getMutationCache().subscribe(() => {
      if (queryClient.isMutating() > 0) return
      stop()
      resolve()
    })
  })
}

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { call, problemFrom } from '../../api/client.ts'
import { seqOf } from '../../sync/change-follower.ts'
import { deltasOf } from '../../sync/deltas.ts'
import { followerOf } from '../../sync/followers.ts'
import { perCache } from '../../sync/per-cache.ts'
import { showStored } from '../task-cache.ts'
import { type Direction, undoHistoryOf } from './undo-history.ts'

/** The last press, and a number that changes whenever the presses that wait are dropped. */
const pressesOf = perCache((queryClient: QueryClient) => {
  const presses = { last: Promise.resolve(), round: 0 }
  // A press must not undo a change that was made after it.
  queryClient.getMutationCache().subscribe(({ type }) => {
    if (type === 'added') presses.round++
  })
  return presses
})

/**
 * Returns the function that undoes the newest change of this tab, or redoes what was undone last. Its calls wait for each
 * other. A failure drops those that wait, and so does a new change.
 */
export function useUndo() {
  const queryClient = useQueryClient()
  return (direction: Direction): Promise<void> => {
    const presses = pressesOf(queryClient)
    const { last, round } = presses
    // A change that is being sent is newer than all that have ended.
    const sent = mutationsSettled(queryClient)
    presses.last = last.then(async () => {
      await sent
      if (presses.round === round && !(await reverseNewest(queryClient, direction))) presses.round++
    })
    return presses.last
  }
}

/** Drops the presses that wait: the reader has left the dashboard, perhaps for another account. */
export const dropPresses = (queryClient: QueryClient) => void pressesOf(queryClient).round++

/** Returns false if the server did not undo or redo the newest change. */
async function reverseNewest(queryClient: QueryClient, direction: Direction): Promise<boolean> {
  const history = undoHistoryOf(queryClient).getState()
  const step = history[direction].at(-1)
  if (!step) return true
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
    return true
  } catch (error) {
    const problem = problemFrom(error)
    // Not found: the change is older than the log. Conflict: the task was changed again.
    const isFinal = problem?.status === 404 || problem?.status === 409
    history.failed(direction, step, { reason: problem?.message ?? 'The server did not confirm it.', isFinal })
    return false
  }
}

/** Waits for the changes that are being sent now. */
function mutationsSettled(queryClient: QueryClient) {
  const cache = queryClient.getMutationCache()
  const sent = cache.findAll({ status: 'pending' })
  const isSettled = () => sent.every(({ state }) => state.status !== 'pending')
  return new Promise<void>((resolve) => {
    if (isSettled()) return resolve()
    const stop = cache.subscribe(() => {
      if (!isSettled()) return
      stop()
      resolve()
    })
  })
}

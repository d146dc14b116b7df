import type { QueryClient } from '@tanstack/react-query'
import type { Call } from '#contract/api.ts'
import type { Task } from '#contract/tasks.ts'
import { call } from '../api/client.ts'
import { randomId } from '../api/random-id.ts'
import { followerOf } from '../sync/followers.ts'
import { confirmed, deletedElsewhere } from './task-errors.ts'

/** New values of a task's fields. */
export type TaskSet = Call<'POST /changes'>['body']['changes'][number]['set']

/** `base`: the version that was changed; without it, the last write wins. */
type Change = { item: string; base?: number; set: TaskSet }

/**
 * Sends a change of one task. Returns the task as it is now, and whether the change was stored: it was not if another
 * device has changed the same fields since `base`. Throws if the task is deleted, unless `set` says so itself.
 */
export async function sendChange(
  queryClient: QueryClient,
  { item, base, set }: Change,
): Promise<{ task: Task; isStored: boolean }> {
  const changes = [{ mutation: randomId(), item, ...(base !== undefined && { base }), set }]
  const { data } = confirmed(
    await followerOf(queryClient).writeItem(
      () => call('POST /changes', { body: { changes } }),
      ({ data }) => data.results[0]?.task,
    ),
  )
  const { outcome, task } = data.results[0] ?? {}
  if (!task || (task.deletedAt !== null && set.deleted === undefined)) throw deletedElsewhere()
  return { task, isStored: outcome !== 'conflict' }
}

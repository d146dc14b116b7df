import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { changesPerCall } from '#contract/limits.ts'
import { call } from '../../api/client.ts'
import type { DeletedItem } from '../../state/dashboard-store.ts'
import { deltasOf } from '../../sync/deltas.ts'
import { followerOf } from '../../sync/followers.ts'
import { networkMode } from '../queries.ts'
import { showDeleted } from '../task-cache.ts'
import { confirmed } from '../task-errors.ts'

type Wanted = { item: DeletedItem; andEarlier: boolean; onDone: () => void }

/** A deleted item as the lists of the server contain it. */
type Listed = { _id: string; deletedAt: string | null }

const query = { limit: changesPerCall }

/** For each kind, its newest deleted items, and how they leave the lists of the page. */
const kinds: Record<
  DeletedItem['kind'],
  { find: () => Promise<Listed[]>; showGone: (queryClient: QueryClient, ids: string[]) => void }
> = {
  task: {
    find: async () => (await call('GET /list/getDeletedTasks', { query })).data.lists,
    showGone: (queryClient, ids) => void showDeleted(queryClient, ids),
  },
  note: {
    find: async () => (await call('GET /notes', { query: { ...query, deleted: true } })).data.notes,
    showGone: (queryClient, purged) => deltasOf(queryClient).publish({ purged }),
  },
}

/**
 * Removes a deleted item for good, or with `andEarlier` also those of its kind that were deleted before it, loaded or not.
 * After a failure half way it can be called again. Calls `onDone` before the items leave the lists.
 */
export function useDeleteForGood() {
  const queryClient = useQueryClient()
  const { write } = followerOf(queryClient)

  return useMutation({
    networkMode,
    async mutationFn({ item, andEarlier, onDone }: Wanted) {
      const gone = new Set<string>()
      try {
        let items = andEarlier ? await findEarlier(item) : [item.id]
        while (items.length > 0) {
          const body = { items }
          confirmed(await write(() => call('POST /items/purge', { body })))
          // An item that was not removed is not deleted any more, or was removed before.
          for (const id of items) gone.add(id)
          items = andEarlier ? (await findEarlier(item)).filter((id) => !gone.has(id)) : []
        }
        onDone()
      } finally {
        // After the dialog has given the focus back to the card, from which it moves on when the card leaves.
        setTimeout(() => kinds[item.kind].showGone(queryClient, [...gone]))
      }
    },
    onError: console.error,
  })
}

/** The next items that were deleted no later than this one. What was deleted since the reader was asked is not among them. */
async function findEarlier({ kind, deletedAt }: DeletedItem): Promise<string[]> {
  const listed = await kinds[kind].find()
  return listed.filter((other) => String(other.deletedAt) <= String(deletedAt)).map(({ _id }) => _id)
}

import { changesPerCall } from '#contract/limits.ts'
import type { Changes } from './changes.ts'
import type { Journal } from './journal/journal.ts'
import type { Needs } from './needs.ts'
import { confirmed } from './store/change-errors.ts'
import type { Store } from './store/store.ts'

/** An item that was deleted, and when. */
type Deleted = { _id: string; deletedAt: string | null }

type Parts = { needs: Needs; store: Store; journal: Journal; changes: Changes }

type Wanted = { item: Deleted; andEarlier: boolean; onDone: () => void }

const query = { limit: changesPerCall }

/**
 * Removes a deleted item for good, or with `andEarlier` also those that were deleted before it, loaded or not.
 * After a failure half way it can be called again. Calls `onDone` before the items leave the lists.
 */
export const purge = (
  { needs: { call }, store, journal, changes }: Parts,
  { item, andEarlier, onDone }: Wanted,
) =>
  changes.awaiting(async () => {
    const gone = new Set<string>()
    const unpins: (() => void)[] = []
    try {
      await journal.answered(andEarlier ? undefined : item._id)
      let items = andEarlier ? await findEarlier(call, item) : [item._id]
      while (items.length > 0) {
        unpins.push(store.pin(items))
        confirmed(await call('POST /items/purge', { body: { items } }))
        // An item that was not removed is not deleted any more, or was removed before.
        for (const id of items) gone.add(id)
        items = andEarlier ? (await findEarlier(call, item)).filter((id) => !gone.has(id)) : []
      }
      onDone()
    } finally {
      // After the dialog has given the focus back to the card, from which it moves on when the card leaves.
      setTimeout(() => {
        store.remove(gone)
        for (const unpin of unpins) unpin()
      })
    }
  })

/** The next items that were deleted no later than this one. Those that were deleted after the question are not among them. */
async function findEarlier(call: Needs['call'], { deletedAt }: Deleted): Promise<string[]> {
  const tasks = (await call('GET /list/getDeletedTasks', { query })).data.lists
  const notes = (await call('GET /notes', { query: { ...query, deleted: true } })).data.notes
  const earlier = [...tasks, ...notes].filter((other) => String(other.deletedAt) <= String(deletedAt))
  return earlier.map(({ _id }) => _id).slice(0, changesPerCall)
}

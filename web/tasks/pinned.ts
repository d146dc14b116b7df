import { fadeTime, readingTime } from '../changes/changes.ts'
import { isGone } from '../store/change-errors.ts'
import type { Store } from '../store/store.ts'

/**
 * Makes a change of a task while its card stays as it is, although the server's stream may report the change first. If the
 * task turns out to be gone, the card stays until that has been read.
 */
export async function whilePinned<Result>(
  store: Store,
  id: string,
  change: () => Promise<Result>,
): Promise<Result> {
  const unpin = store.pin([id])
  try {
    const result = await change()
    unpin()
    return result
  } catch (error) {
    const leave = () => {
      store.remove([id])
      unpin()
    }
    if (isGone(error)) setTimeout(leave, readingTime + fadeTime)
    else unpin()
    throw error
  }
}

import { type Entry, shownBy } from '../entry.ts'
import { isWhole } from '../items.ts'
import type { Store } from '../store/store.ts'
import type { Result } from './entries.ts'

/** Shows what the server has derived from a stored change, which its answer does not contain, until the log does. */
export function showDerived(store: Store, entry: Entry, result: Result | undefined) {
  if (!result?.item) return
  // The server makes an item directly after the change that asks for it, unless another device had made it before.
  const version = result.seq === undefined ? 0 : result.seq + 1
  const madeBy = version || result.item.version
  for (const [id, values] of Object.entries(shownBy(entry)))
    if (values === null) store.remove([id])
    else if (isWhole(values)) store.expect({ ...values, version }, madeBy)
}

import { perCache } from '../../sync/per-cache.ts'
import { type Late, useLateChanges } from './late-changes.ts'
import './unsent-dot.css'

const itemsOf = perCache((changes: readonly Late[]) => new Set(changes.flatMap(({ items }) => items)))

/** Stands at an item with changes, or with an unsaved text, that the server does not have yet. */
export function UnsentDot({ item }: { item: string }) {
  const isUnsent = useLateChanges((changes) => itemsOf(changes).has(item))
  return isUnsent && <span className="unsent-dot" role="img" aria-label="Not sent yet" title="Not sent yet" />
}

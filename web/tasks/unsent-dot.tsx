import { type Entry, itemsOfEntry } from '../store/pending-change.ts'
import { perCache } from '../sync/per-cache.ts'
import { useLateChanges } from './late-changes.ts'
import './unsent-dot.css'

const itemsOf = perCache((entries: readonly Entry[]) => new Set(entries.flatMap(itemsOfEntry)))

/** Stands at an item with changes, or with an unsaved text, that the server does not have yet. */
export function UnsentDot({ item, isUnsaved = false }: { item: string; isUnsaved?: boolean }) {
  const isUnsent = useLateChanges((entries) => itemsOf(entries).has(item))
  return (
    (isUnsent || isUnsaved) && (
      <span className="unsent-dot" role="img" aria-label="Not sent yet" title="Not sent yet" />
    )
  )
}

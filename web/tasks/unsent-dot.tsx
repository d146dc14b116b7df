import { itemsOfEntry } from '../store/pending-change.ts'
import { useLateChanges } from './late-changes.ts'
import './unsent-dot.css'

/** Stands at an item with changes that the server does not have yet. */
export function UnsentDot({ item }: { item: string }) {
  const isUnsent = useLateChanges((entries) => entries.some((entry) => itemsOfEntry(entry).includes(item)))
  return isUnsent && <span className="unsent-dot" role="img" aria-label="Not sent yet" title="Not sent yet" />
}

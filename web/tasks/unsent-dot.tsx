import { useIsLate } from '../state/use-engine.tsx'
import './unsent-dot.css'

/** Stands at an item with changes, or with an unsaved text, that the server does not have yet. */
export const UnsentDot = ({ item }: { item: string }) =>
  useIsLate(item) && <span className="unsent-dot" role="img" aria-label="Not sent yet" title="Not sent yet" />

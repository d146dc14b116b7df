import { useIsLate } from '../state/use-engine.tsx'
import './unsent-dot.css'

export const UnsentDot = ({ item }: { item: string }) =>
  useIsLate(item) && <span className="unsent-dot" role="img" aria-label="Not sent yet" title="Not sent yet" />

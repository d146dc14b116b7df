import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { toDecide } from '../engine/waiting.ts'
import { useEngine, useJournal } from '../state/use-engine.tsx'
import { useChunk } from '../ui/use-chunk.ts'

const loadDecisions = () => import('./unsent-decisions.tsx')

export function UnsentNotice() {
  const { connection, unsent } = useEngine()
  const isOffline = useStore(connection.offline)
  const hasUnsent = useJournal((journal) => journal.entries().length > 0)
  const isRejected = useJournal((journal) => toDecide(journal.entries()).length > 0)
  const [hasDamaged, setDamaged] = useState(false)
  // Not during rendering: the prerendered page has no storage.
  useEffect(() => setDamaged(unsent.damaged().length > 0), [unsent])
  // With the first change that may be rejected, and after a failure when the page is online again.
  const [loaded] = useChunk(loadDecisions, (hasUnsent || hasDamaged) && !isOffline)
  if (!(isRejected || hasDamaged) || !loaded || loaded === 'failed') return
  return <loaded.UnsentDecisions hasDamaged={hasDamaged} onDiscarded={() => setDamaged(false)} />
}

import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { damagedUnsent } from '../engine/kept/unsent-storage.ts'
import { offline } from '../engine/store/page-connection.ts'
import { toDecide } from '../engine/waiting.ts'
import { useJournal } from '../state/use-engine.tsx'
import { useChunk } from '../ui/use-chunk.ts'

const loadDecisions = () => import('./unsent-decisions.tsx')

/** Says which changes the server has rejected. */
export function UnsentNotice() {
  const isOffline = useStore(offline)
  const hasUnsent = useJournal((journal) => journal.entries().length > 0)
  const isRejected = useJournal((journal) => toDecide(journal.entries()).length > 0)
  const [hasDamaged, setDamaged] = useState(false)
  // Not during rendering: the prerendered page has no storage.
  useEffect(() => setDamaged(damagedUnsent().length > 0), [])
  // With the first change that may be rejected, and after a failure when the page is online again.
  const [loaded] = useChunk(loadDecisions, (hasUnsent || hasDamaged) && !isOffline)
  if (!(isRejected || hasDamaged) || !loaded || loaded === 'failed') return
  return <loaded.UnsentDecisions hasDamaged={hasDamaged} onDiscarded={() => setDamaged(false)} />
}

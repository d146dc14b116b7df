import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { useJournal } from '../state/dashboard.tsx'
import { offline } from '../store/page-connection.ts'
import { useChunk } from '../ui/use-chunk.ts'
import { damagedUnsent } from './kept/unsent-storage.ts'
import { toDecide } from './waiting/waiting.ts'

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

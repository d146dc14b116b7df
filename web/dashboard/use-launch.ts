import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useWriteNote } from '../notes/use-write-note.ts'
import { useDashboard } from '../state/dashboard-state.tsx'

/** Follows an address that a shortcut of the installed page or another program opens; rare, so in a separate chunk. */
export function useLaunch(queryClient: QueryClient) {
  const { search } = useLocation()
  const navigate = useNavigate()
  const open = useDashboard((state) => state.open)
  const writeNote = useWriteNote()
  const follow = useEffectEvent(async () => {
    if (!/[?&](new|shared-\w+)=/.test(search)) return
    const { launch } = await import('./launch.ts')
    launch(search, { queryClient, navigate, open, writeNote })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each URL is looked at once
  useEffect(() => void follow().catch(console.error), [search])
}

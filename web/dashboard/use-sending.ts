import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { journalOf } from '../changes/page-journal.ts'
import { followConnection } from '../store/connection.ts'

/** Sends the changes of this device while the dashboard is open. */
export const useSending = (queryClient: QueryClient) =>
  useEffect(() => {
    const left = new AbortController()
    followConnection(left.signal)
    const stop = journalOf(queryClient).start()
    return () => {
      stop()
      left.abort()
    }
  }, [queryClient])

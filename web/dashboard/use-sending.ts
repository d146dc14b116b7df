import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followConnection } from '../store/connection.ts'
import { outboxOf } from '../tasks/outbox.ts'

/** Sends the changes of this device while the dashboard is open. */
export const useSending = (queryClient: QueryClient) =>
  useEffect(() => {
    const left = new AbortController()
    followConnection(left.signal)
    const stop = outboxOf(queryClient).start()
    return () => {
      stop()
      left.abort()
    }
  }, [queryClient])

import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followChanges } from '../store/follow-changes.ts'
import { todayHere } from '../ui/civil-day.ts'

/** Keeps the store complete and shows the changes of other tabs and devices while the dashboard is open. */
export const useOthersChanges = (queryClient: QueryClient) =>
  useEffect(() => followChanges(queryClient, todayHere), [queryClient])

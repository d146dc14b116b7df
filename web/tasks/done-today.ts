import { useStored } from '../store/use-store.ts'
import { dayOfInstant, useToday } from '../ui/civil-day.ts'

/** How many tasks were completed today. */
export function useDoneToday(): number {
  const today = useToday()
  const done = useStored((store) => store.list('done', ''))
  const earlier = done.findIndex(({ doneAt }) => doneAt !== null && dayOfInstant(doneAt) !== today)
  return earlier < 0 ? done.length : earlier
}

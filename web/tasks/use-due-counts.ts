import { useStored } from '../state/use-engine.tsx'
import { dayOfInstant, useToday } from '../ui/civil-day.ts'

export function useDueCounts() {
  const today = useToday()
  const days = useStored((store) => store.openDays())
  let overdue = 0
  for (const [day, tasks] of days) if (day < today) overdue += tasks
  return { overdue, today: days.get(today) ?? 0 }
}

export function useDoneToday() {
  const today = useToday()
  const done = useStored((store) => store.list('done', ''))
  const earlier = done.findIndex(({ doneAt }) => doneAt !== null && dayOfInstant(doneAt) !== today)
  return earlier < 0 ? done.length : earlier
}

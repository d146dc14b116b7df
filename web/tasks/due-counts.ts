import { useStored } from '../store/use-store.ts'
import { useToday } from '../ui/civil-day.ts'

/** How many open tasks are overdue and how many are due today. */
type DueCounts = { overdue: number; today: number }

export function useDueCounts(): DueCounts {
  const today = useToday()
  const days = useStored((store) => store.openDays())
  let overdue = 0
  for (const [day, tasks] of days) if (day < today) overdue += tasks
  return { overdue, today: days.get(today) ?? 0 }
}

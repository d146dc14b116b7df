import { useStored } from '../../state/dashboard.tsx'
import { formatTime, useTimeHere, useToday } from '../../ui/civil-day.ts'
import { useLocale } from '../../ui/locale.ts'
import { hasPassed } from '../passed-time.ts'

/** The next task of today that has a time. */
export function NextTask() {
  const [today, now, locale] = [useToday(), useTimeHere(), useLocale()]
  const next = useStored((store) =>
    store
      .list('today', today)
      .find((task) => task.dueDate === today && task.dueTime !== null && !hasPassed(task, today, now)),
  )
  if (!next?.dueTime) return
  return (
    <>
      {' · '}Next at {formatTime(next.dueTime, locale)}: <bdi>{next.title}</bdi>
    </>
  )
}

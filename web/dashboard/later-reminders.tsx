import { useRetriedChunk } from '../reminders/use-retried-chunk.ts'
import { useStored } from '../state/dashboard.tsx'

const loadWatch = () => import('../reminders/reminder-watch.tsx')

/** The reminders of the open page, once all tasks are known. */
export function LaterReminders() {
  const chunk = useRetriedChunk(
    loadWatch,
    useStored((store) => store.isComplete),
  )
  return chunk && <chunk.ReminderWatch />
}

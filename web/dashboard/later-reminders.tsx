import { useStored } from '../state/dashboard.tsx'
import { useChunk } from '../ui/use-chunk.ts'

const loadWatch = () => import('../reminders/reminder-watch.tsx')

/** The reminders of the open page, once all tasks are known. */
export function LaterReminders() {
  const [chunk] = useChunk(
    loadWatch,
    useStored((store) => store.isComplete),
  )
  return typeof chunk === 'object' && <chunk.ReminderWatch />
}

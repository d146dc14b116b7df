import { useChunk } from '../ui/use-chunk.ts'
import { useDueReminders } from './use-due-reminders.ts'

const loadStrip = () => import('./reminder-strip.tsx')

/** Shows the reminders that come while the page is open, in one tab of this browser. */
export function ReminderWatch() {
  const { items, dismiss } = useDueReminders()
  const isShown = items.length > 0
  const [chunk] = useChunk(loadStrip, isShown)
  return (
    <section aria-label="Reminders">
      {/* A live region must exist before its text. */}
      <div role="status">
        {isShown && typeof chunk === 'object' && <chunk.ReminderStrip items={items} onDismiss={dismiss} />}
      </div>
    </section>
  )
}

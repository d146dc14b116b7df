import { useEffect } from 'react'
import { useSettings } from '../settings/settings-store.ts'
import { onWake } from '../sync/retry-delay.ts'
import { useChunk } from '../ui/use-chunk.ts'
import { useDueReminders } from './use-due-reminders.ts'

const loadStrip = () => import('./reminder-strip.tsx')

/** Shows the reminders that come while the page is open, in one tab of this browser. */
export function ReminderWatch() {
  useEffect(sendPresses, [])
  const { items, dismiss } = useDueReminders()
  // Without a zone, no device of the account gets reminders.
  const hasDevices = useSettings().zone !== null
  const isWanted = items.length > 0 || hasDevices
  const [chunk] = useChunk(loadStrip, isWanted)
  return (
    <section aria-label="Reminders">
      {/* A live region must exist before its text. */}
      <div role="status">
        {isWanted && typeof chunk === 'object' && (
          <chunk.ReminderStrip items={items} onDismiss={dismiss} hasDevices={hasDevices} />
        )}
      </div>
    </section>
  )
}

/** Lets the worker send the presses on notifications that were made without a network. Some browsers wake it for nothing else. */
function sendPresses() {
  const controller = new AbortController()
  const send = () => navigator.serviceWorker?.controller?.postMessage('presses')
  send()
  onWake(send, controller.signal)
  return () => controller.abort()
}

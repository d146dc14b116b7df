import { useEffect } from 'react'
import type { Needs } from '../engine/needs.ts'
import { useSettings } from '../settings/settings-store.ts'
import { useEngine, useStored } from '../state/use-engine.tsx'
import { useDueReminders } from './use-due-reminders.ts'
import { useRetriedChunk } from './use-retried-chunk.ts'

const loadStrip = () => import('./reminder-strip.tsx')

/** Shows the reminders that come while the page is open, in one tab of this browser. */
export function ReminderWatch() {
  const { onWake } = useEngine().needs
  useEffect(() => sendPresses(onWake), [onWake])
  const { items, dismiss } = useDueReminders()
  const said = useStored((store) =>
    textOf(items, items[0] === undefined ? '' : (store.task(items[0])?.title ?? '')),
  )
  // Without a zone, no device of the account gets reminders.
  const hasDevices = useSettings().zone !== null
  const isWanted = items.length > 0 || hasDevices
  const chunk = useRetriedChunk(loadStrip, isWanted)
  return (
    <section aria-label="Reminders">
      {/* A live region must exist before its text, and is beside the buttons: they would be read with each change. */}
      <p role="status" className="visually-hidden">
        {said}
      </p>
      {isWanted && chunk && <chunk.ReminderStrip items={items} onDismiss={dismiss} hasDevices={hasDevices} />}
    </section>
  )
}

/** What a screen reader says of the reminders that are shown, the newest first. */
function textOf(items: string[], newest: string): string {
  if (items.length === 0) return ''
  const quoted = `“${newest || 'Untitled'}”`
  return items.length === 1
    ? `Reminder of ${quoted}.`
    : `There are ${items.length} reminders. The newest is of ${quoted}.`
}

/** Lets the worker send the presses on notifications that were made without a network. Some browsers wake it for nothing else. */
function sendPresses(onWake: Needs['onWake']) {
  const controller = new AbortController()
  const send = () => navigator.serviceWorker?.controller?.postMessage('presses')
  send()
  onWake(send, controller.signal)
  return () => controller.abort()
}

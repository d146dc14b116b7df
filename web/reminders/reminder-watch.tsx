import { useEffectEvent, useRef, useState } from 'react'
import { hasSessionEnded, isSessionOver, ownAccount, storedValue } from '../api/session.ts'
import { rest } from '../parts/parts.ts'
import { isRemindedHere } from '../settings/push.ts'
import { useSettings } from '../settings/settings-store.ts'
import { useEngine, useStored } from '../state/use-engine.tsx'
import { onEachMinute } from '../ui/civil-day.ts'
import { useLoaded } from '../ui/use-part.ts'
import { useSignal } from '../ui/use-signal.ts'
import { createLooks, type DueReminder, remindersBetween, stillReminds } from './due-reminders.ts'

/** Shows the reminders that come while the page is open, in one tab of this browser. */
export function ReminderWatch() {
  const { onWake } = useEngine().needs
  useSignal([onWake], (signal) => {
    // Lets the worker send the presses on notifications that were made without a network. Some browsers wake it for nothing else.
    const send = () => navigator.serviceWorker?.controller?.postMessage('presses')
    send()
    onWake(send, signal)
  })
  const { items, dismiss } = useDueReminders()
  const said = useStored((store) =>
    textOf(items, items[0] === undefined ? '' : (store.task(items[0])?.title ?? '')),
  )
  // Without a zone, no device of the account gets reminders.
  const hasDevices = useSettings().zone !== null
  const isWanted = items.length > 0 || hasDevices
  const loaded = useLoaded(rest, isWanted)
  return (
    <section aria-label="Reminders">
      {/* A live region must exist before its text, and is beside the buttons: they would be read with each change. */}
      <p role="status" className="visually-hidden">
        {said}
      </p>
      {isWanted && loaded && (
        <loaded.ReminderStrip items={items} onDismiss={dismiss} hasDevices={hasDevices} />
      )}
    </section>
  )
}

function textOf(items: string[], newest: string): string {
  if (items.length === 0) return ''
  const quoted = `“${newest || 'Untitled'}”`
  return items.length === 1
    ? `Reminder of ${quoted}.`
    : `There are ${items.length} reminders. The newest is of ${quoted}.`
}

type KeptReminders = { shown?: DueReminder[]; since?: number | undefined }

export function useDueReminders() {
  const { store, replication } = useEngine()
  const [account] = useState(() => ownAccount() ?? '')
  const settings = useSettings()
  const looks = useRef<ReturnType<typeof createLooks>>(undefined)
  const [come, setCome] = useState<DueReminder[]>([])
  const key = `reminders ${account} tab`

  const look = useEffectEvent(async () => {
    // A tab in the background leaves it to the one that a person looks at.
    if (document.visibilityState === 'hidden' || isSessionOver()) return
    // Then the push service shows them.
    const isShownElsewhere = await isRemindedHere()
    const news = await looks.current?.look(
      (period) => remindersBetween(store.tasks(), settings, period),
      replication.caughtUpAt,
    )
    if (!news || isShownElsewhere || isSessionOver()) return
    const items = new Set(news.map(({ item }) => item))
    setCome((shown) => [...news.toReversed(), ...shown.filter(({ item }) => !items.has(item))])
  })

  function take() {
    const kept = storedValue<KeptReminders>(sessionStorage, key) ?? {}
    sessionStorage.removeItem(key)
    looks.current = createLooks(account, kept.since)
    setCome(kept.shown ?? [])
  }
  const keep = useEffectEvent(() => {
    if (isSessionOver() && !hasSessionEnded()) return
    const kept: KeptReminders = { shown: come, since: looks.current?.since() }
    sessionStorage.setItem(key, JSON.stringify(kept))
  })
  // The session storage has them only while the page is hidden or loads, because a duplicate of the tab gets a copy.
  const keepOrDrop = useEffectEvent(() => {
    if (document.visibilityState === 'hidden') keep()
    else sessionStorage.removeItem(key)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useSignal([], (signal) => {
    take()
    document.addEventListener('visibilitychange', () => keepOrDrop(), { signal })
    window.addEventListener('pagehide', () => keep(), { signal })
    const lookNow = () => void look().catch(console.error)
    lookNow()
    signal.addEventListener('abort', onEachMinute(lookNow))
    signal.addEventListener('abort', () => keep())
  })

  const shown = useStored((store) =>
    come
      .filter(({ item, at }) => stillReminds(store.task(item), at, settings))
      .map(({ item }) => item)
      .join(' '),
  )
  return {
    items: shown.split(' ').filter(Boolean),
    dismiss: (item: string) => setCome((shown) => shown.filter((each) => each.item !== item)),
  }
}

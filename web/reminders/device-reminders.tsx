import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Reminders } from '#contract/reminders.ts'
import type { Task } from '#contract/tasks.ts'
import { call } from '../api/page-client.ts'
import { readReminders } from '../settings/push.ts'
import {
  changeSettings,
  isZoneHere,
  settingsNow,
  syncSettings,
  useSettings,
  zoneHere,
} from '../settings/settings-store.ts'
import { pageSigns } from '../state/page-needs.ts'
import { useEngine, useStored } from '../state/use-engine.tsx'
import { useShowTask } from '../tasks/use-show-task.ts'
import { IconButton } from '../ui/button.tsx'
import { format, formatInstant, useDayContext } from '../ui/civil-day.ts'

/** Milliseconds that an answer counts for a person who comes back to the page. */
const freshFor = 10 * 60_000

const mostNamed = 3

const isOpen = (task: Task | undefined) => task?.doneAt === null && task.deletedAt === null

/** Shows the reminders that no device got, if their tasks are still open. */
export function DeviceReminders() {
  const [missed, setMissed] = useState<Reminders['missed']>([])
  const { store } = useEngine()
  useZone()
  useWantedTask()
  const { zone, defaultReminder, quietFrom, quietUntil } = useSettings()
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a change of these settings, the answer is another one
  useEffect(() => {
    let readAt = Number.NEGATIVE_INFINITY
    const look = () => {
      if (document.visibilityState === 'hidden' || Date.now() - readAt < freshFor) return
      readAt = Date.now()
      readReminders().then(({ missed }) => setMissed(missed), console.warn)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [zone, defaultReminder, quietFrom, quietUntil])

  function dismiss() {
    setMissed([])
    call('DELETE /reminders/missed').catch(console.warn)
  }
  const { today, locale } = useDayContext()
  const open = useStored((store) =>
    missed
      .filter(({ item }) => isOpen(store.task(item)))
      .map(({ item }) => item)
      .join(' '),
  )
  const shown = missed.filter(({ item }) => open.split(' ').includes(item))
  const others = shown.length - mostNamed
  return (
    <>
      <p role="status" className="visually-hidden">
        {shown.length > 0 &&
          'Reminders were missed while the server was off or your devices could not be reached.'}
      </p>
      {shown.length > 0 && (
        <ul className="missed-reminders">
          <li className="row wraps apart">
            <p className="wraps">
              These reminders were missed while the server was off or your devices could not be reached:
            </p>
            <IconButton icon="close" label="Dismiss the missed reminders" onClick={dismiss} />
          </li>
          {shown.slice(0, mostNamed).map(({ item, at }) => (
            <li key={`${item} ${at}`} className="row wraps apart">
              <p className="wraps">
                <bdi>{store.task(item)?.title || 'Untitled'}</bdi>
                <span className="soft small">
                  {formatInstant(at, today, locale)}, {format(at, locale, { timeStyle: 'short' })}
                </span>
              </p>
            </li>
          ))}
          {others > 0 && (
            <li className="row wraps apart">
              {others === 1 ? 'There is 1 more.' : `There are ${others} more.`}
            </li>
          )}
        </ul>
      )}
    </>
  )
}

/** Tells the server the zone of the page that a person opened or looked at last. */
function useZone() {
  useEffect(() => {
    const tell = async () => {
      if (document.visibilityState === 'hidden') return
      // Another device may have set another zone since.
      await syncSettings()
      const { zone, zonePinned } = settingsNow()
      if (zone !== null && !zonePinned && !isZoneHere(zone)) changeSettings({ zone: zoneHere() })
    }
    const tellNow = () => void tell().catch(console.warn)
    tellNow()
    const left = new AbortController()
    pageSigns.on(['focus', 'shown'], tellNow, left.signal)
    return () => left.abort()
  }, [])
}

/** Shows the task of a pressed notification, which is in the address of a new page or in a message to an open one. */
function useWantedTask() {
  const { store } = useEngine()
  const { search } = useLocation()
  const navigate = useNavigate()
  const showTask = useShowTask()
  const show = useEffectEvent((id: unknown) => {
    const task = typeof id === 'string' ? store.task(id) : undefined
    if (task) showTask(task)
  })
  const follow = useEffectEvent(() => {
    const wanted = new URLSearchParams(search).get('task')
    if (wanted === null) return
    navigate('/dashboard', { replace: true })
    show(wanted)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each URL is looked at once
  useEffect(follow, [search])
  useEffect(() => {
    const listen = ({ data }: MessageEvent) => show(data?.task)
    navigator.serviceWorker?.addEventListener('message', listen)
    return () => navigator.serviceWorker?.removeEventListener('message', listen)
  }, [])
}

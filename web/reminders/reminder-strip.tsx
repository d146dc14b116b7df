import { useEffect, useRef } from 'react'
import { remindedAgain } from '#contract/reminder-times.ts'
import type { Task } from '#contract/tasks.ts'
import type { NewChange } from '../engine/entry.ts'
import { edit } from '../engine/verbs/add-edit.ts'
import { complete } from '../engine/verbs/complete.ts'
import { move } from '../engine/verbs/plan.ts'
import { settingsNow, zoneOfReminders } from '../settings/settings-store.ts'
import { useEngine, useStored } from '../state/use-engine.tsx'
import { anHourAfter, tomorrowOf, wallClock } from '../tasks/reminders/reminder-text.ts'
import { useShowTask } from '../tasks/use-show-task.ts'
import { Button, IconButton, LinkButton } from '../ui/button.tsx'
import { formatDay, formatTime, useDayContext } from '../ui/civil-day.ts'
import { ignoreRepeats } from '../ui/drop-second-click.ts'
import { DeviceReminders } from './device-reminders.tsx'
import './reminder-strip.css'

const mostShown = 3

type StripProps = { items: string[]; onDismiss: (item: string) => void; hasDevices: boolean }

export function ReminderStrip({ items, onDismiss, hasDevices }: StripProps) {
  const others = items.length - mostShown
  const newest = items[0]
  // The strip may cover the focused card when it appears or grows.
  useEffect(() => {
    if (newest !== undefined)
      document.activeElement?.closest('[data-task]')?.scrollIntoView({ block: 'nearest' })
  }, [newest])
  return (
    <div className="reminder-strip edged">
      {hasDevices && <DeviceReminders />}
      {items.length > 0 && (
        <ul>
          {items.slice(0, mostShown).map((item) => (
            <Reminder key={item} item={item} onClose={() => onDismiss(item)} />
          ))}
          {others > 0 && (
            <li className="row wraps apart">
              {others === 1 ? 'There is 1 more reminder.' : `There are ${others} more reminders.`}
            </li>
          )}
        </ul>
      )}
    </div>
  )
}

function Reminder({ item, onClose }: { item: string; onClose: () => void }) {
  const { changes } = useEngine()
  const task = useStored((store) => store.task(item))
  const showTask = useShowTask()
  const row = useRef<HTMLLIElement>(null)
  if (!task) return

  function close() {
    // Otherwise the focus would go with the buttons.
    if (row.current?.contains(document.activeElement)) document.getElementById('panel-title')?.focus()
    onClose()
  }
  function answer(change: NewChange) {
    close()
    changes.make([change])
  }
  return (
    <li ref={row} className="row wraps apart" data-reminder={item}>
      <p className="wraps">
        <Button className="reminder-title" onClick={() => showTask(task)}>
          <bdi>{task.title || 'Untitled'}</bdi>
        </Button>
        <Due task={task} />
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons in it */}
      <div className="reminder-actions row airy targets" onKeyDown={ignoreRepeats}>
        <LinkButton onClick={() => answer(complete.make(task))}>Done</LinkButton>
        <LinkButton onClick={() => answer(remindAgain(task, new Date()))}>In an hour</LinkButton>
        <LinkButton
          onClick={() => answer(move.make(task, tomorrowOf(new Date(), zoneOfReminders(settingsNow()))))}
        >
          Tomorrow
        </LinkButton>
        <IconButton
          icon="close"
          label={`Dismiss the reminder of ${task.title || 'Untitled'}`}
          onClick={close}
        />
      </div>
    </li>
  )
}

function Due({ task: { dueDate, dueTime } }: { task: Task }) {
  const { today, locale } = useDayContext()
  if (!dueDate) return <span className="soft small">Reminder</span>
  const day = dueDate === today ? 'today' : formatDay(dueDate, today, locale)
  return (
    <span className="soft small">
      {dueTime ? `Due ${day} at ${formatTime(dueTime, locale)}` : `Due ${day}`}
    </span>
  )
}

function remindAgain(task: Task, now: Date): NewChange {
  const zone = zoneOfReminders(settingsNow())
  const reminders = remindedAgain(task.reminders, anHourAfter(now, zone), wallClock(now, zone))
  return edit.make(task, { ...task, reminders })
}

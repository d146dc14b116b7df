import { useId, useState } from 'react'
import { timeHere, todayHere } from '#contract/days.ts'
import { parseReminders, reminderLimits, reminderTimes } from '#contract/reminder-times.ts'
import { defaultReminders } from '#contract/settings.ts'
import { useSettings, zoneOfReminders } from '../../settings/settings-store.ts'
import { Button } from '../../ui/button.tsx'
import { useDayContext, useTimeHere } from '../../ui/civil-day.ts'
import { Select } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { instantOf, reminderText } from '../reminders/reminder-text.ts'

type RemindersFieldProps = {
  due: string
  time: string
  reminders: string
  onChoose: (values: { reminders: string }) => void
}

const daysBefore = ['0d09:00', '1d19:00']
const minutesBefore = defaultReminders.filter((text) => text !== 'none')

export function RemindersField({ due, time, reminders, onChoose }: RemindersFieldProps) {
  const id = useId()
  const { today, locale } = useDayContext()
  const settings = useSettings()
  const { defaultReminder } = settings
  const zone = zoneOfReminders(settings)
  const [isDated, setDated] = useState(false)
  // A reminder passes while the form is open.
  useTimeHere()
  const task = { dueDate: due || null, dueTime: (due && time) || null, reminders: reminders || null }
  const isTimed = task.dueTime !== null
  const times = reminderTimes(task, defaultReminder)
  const shown = times.map(({ reminder }) => reminder)
  const isFull = shown.length >= reminderLimits.chosen
  const offered = [...(isTimed ? minutesBefore : []), ...(due ? daysBefore : [])]

  const choose = (chosen: readonly string[]) =>
    onChoose({ reminders: writtenReminders(chosen, isTimed, defaultReminder) })

  function add(text: string) {
    setDated(text === 'at')
    if (text !== 'at' && text && !shown.includes(text)) choose([...shown, text])
  }

  return (
    <>
      <label htmlFor={id}>Remind me</label>
      {times.length > 0 && (
        <ul className="chosen-reminders wraps words small">
          {times.map((each) => {
            const text = reminderText(each.reminder, { today, locale })
            const isOver = instantOf(each, zone) <= Date.now()
            return (
              <li key={each.reminder}>
                <button
                  type="button"
                  aria-label={isOver ? `${text}, over, it will not remind, remove` : `${text}, remove`}
                  onClick={() => choose(shown.filter((text) => text !== each.reminder))}
                >
                  {text}
                  {isOver && ' (over, it will not remind)'}
                  <Icon name="close" />
                </button>
              </li>
            )
          })}
        </ul>
      )}
      <Select
        id={id}
        value={isDated ? 'at' : ''}
        disabled={isFull}
        choices={[
          ['', isFull ? 'A task has up to three reminders' : shown.length > 0 ? 'Add a reminder' : 'Never'],
          ...offered
            .filter((text) => !shown.includes(text))
            .map((text) => [text, reminderText(text, { today, locale })] as const),
          ['at', 'At a day and time'],
        ]}
        onChoose={add}
      />
      {isDated && !isFull && (
        <DayAndTime start={due > today ? `${due}T09:00` : nextHour(new Date())} onAdd={add} />
      )}
    </>
  )
}

function nextHour(now: Date): string {
  now.setHours(now.getHours() + 1, 0)
  return `${todayHere(now)}T${timeHere(now)}`
}

function DayAndTime({ start, onAdd }: { start: string; onAdd: (text: string) => void }) {
  const [wall, setWall] = useState(start)
  return (
    <div className="repeat-more row wraps">
      <input
        type="datetime-local"
        aria-label="Day and time of the reminder"
        value={wall}
        max="2200-12-31T23:59"
        onChange={({ target }) => setWall(target.value)}
      />
      <Button disabled={wall === ''} onClick={() => onAdd(wall.slice(0, 16))}>
        Add this reminder
      </Button>
    </div>
  )
}

/** Without a reminder before its time, the value says “none”, because the default would apply. */
export function writtenReminders(chosen: readonly string[], isTimed: boolean, byDefault: string): string {
  const absolute = chosen.filter(isAbsolute)
  const relative = chosen.filter((text) => !isAbsolute(text))
  const hasDefault = isTimed && byDefault !== 'none'
  if (relative.length === 0) return [...(hasDefault ? ['none'] : []), ...absolute].join(' ')
  return hasDefault && relative.join() === byDefault
    ? absolute.join(' ')
    : [...relative, ...absolute].join(' ')
}

const isAbsolute = (text: string) => parseReminders(text)?.[0]?.kind === 'at'

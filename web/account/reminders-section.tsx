import { useState } from 'react'
import type { Settings } from '#contract/settings.ts'
import { changeSettings, useSettings, zoneHere } from '../settings/settings-store.ts'
import { Check } from '../ui/check.tsx'
import { ChoiceField, Field } from '../ui/field.tsx'
import { DevicesWithReminders } from './devices-with-reminders.tsx'
import { SettingChoice } from './settings-section.tsx'

const reminderNames: Record<Settings['defaultReminder'], string> = {
  '0m': 'At its time',
  '10m': '10 minutes before its time',
  '60m': 'An hour before its time',
  none: 'Never, unless the task says when',
}

const night = { quietFrom: '22:00', quietUntil: '07:00' }

export function RemindersSection() {
  const settings = useSettings()
  const isQuiet = settings.quietFrom !== null && settings.quietUntil !== null
  return (
    <section aria-labelledby="reminders-title">
      <h3 id="reminders-title">Reminders</h3>
      <SettingChoice name="defaultReminder" label="A task with a time reminds" texts={reminderNames} />
      <Zone />
      <Check
        name="quiet"
        checked={isQuiet}
        onChange={(isOn) => changeSettings(isOn ? night : { quietFrom: null, quietUntil: null })}
      >
        Quiet hours: notifications wait for their end and come as one
      </Check>
      {isQuiet && (
        <div className="field-pair">
          <Field label="Quiet from">
            {(control) => <Time {...control} name="quietFrom" value={settings.quietFrom} />}
          </Field>
          <Field label="Quiet until">
            {(control) => <Time {...control} name="quietUntil" value={settings.quietUntil} />}
          </Field>
        </div>
      )}
      <Check
        name="reminderTitles"
        checked={settings.reminderTitles}
        onChange={(reminderTitles) => changeSettings({ reminderTitles })}
      >
        Notifications say the titles of tasks. They are encrypted for your browser.
      </Check>
      <DevicesWithReminders />
    </section>
  )
}

/** A time that is stored once it is whole. */
function Time({ name, value, ...control }: { name: 'quietFrom' | 'quietUntil'; value: string | null }) {
  const [typed, setTyped] = useState(value ?? '')
  return (
    <input
      {...control}
      type="time"
      name={name}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value)
        if (target.value) changeSettings({ [name]: target.value })
      }}
    />
  )
}

/** The zone of reminders: that of the page that was looked at last, or one that stays. */
function Zone() {
  const { zone, zonePinned } = useSettings()
  const here = zoneHere()
  const shown = zone ?? here
  const zones = new Set([shown, ...Intl.supportedValuesOf('timeZone')])
  return (
    <ChoiceField
      label={`Reminders in ${shown}`}
      name="zone"
      value={zonePinned ? shown : ''}
      choices={[
        ['', 'Where Daymark was opened last'],
        ...[...zones].sort().map((each) => [each, each] as const),
      ]}
      onChoose={(value) =>
        changeSettings(value ? { zone: value, zonePinned: true } : { zone: here, zonePinned: false })
      }
    />
  )
}

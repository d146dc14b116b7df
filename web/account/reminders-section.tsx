import { defaultReminders, type Settings } from '#contract/settings.ts'
import { changeSettings, useSettings } from '../settings/settings-store.ts'
import { Field } from '../ui/field.tsx'

const reminderNames: Record<Settings['defaultReminder'], string> = {
  '0m': 'At its time',
  '10m': '10 minutes before its time',
  '60m': 'An hour before its time',
  none: 'Never, unless the task says when',
}

/** When and where tasks remind. */
export function RemindersSection() {
  const settings = useSettings()
  return (
    <section className="settings" aria-labelledby="reminders-title">
      <h3 id="reminders-title">Reminders</h3>
      <Field label="A task with a time reminds">
        {(control) => (
          <select
            {...control}
            name="defaultReminder"
            value={settings.defaultReminder}
            onChange={({ target }) =>
              changeSettings({ defaultReminder: target.value as Settings['defaultReminder'] })
            }
          >
            {defaultReminders.map((each) => (
              <option key={each} value={each}>
                {reminderNames[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
    </section>
  )
}

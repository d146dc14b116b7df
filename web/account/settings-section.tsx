import { firstDays, type Settings, themes } from '#contract/settings.ts'
import { changeSettings, useSettings, useSettingsFailure } from '../settings/settings-store.ts'
import { Field } from '../ui/field.tsx'
import '../ui/kbd.css'
import './settings-section.css'

const themeNames: Record<Settings['theme'], string> = { system: 'System', light: 'Light', dark: 'Dark' }
const dayNames: Record<Settings['firstDay'], string> = {
  locale: 'Automatic',
  monday: 'Monday',
  saturday: 'Saturday',
  sunday: 'Sunday',
}

/** Each choice is applied and saved at once. */
export function SettingsSection() {
  const settings = useSettings()
  const failure = useSettingsFailure()
  return (
    <section className="settings" aria-labelledby="settings-title">
      <h3 id="settings-title">Settings</h3>
      <div className="field-pair">
        <Field label="Theme">
          {(control) => (
            <select
              {...control}
              name="theme"
              value={settings.theme}
              onChange={({ target }) => changeSettings({ theme: target.value as Settings['theme'] })}
            >
              {themes.map((theme) => (
                <option key={theme} value={theme}>
                  {themeNames[theme]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="First day of the week">
          {(control) => (
            <select
              {...control}
              name="firstDay"
              value={settings.firstDay}
              onChange={({ target }) => changeSettings({ firstDay: target.value as Settings['firstDay'] })}
            >
              {firstDays.map((day) => (
                <option key={day} value={day}>
                  {dayNames[day]}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <label className="settings-keys">
        <input
          type="checkbox"
          name="keys"
          checked={settings.keys}
          onChange={({ target }) => changeSettings({ keys: target.checked })}
        />
        <span>
          Single-key shortcuts, such as <kbd>n</kbd> for a new task
        </span>
      </label>
      <p role="status" className="field-error">
        {failure && `Applied here, but not saved for your other devices yet. ${failure}`}
      </p>
    </section>
  )
}

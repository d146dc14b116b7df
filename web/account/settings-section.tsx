import type { Settings } from '#contract/settings.ts'
import { changeSettings, useSettings, useSettingsFailure } from '../settings/settings-store.ts'
import '../ui/kbd.css'
import { Check } from '../ui/check.tsx'
import { ChoiceField } from '../ui/field.tsx'

const themeNames: Record<Settings['theme'], string> = { system: 'System', light: 'Light', dark: 'Dark' }
const dayNames: Record<Settings['firstDay'], string> = {
  locale: 'Automatic',
  monday: 'Monday',
  saturday: 'Saturday',
  sunday: 'Sunday',
}

export function SettingsSection() {
  const settings = useSettings()
  const failure = useSettingsFailure()
  return (
    <section aria-labelledby="settings-title">
      <h3 id="settings-title">Settings</h3>
      <div className="field-pair">
        <SettingChoice name="theme" label="Theme" texts={themeNames} />
        <SettingChoice name="firstDay" label="First day of the week" texts={dayNames} />
      </div>
      <Check name="keys" checked={settings.keys} onChange={(keys) => changeSettings({ keys })}>
        Single-key shortcuts, such as <kbd>n</kbd> for a new task
      </Check>
      <p role="status" className="field-error">
        {failure && `Applied here, but not saved for your other devices yet. ${failure}`}
      </p>
    </section>
  )
}

type SettingChoiceProps = {
  name: 'theme' | 'firstDay' | 'defaultReminder'
  label: string
  texts: Record<string, string>
}

export function SettingChoice({ name, label, texts }: SettingChoiceProps) {
  const settings = useSettings()
  return (
    <ChoiceField
      label={label}
      name={name}
      value={settings[name]}
      choices={Object.entries(texts)}
      onChoose={(value) => changeSettings({ [name]: value })}
    />
  )
}

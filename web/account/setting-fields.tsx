import type { ReactNode } from 'react'
import type { Settings } from '#contract/settings.ts'
import { changeSettings, useSettings } from '../settings/settings-store.ts'
import { Field } from '../ui/field.tsx'

type ChoiceProps<Name extends keyof Settings> = {
  name: Name
  label: string
  /** The texts of the values, in the order in which they are shown. */
  texts: Record<Settings[Name] & string, string>
}

/** A setting with one of several values, which is saved at once. */
export function SettingChoice<Name extends 'theme' | 'firstDay' | 'defaultReminder'>({
  name,
  label,
  texts,
}: ChoiceProps<Name>) {
  const settings = useSettings()
  return (
    <Field label={label}>
      {(control) => (
        <select
          {...control}
          name={name}
          value={settings[name]}
          onChange={({ target }) => changeSettings({ [name]: target.value })}
        >
          {Object.entries<string>(texts).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

type CheckProps = {
  name: string
  checked: boolean
  onChange: (isOn: boolean) => void
  children: ReactNode
}

/** A setting that is on or off. */
export const SettingCheck = ({ name, checked, onChange, children }: CheckProps) => (
  <label className="settings-keys">
    <input
      type="checkbox"
      name={name}
      checked={checked}
      onChange={({ target }) => onChange(target.checked)}
    />
    <span>{children}</span>
  </label>
)

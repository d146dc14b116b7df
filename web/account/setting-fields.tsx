import type { ReactNode } from 'react'
import type { Settings } from '#contract/settings.ts'
import { changeSettings, useSettings } from '../settings/settings-store.ts'
import { ChoiceField } from '../ui/field.tsx'

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
    <ChoiceField
      label={label}
      name={name}
      value={settings[name]}
      choices={Object.entries<string>(texts)}
      onChoose={(value) => changeSettings({ [name]: value })}
    />
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

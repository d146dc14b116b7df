import { type ComponentProps, useState } from 'react'
import { IconButton } from './icon-button.tsx'
import './password-input.css'

type PasswordInputProps = Omit<ComponentProps<'input'>, 'type'> & {
  /** The name of the password in the button's label, where a screen has several. */
  what?: string
}

/** A password field with a button that shows the password. */
export function PasswordInput({ what = 'password', ...props }: PasswordInputProps) {
  const [shown, setShown] = useState(false)
  return (
    <div className="password">
      <input {...props} type={shown ? 'text' : 'password'} spellCheck={false} autoCapitalize="none" />
      <IconButton
        icon={shown ? 'eye-off' : 'eye'}
        label={`${shown ? 'Hide' : 'Show'} ${what}`}
        onClick={() => setShown(!shown)}
      />
    </div>
  )
}

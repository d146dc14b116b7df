import { type ComponentProps, useState } from 'react'
import { IconButton } from './button.tsx'
import './password-input.css'

const eye =
  'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5Z'
const crossedEye =
  'M4 4l16 16M9.9 5.8A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-2.7 3.4M6.6 7.2A16 16 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4.6-1.3M10.2 10.3a2.5 2.5 0 0 0 3.5 3.5'

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
        icon={shown ? crossedEye : eye}
        label={`${shown ? 'Hide' : 'Show'} ${what}`}
        onClick={() => setShown(!shown)}
      />
    </div>
  )
}

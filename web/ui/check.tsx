import type { ComponentProps } from 'react'
import './check.css'

type CheckProps = Omit<ComponentProps<'input'>, 'onChange'> & { onChange: (isOn: boolean) => void }

/** A checkbox, and beside it what is on or off. */
export const Check = ({ onChange, children, ...box }: CheckProps) => (
  <label className="check row">
    <input type="checkbox" {...box} onChange={({ target }) => onChange(target.checked)} />
    <span>{children}</span>
  </label>
)

import type { ComponentProps } from 'react'
import './check.css'

type CheckProps = Omit<ComponentProps<'input'>, 'onChange'> & { onChange: (isOn: boolean) => void }

export const Check = ({ onChange, children, ...box }: CheckProps) => (
  <label className="check row">
    <input type="checkbox" {...box} onChange={({ target }) => onChange(target.checked)} />
    <span>{children}</span>
  </label>
)

import type { ComponentProps } from 'react'

type CheckProps = Omit<ComponentProps<'input'>, 'onChange'> & { onChange: (isOn: boolean) => void }

export const Check = ({ onChange, children, ...box }: CheckProps) => (
  <label className="target row">
    <input type="checkbox" {...box} onChange={({ target }) => onChange(target.checked)} />
    <span>{children}</span>
  </label>
)

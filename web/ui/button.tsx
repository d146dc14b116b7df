import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon.tsx'

export const Button = ({ className = 'button', ...props }: ComponentProps<'button'>) => (
  <button {...props} type="button" className={className} />
)

export const LinkButton = (props: ComponentProps<'button'>) => <Button className="link-button" {...props} />

type IconButtonProps = ComponentProps<'button'> & { icon: IconName; label: string }

export const IconButton = ({ icon, label, className = '', ...props }: IconButtonProps) => (
  <button {...props} type="button" className={`icon-button ${className}`} aria-label={label}>
    <Icon name={icon} />
  </button>
)

import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon.tsx'

type IconButtonProps = ComponentProps<'button'> & { icon: IconName; label: string }

/** A button that shows an icon alone; `label` is its name. */
export const IconButton = ({ icon, label, className = '', ...props }: IconButtonProps) => (
  <button {...props} type="button" className={`icon-button ${className}`} aria-label={label}>
    <Icon name={icon} />
  </button>
)

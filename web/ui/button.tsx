import type { ComponentProps } from 'react'

/** A button that acts by itself, without submitting its form. */
export const Button = ({ className = 'button', ...props }: ComponentProps<'button'>) => (
  <button {...props} type="button" className={className} />
)

export const LinkButton = (props: ComponentProps<'button'>) => <Button className="link-button" {...props} />

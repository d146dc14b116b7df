import { type ReactNode, useId } from 'react'
import './field.css'

type ControlProps = { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }

/** A label, its control, and the error of a rejected value or a help text. */
export function Field({
  label,
  error,
  help,
  children,
}: {
  label: string
  error?: ReactNode
  help?: ReactNode
  children: (props: ControlProps) => ReactNode
}) {
  const id = useId()
  const message = error ?? help
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': Boolean(error),
        'aria-describedby': message ? `${id}-message` : undefined,
      })}
      {message && (
        <p id={`${id}-message`} className={error ? 'field-error' : 'field-help'}>
          {typeof error === 'string' ? `${label} ${error}` : message}
        </p>
      )}
    </div>
  )
}

import { type ComponentProps, type FormEvent, type ReactNode, useId, useState } from 'react'
import './field.css'

type ControlProps = { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }

type FieldProps = {
  label: string
  error?: ReactNode
  help?: ReactNode
  /** What a control shows that the page fills in too. Its error goes with the value that it is about. */
  value?: string
  children: (props: ControlProps) => ReactNode
}

export function Field({ label, error, help, value, children }: FieldProps) {
  const id = useId()
  const [invalid, setInvalid] = useState<{ reason: string; value: string | undefined }>()
  const reason = invalid?.value === value ? (invalid?.reason ?? error) : error
  const message = reason ?? help

  function report(event: FormEvent) {
    event.preventDefault()
    const control = event.target as HTMLInputElement
    setInvalid({ reason: reasonOf(control), value })
    const isFirst = control.form?.querySelector(':is(input, select, textarea):invalid') === control
    if (isFirst) control.focus()
    control.form?.addEventListener('reset', () => setInvalid(undefined), { once: true })
  }

  return (
    <div className="field" onInvalidCapture={report} onInput={() => setInvalid(undefined)}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': Boolean(reason),
        'aria-describedby': message ? `${id}-message` : undefined,
      })}
      {message && (
        <p id={`${id}-message`} className={reason ? 'field-error' : 'field-help'}>
          {typeof reason === 'string' ? `${label} ${reason}` : message}
        </p>
      )}
    </div>
  )
}

type SelectProps = ComponentProps<'select'> & {
  choices: Iterable<readonly [value: string, text: string]>
  onChoose?: (value: string) => void
}

export const Select = ({ choices, onChoose, ...select }: SelectProps) => (
  <select onChange={({ target }) => onChoose?.(target.value)} {...select}>
    {[...choices].map(([value, text]) => (
      <option key={value} value={value}>
        {text}
      </option>
    ))}
  </select>
)

export const ChoiceField = ({ label, ...select }: SelectProps & { label: string }) => (
  <Field label={label}>{(control) => <Select {...control} {...select} />}</Field>
)

function reasonOf({ validity, validationMessage, type }: HTMLInputElement): string {
  if (validity.badInput) return 'must be a day of the calendar'
  if (validity.valueMissing) return 'is required'
  if (validity.typeMismatch && type === 'email') return 'must be an email address'
  return validationMessage
}

import { type ComponentProps, createContext, type KeyboardEvent, use } from 'react'
import { pressedKey } from './pressed-key.ts'
import { useOneAtATime } from './use-one-at-a-time.ts'

type FormProps<Name extends string> = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  /** Takes the value of each field by its name. Until it settles, nothing is submitted again. */
  onSubmit: (values: Record<Name, string>) => Promise<unknown>
}

const IsBusy = createContext(false)

export function Form<Name extends string>({ onSubmit, children, ...props }: FormProps<Name>) {
  const [submit, busy] = useOneAtATime(onSubmit)
  return (
    <form
      {...props}
      onKeyDown={(event) => {
        props.onKeyDown?.(event)
        pressEnter(event)
      }}
      onSubmit={(event) => {
        event.preventDefault()
        submit(Object.fromEntries(new FormData(event.currentTarget)) as Record<Name, string>)
      }}
    >
      <IsBusy value={busy}>{children}</IsBusy>
    </form>
  )
}

/**
 * With Ctrl or Cmd, Enter submits from a text area too, where it begins a new line without them, and without them from a
 * select that is closed. An Enter that is held down, perhaps since before the form was opened, submits nothing.
 */
function pressEnter(event: KeyboardEvent<HTMLFormElement>) {
  if (pressedKey(event.nativeEvent) !== 'Enter') return
  const isWithCtrl = event.ctrlKey || event.metaKey
  if (event.repeat && (isWithCtrl || !(event.target instanceof HTMLTextAreaElement))) event.preventDefault()
  if (!(isWithCtrl || isClosedSelect(event.target)) || event.repeat) return
  event.preventDefault()
  event.currentTarget.requestSubmit()
}

/** In browsers that do not report it, a select may be open, where Enter chooses. */
const isClosedSelect = (target: EventTarget) =>
  target instanceof HTMLSelectElement && CSS.supports('selector(:open)') && !target.matches(':open')

/** Shown as busy, never disabled, while an answer is awaited. */
export const SubmitButton = (props: ComponentProps<'button'>) => (
  <button {...props} type="submit" aria-busy={use(IsBusy)} />
)

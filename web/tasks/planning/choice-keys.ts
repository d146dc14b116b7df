import type { KeyboardEvent } from 'react'
import { pressedKey } from '../../ui/pressed-key.ts'
import { hasTextFieldFocus } from '../../ui/text-field.ts'

/** Arrow keys lead from the field to the buttons and from one to the next. Text that is typed on a button goes into the field. */
export function moveInChoices(event: KeyboardEvent<HTMLElement>, field: HTMLElement | null) {
  const { nativeEvent, currentTarget, defaultPrevented } = event
  if (!field || defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  const buttons = currentTarget.querySelectorAll<HTMLElement>('button[data-key]:not([data-hidden=true])')
  const stops = [field, ...buttons]
  const index = stops.indexOf(document.activeElement as HTMLElement)
  const isOnButton = index > 0
  const key = pressedKey(nativeEvent)
  const step = { ArrowDown: 1, ArrowUp: -1, ...(isOnButton && { ArrowRight: 1, ArrowLeft: -1 }) }[key]
  if (step !== undefined && index >= 0) {
    event.preventDefault()
    return stops.at((index + step) % stops.length)?.focus()
  }
  const isText = nativeEvent.key.length === 1 && key !== ' '
  if (isText && !hasTextFieldFocus(nativeEvent)) field.focus()
}

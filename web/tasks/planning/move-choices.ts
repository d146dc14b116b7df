import type { KeyboardEvent } from 'react'
import type { Task } from '#contract/tasks.ts'
import type { NewChange } from '../../engine/entry.ts'
import { skipThis } from '../../engine/verbs/derived-changes.ts'
import { skip, stop } from '../../engine/verbs/plan.ts'
import { hasTextFieldFocus, pressedKey } from '../../ui/pressed-key.ts'
import type { Action } from './day-choice.tsx'

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

/** What can be done, in Move and in the review, to those of the tasks that repeat. */
export function repeatActions(
  tasks: readonly Task[],
  change: (changes: readonly NewChange[]) => unknown,
): Action[] {
  const repeats = tasks.filter(({ repeat }) => repeat !== null)
  if (repeats.length === 0) return []
  const skips = repeats.flatMap((task) => skipThis(task) ?? [])
  const label = tasks.length === 1 ? skip.label : 'Skip those that repeat'
  return [
    ...(skips.length > 0 ? [{ key: skip.key.slice(-1), label, run: () => change(skips) }] : []),
    { key: stop.key.slice(-1), label: stop.label, run: () => change(repeats.map(stop.make)) },
  ]
}

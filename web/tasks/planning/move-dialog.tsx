import { type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Task } from '#contract/tasks.ts'
import type { NewChange } from '../../engine/entry.ts'
import { skipThis } from '../../engine/verbs/derived-changes.ts'
import { move, skip, stop } from '../../engine/verbs/plan.ts'
import { useEngine } from '../../state/use-engine.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, type OpenProps } from '../../ui/dialog.tsx'
import { ignoreRepeats } from '../../ui/drop-second-click.ts'
import { hasTextFieldFocus, pressedKey } from '../../ui/pressed-key.ts'
import { changeSelected } from '../cards.ts'
import { countTasks } from '../sentence.tsx'
import { DayChoice, timeBeside } from './day-choice.tsx'
import { Month } from './month.tsx'

export function MoveDialog({ tasks, open, onClose }: OpenProps & { tasks: readonly Task[] }) {
  const engine = useEngine()
  const field = useRef<HTMLInputElement>(null)
  const { make } = engine.changes
  const hasMoved = useRef(false)
  const [typed, setTyped] = useState<string | null>()
  const [first] = tasks as readonly [Task]
  const isOne = tasks.length === 1

  function change(changes: readonly NewChange[]) {
    // While it fades out, the dialog still takes clicks.
    if (!open || hasMoved.current || changes.length === 0) return
    hasMoved.current = true
    if (!isOne) return changeSelected(engine, changes, onClose)
    // First the dialog gives the focus back to the card. If the card leaves the list, the focus moves on.
    flushSync(onClose)
    make(changes)
  }
  const due = isOne ? first : { dueDate: null, dueTime: null }
  function choose(dueDate: string | null, typedTime?: string | null) {
    const dueTime = dueDate === null ? undefined : (typedTime ?? timeBeside(field, due))
    return change(tasks.map((task) => move.make(task, dueDate, dueTime)))
  }
  const actions = repeatActions(tasks, change)
  return (
    <Dialog open={open} onClose={onClose} title={move.label}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field and the buttons in it */}
      <div className="task-form stack airy" onKeyDown={(event) => moveInChoices(event, field.current)}>
        <p>{isOne ? <bdi>{first.title}</bdi> : countTasks(tasks.length)}</p>
        <DayChoice {...{ field, due, actions }} onChoose={choose} onRead={setTyped} />
        <Month
          selected={(typed === undefined ? due.dueDate : typed) ?? undefined}
          shown={typed}
          onSelect={choose}
        />
        {actions.length > 0 && (
          // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons in it
          <div className="day-choice wraps keyed" onKeyDown={ignoreRepeats}>
            {actions.map(({ key, label, run }) => (
              <Button
                key={key}
                data-key={key}
                // The second click of a double click would change the next task.
                onClick={({ detail }) => detail < 2 && run()}
              >
                <span>{label}</span>
              </Button>
            ))}
          </div>
        )}
      </div>
    </Dialog>
  )
}

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

export function repeatActions(tasks: readonly Task[], change: (changes: readonly NewChange[]) => unknown) {
  const repeats = tasks.filter(({ repeat }) => repeat !== null)
  if (repeats.length === 0) return []
  const skips = repeats.flatMap((task) => skipThis(task) ?? [])
  const label = tasks.length === 1 ? skip.label : 'Skip those that repeat'
  return [
    ...(skips.length > 0 ? [{ key: skip.key.slice(-1), label, run: () => change(skips) }] : []),
    { key: stop.key.slice(-1), label: stop.label, run: () => change(repeats.map(stop.make)) },
  ]
}

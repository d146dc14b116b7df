import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Task } from '#contract/tasks.ts'
import type { NewChange } from '../../engine/entry.ts'
import { move } from '../../engine/verbs/plan.ts'
import { useEngine } from '../../state/use-engine.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, type OpenProps } from '../../ui/dialog.tsx'
import { ignoreRepeats } from '../../ui/ignore-repeats.ts'
import { changeSelected } from '../cards.ts'
import { countTasks } from '../sentence.tsx'
import { DayChoice, timeBeside } from './day-choice.tsx'
import { Month } from './month.tsx'
import { moveInChoices, repeatActions } from './move-choices.ts'

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
    // The dialog gives the focus back to the card first, from which it moves on if the card leaves the list.
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
      <div className="task-form" onKeyDown={(event) => moveInChoices(event, field.current)}>
        <p>{isOne ? <bdi>{first.title}</bdi> : countTasks(tasks.length)}</p>
        <DayChoice {...{ field, due, actions }} onChoose={choose} onRead={setTyped} />
        <Month
          selected={(typed === undefined ? due.dueDate : typed) ?? undefined}
          shown={typed}
          onSelect={choose}
        />
        {actions.length > 0 && (
          // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons in it
          <div className="day-choice" onKeyDown={ignoreRepeats}>
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

import { useRef } from 'react'
import { flushSync } from 'react-dom'
import type { Task } from '#contract/tasks.ts'
import { skipThis } from '../../changes/derived-changes.ts'
import { move } from '../../changes/move.tsx'
import { stop } from '../../changes/stop.tsx'
import { useParts } from '../../state/dashboard.tsx'
import type { NewChange } from '../../store/pending-change.ts'
import { useToday } from '../../ui/civil-day.ts'
import { Dialog, type OpenProps } from '../../ui/dialog.tsx'
import { ignoreRepeats } from '../../ui/ignore-repeats.ts'
import { changeSelected } from '../change-selected.ts'
import { countTasks } from '../count-tasks.ts'
import { daysToChoose } from '../form/days-to-choose.ts'
import { DayChoice, timeBeside } from './day-choice.tsx'
import { Month } from './month.tsx'
import { useLetterKeys } from './use-letter-keys.ts'

/** Moves a task, or several, to another day. */
export function MoveDialog({ tasks, open, onClose }: OpenProps & { tasks: readonly Task[] }) {
  const today = useToday()
  const dashboard = useParts()
  const field = useRef<HTMLInputElement>(null)
  const { make } = dashboard.changes
  const hasMoved = useRef(false)
  const [first] = tasks as readonly [Task]
  const isOne = tasks.length === 1

  function change(changes: readonly NewChange[]) {
    // While it fades out, the dialog still takes clicks.
    if (!open || hasMoved.current || changes.length === 0) return
    hasMoved.current = true
    if (!isOne) return changeSelected(dashboard, changes, onClose)
    // The dialog gives the focus back to the card first, from which it moves on if the card leaves the list.
    flushSync(onClose)
    make(changes)
  }
  const due = isOne ? first : { dueDate: null, dueTime: null }
  function choose(dueDate: string | null, typedTime?: string | null) {
    const dueTime = dueDate === null ? undefined : (typedTime ?? timeBeside(field, due))
    return change(tasks.map((task) => move(task, dueDate, dueTime)))
  }
  const repeats = tasks.filter(({ repeat }) => repeat !== null)
  const skips = repeats.flatMap((task) => skipThis(task) ?? [])
  const stopRepeats = () => change(repeats.map(stop))
  useLetterKeys(open, {
    ...Object.fromEntries(daysToChoose(today).map(({ key, day }) => [key, () => choose(day)])),
    s: () => choose(null),
    k: () => change(skips),
    r: stopRepeats,
    d: () => field.current?.focus(),
  })
  return (
    <Dialog open={open} onClose={onClose} title="Move">
      <div className="task-form">
        <p>{isOne ? <bdi>{first.title}</bdi> : countTasks(tasks.length)}</p>
        <DayChoice field={field} due={due} somedayKey="s" onChoose={choose} />
        <Month selected={isOne ? (first.dueDate ?? undefined) : undefined} onSelect={choose} />
        {repeats.length > 0 && (
          // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons in it
          <div className="day-choice" onKeyDown={ignoreRepeats}>
            {skips.length > 0 && (
              <RepeatButton
                label={isOne ? 'Skip this one' : 'Skip those that repeat'}
                letter="k"
                onPress={() => change(skips)}
              />
            )}
            <RepeatButton label="Stop repeating" letter="r" onPress={stopRepeats} />
          </div>
        )}
      </div>
    </Dialog>
  )
}

function RepeatButton({ label, letter, onPress }: { label: string; letter: string; onPress: () => void }) {
  return (
    <button
      type="button"
      className="button"
      aria-keyshortcuts={letter}
      data-key={letter}
      // The second click of a double click would change the next task.
      onClick={({ detail }) => detail < 2 && onPress()}
    >
      <span>{label}</span>
    </button>
  )
}

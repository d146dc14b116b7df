import { useEffect, useId, useRef } from 'react'
import type { Task } from '#contract/tasks.ts'
import { formatDay, useToday } from '../../ui/civil-day.ts'
import { useLocale } from '../../ui/locale.ts'
import type { EditedField } from './task-merge.ts'
import type { Kept } from './use-task-edit.ts'
import './task-clash.css'

const labels: Record<EditedField, string> = {
  title: 'title',
  body: 'body',
  dueDate: 'due date',
  priority: 'priority',
}

const choices: { kept: Kept; label: string }[] = [
  { kept: 'mine', label: 'Keep mine' },
  { kept: 'theirs', label: 'Take theirs' },
  { kept: 'both', label: 'Keep both' },
]

type TaskClashProps = {
  field: EditedField
  theirs: Task
  /** Whether this is the first clash of the form, which takes the focus. */
  isFirst: boolean
  onDecide: (field: EditedField, kept: Kept) => void
}

/** Below a field that was changed elsewhere too: the other value, and which of the two to keep. */
export function TaskClash({ field, theirs, isFirst, onDecide }: TaskClashProps) {
  const id = useId()
  const group = useRef<HTMLFieldSetElement>(null)
  // Not a button: the key that saved may still be down.
  // biome-ignore lint/correctness/useExhaustiveDependencies: later clashes become the first without taking the focus
  useEffect(() => {
    if (isFirst) group.current?.focus()
  }, [theirs])
  return (
    <fieldset ref={group} className="task-clash" aria-labelledby={id} tabIndex={-1}>
      <p id={id} className="task-clash-label">
        Changed elsewhere<span className="visually-hidden"> ({labels[field]})</span>
      </p>
      <p className="task-clash-text" dir="auto">
        <ValueOf field={field} task={theirs} />
      </p>
      <div className="task-clash-choices">
        {choices
          .filter(({ kept }) => kept !== 'both' || field === 'body')
          .map(({ kept, label }) => (
            <button key={kept} type="button" className="link-button" onClick={() => onDecide(field, kept)}>
              {label}
              <span className="visually-hidden"> ({labels[field]})</span>
            </button>
          ))}
      </div>
    </fieldset>
  )
}

function ValueOf({ field, task }: { field: EditedField; task: Task }) {
  const today = useToday()
  const locale = useLocale()
  if (field === 'dueDate') return formatDay(task.dueDate, today, locale)
  if (field === 'priority') return task.priority.replace(/^./, (letter) => letter.toUpperCase())
  return task[field] || <em>Nothing</em>
}

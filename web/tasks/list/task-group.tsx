import { type ReactNode, use, useDeferredValue, useId } from 'react'
import type { Task } from '#contract/tasks.ts'
import { SearchedWords } from '../card/marked-text.tsx'
import { TaskItem } from '../card/task-item.tsx'
import { DeletedItem } from '../deleted/deleted-item.tsx'
import type { Entry } from './use-gaps.ts'
import './task-group.css'

export type TaskGroupProps = {
  label?: string
  /** Buttons beside the label. */
  actions?: ReactNode
  entries: Entry[]
  today: string
  onEdit: (task: Task) => void
  onDeleted: (task: Task, height: number) => void
}

/** About as many cards as fit on a screen. */
const firstCards = 10

/** Cards under a label, or without one. The first ones are painted before the others are rendered. */
export function TaskGroup({ label, actions, entries, today, onEdit, onDeleted }: TaskGroupProps) {
  const id = useId()
  // Other words replace the cards. More cards for the same words, in a new array, leave those that are there.
  const words = use(SearchedWords).join(' ')
  const arePainted = useDeferredValue<string | null>(words, null) === words
  const rendered = arePainted ? entries : entries.slice(0, firstCards)
  const others = entries.length - rendered.length
  const list = (
    <ul className="task-list">
      {rendered.map(({ task, gap }) => {
        const shared = { task, gap, today, heading: label ? 'h3' : 'h2' } as const
        return task.deletedAt === null ? (
          <TaskItem key={task._id} {...shared} onEdit={onEdit} onDeleted={onDeleted} />
        ) : (
          <DeletedItem key={task._id} {...shared} onRestored={onDeleted} />
        )
      })}
      {others > 0 && <li className="task-gap" style={{ height: `calc(${others} * var(--card-guess))` }} />}
    </ul>
  )
  if (!label) return list
  return (
    <section aria-labelledby={id}>
      <header className="group-head">
        <h2 id={id} className="group-label">
          {label}
        </h2>
        {actions}
      </header>
      {list}
    </section>
  )
}

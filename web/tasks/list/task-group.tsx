import { type ComponentType, type ReactNode, use, useDeferredValue, useId } from 'react'
import type { Task } from '#contract/tasks.ts'
import { SearchedWords } from '../card/marked-text.tsx'
import { TaskItem, type TaskItemProps } from '../card/task-item.tsx'
import type { Entry } from './use-entries.ts'
import './task-group.css'

export type TaskGroupProps = {
  label?: string
  /** The number of tasks in the group, shown beside the label. */
  count?: ReactNode
  /** The day that the label names, if all of the cards are due then. */
  day?: string | undefined
  /** Whether a card is one line. */
  isLine?: boolean
  /** Buttons beside the label. */
  actions?: ReactNode
  entries: Entry[]
  today: string
  onEdit: (task: Task) => void
  /** The component that renders a task. */
  Item?: ComponentType<TaskItemProps>
}

/** About as many cards as fit on a screen. */
const firstCards = 10

/** Cards under a label, or without one. The first ones are painted before the others are rendered. */
export function TaskGroup({
  label,
  count,
  day,
  isLine,
  actions,
  entries,
  today,
  onEdit,
  Item = TaskItem,
}: TaskGroupProps) {
  const id = useId()
  // Other words replace the cards. More cards for the same words, in a new array, leave those that are there.
  const words = use(SearchedWords).join(' ')
  const arePainted = useDeferredValue<string | null>(words, null) === words
  const rendered = arePainted ? entries : entries.slice(0, firstCards)
  const others = entries.length - rendered.length
  const list = entries.length > 0 && (
    <ul className="task-list">
      {rendered.map(({ task, gap }) => (
        <Item
          key={task._id}
          task={task}
          gap={gap}
          today={today}
          day={day}
          heading={label ? 'h3' : 'h2'}
          isLine={isLine}
          onEdit={onEdit}
        />
      ))}
      {others > 0 && <li className="task-rest" style={{ height: `calc(${others} * var(--card-guess))` }} />}
    </ul>
  )
  if (!label) return list
  return (
    <section aria-labelledby={id}>
      <header className="group-head">
        <h2 id={id} className="group-label">
          {label}
        </h2>
        <span className="group-count">{count}</span>
        {actions}
      </header>
      {list}
    </section>
  )
}

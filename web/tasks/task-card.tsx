import { useId } from 'react'
import type { Task } from '#contract/tasks.ts'
import { formatDay, formatInstant } from '../ui/civil-day.ts'
import { Icon } from '../ui/icon.tsx'
import { useLocale } from '../ui/locale.ts'
import { TaskBody } from './task-body.tsx'
import './task-card.css'

type TaskCardProps = {
  task: Task
  overdue: boolean
  heading: 'h2' | 'h3'
  failure?: string | null
  onEdit?: () => void
  onDelete?: () => void
}

/** Title, Created, body, Due, priority badge, edit and delete (specification section 2). */
export function TaskCard({ task, overdue, heading: Heading, failure, onEdit, onDelete }: TaskCardProps) {
  const id = useId()
  const locale = useLocale()
  const { title, body, createdAt, dueDate, priority } = task
  return (
    <article className="task-card" aria-labelledby={id} data-task={task._id}>
      <Heading id={id} className="task-title" dir="auto">
        {title}
      </Heading>
      {body !== '' && <TaskBody body={body} />}
      <div className="task-facts">
        <span className="badge" data-priority={priority}>
          {priority.toUpperCase()}
        </span>
        <span className="task-due" data-overdue={overdue}>
          Due <time dateTime={dueDate}>{formatDay(dueDate, locale)}</time>
          {overdue && <span className="visually-hidden"> (late)</span>}
        </span>
        <span className="task-created">
          Created <time dateTime={createdAt}>{formatInstant(createdAt, locale)}</time>
        </span>
      </div>
      <div className="task-actions">
        <button
          type="button"
          className="icon-button"
          data-action="edit"
          aria-label={`Edit ${title}`}
          onClick={onEdit}
        >
          <Icon name="edit" />
        </button>
        <button
          type="button"
          className="icon-button"
          data-action="delete"
          aria-label={`Delete ${title}`}
          onClick={onDelete}
        >
          <Icon name="delete" />
        </button>
      </div>
      {failure && (
        <p className="task-failure" role="status">
          {failure}
        </p>
      )}
    </article>
  )
}

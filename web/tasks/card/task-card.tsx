import { type MouseEventHandler, type ReactNode, useId } from 'react'
import type { Task } from '#contract/tasks.ts'
import { formatDay, formatInstant } from '../../ui/civil-day.ts'
import { Icon } from '../../ui/icon.tsx'
import { ignoreRepeats } from '../../ui/ignore-repeats.ts'
import { useLocale } from '../../ui/locale.ts'
import { TaskRing } from './task-ring.tsx'
import './task-card.css'

type TaskCardProps = {
  task: Task
  /** How the texts of the task are shown. */
  title: ReactNode
  body: ReactNode
  today: string
  heading: 'h2' | 'h3'
  busy?: boolean
  failure?: string | null
  /** What the ring shows; by default, whether the task is done. */
  isTicked?: boolean
  onTick?: () => void
  onMove?: () => void
  onEdit?: () => void
  onDelete?: MouseEventHandler
}

/** The ring, title, Created, body, Due, priority badge, edit and delete (specification section 2). */
export function TaskCard({
  task,
  title,
  body,
  today,
  heading: Heading,
  busy,
  failure,
  isTicked = task.doneAt !== null,
  onTick,
  onMove,
  onEdit,
  onDelete,
}: TaskCardProps) {
  const id = useId()
  const locale = useLocale()
  const { title: name, createdAt, dueDate, priority } = task
  const overdue = task.doneAt === null && dueDate < today
  // A press that has selected text ends in a click too.
  const editUnlessSelecting = () => getSelection()?.isCollapsed && onEdit?.()
  return (
    <article className="task-card" aria-labelledby={id} aria-busy={busy} data-task={task._id} tabIndex={-1}>
      <TaskRing title={name} isTicked={isTicked} onTick={onTick} />
      {/* For the pointer alone: for the keyboard and for screen readers there is the edit button. */}
      <Heading id={id} className="task-title" dir="auto" data-selectable onClick={editUnlessSelecting}>
        {title}
      </Heading>
      {body}
      <div className="task-facts">
        <span className="badge" data-priority={priority}>
          {priority.toUpperCase()}
        </span>
        <span className="task-due" data-overdue={overdue}>
          Due{' '}
          <time dateTime={dueDate} dir="auto">
            {formatDay(dueDate, today, locale)}
          </time>
          {overdue && <span className="visually-hidden"> (late)</span>}
        </span>
        <span className="task-created">
          Created{' '}
          <time dateTime={createdAt} dir="auto">
            {formatInstant(createdAt, today, locale)}
          </time>
        </span>
      </div>
      <div className="task-actions">
        {task.doneAt === null && (
          <button
            type="button"
            className="icon-button"
            data-action="move"
            aria-label={`Move ${name}`}
            onClick={onMove}
          >
            <Icon name="upcoming" />
          </button>
        )}
        <button
          type="button"
          className="icon-button"
          data-action="edit"
          aria-label={`Edit ${name}`}
          onClick={onEdit}
        >
          <Icon name="edit" />
        </button>
        <button
          type="button"
          className="icon-button"
          data-action="delete"
          aria-label={`Delete ${name}`}
          onClick={onDelete}
          onKeyDown={ignoreRepeats}
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

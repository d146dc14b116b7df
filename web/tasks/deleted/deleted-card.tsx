import { type MouseEventHandler, useId } from 'react'
import { keptFor } from '#contract/limits.ts'
import type { Task } from '#contract/tasks.ts'
import { dayOfInstant, daysAfter, formatDay } from '../../ui/civil-day.ts'
import { Icon } from '../../ui/icon.tsx'
import { useLocale } from '../../ui/locale.ts'
import { TaskBody } from '../card/task-body.tsx'
import './deleted-card.css'
import '../card/task-card.css'

type DeletedCardProps = {
  task: Task
  today: string
  heading: 'h2' | 'h3'
  busy: boolean
  failure: string | null
  onRestore: MouseEventHandler
  onDeleteForGood: () => void
}

/** A deleted task: when it was deleted, how long it is kept, and the buttons that restore it or remove it now. */
export function DeletedCard({
  task,
  today,
  heading: Heading,
  busy,
  failure,
  onRestore,
  onDeleteForGood,
}: DeletedCardProps) {
  const id = useId()
  const locale = useLocale()
  const { title, body, priority } = task
  const deletedOn = dayOfInstant(task.deletedAt ?? task.createdAt)
  return (
    <article
      className="task-card task-card-deleted"
      aria-labelledby={id}
      aria-busy={busy}
      data-task={task._id}
      tabIndex={-1}
    >
      <Heading id={id} className="task-title" dir="auto">
        {title}
      </Heading>
      {body !== '' && <TaskBody body={body} />}
      <div className="task-facts">
        <span className="badge" data-priority={priority}>
          {priority.toUpperCase()}
        </span>
        <span>
          Deleted{' '}
          <time dateTime={deletedOn} dir="auto">
            {formatDay(deletedOn, today, locale)}
          </time>
          , {whenGone(deletedOn, today)}
        </span>
      </div>
      <div className="task-actions">
        <button
          type="button"
          className="button button-quiet"
          data-action="restore"
          aria-label={`Restore ${title}`}
          onClick={onRestore}
        >
          Restore
        </button>
        <button
          type="button"
          className="icon-button"
          data-action="delete"
          title="Delete for good"
          aria-label={`Delete ${title} for good`}
          onClick={onDeleteForGood}
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

const keptForDays = keptFor / 86_400_000

function whenGone(deletedOn: string, today: string): string {
  const days = daysBetween(today, daysAfter(deletedOn, keptForDays))
  if (days <= 0) return 'gone today'
  return days === 1 ? 'gone tomorrow' : `gone in ${days} days`
}

/** Returns the number of days from `day` to `later`; negative if that is earlier. */
const daysBetween = (day: string, later: string): number =>
  (Date.parse(`${later}T00:00Z`) - Date.parse(`${day}T00:00Z`)) / 86_400_000

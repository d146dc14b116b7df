import { type ComponentProps, type MouseEvent, type MouseEventHandler, type ReactNode, useId } from 'react'
import type { Task } from '#contract/tasks.ts'
import { labelFor, offered } from '../../engine/verbs/verb.ts'
import { IconButton } from '../../ui/button.tsx'
import { format, formatDay, formatInstant, formatTime, useTimeHere } from '../../ui/civil-day.ts'
import { ignoreRepeats } from '../../ui/drop-second-click.ts'
import { useLocale } from '../../ui/use-locale.ts'
import './task-ring.css'
import './task-card.css'

/** The sample of the landing page has only what every card needs. */
type ShownTask = Pick<Task, '_id' | 'title' | 'priority' | 'createdAt' | 'dueDate' | 'doneAt'> & Partial<Task>

type TaskCardProps = {
  task: ShownTask
  repeat?: ReactNode
  title: ReactNode
  body: ReactNode
  today: string
  /** The day that a heading above names; a card that is due then shows it in a muted colour. */
  day?: string | undefined
  heading: 'h2' | 'h3'
  /** One line with the time of completion, without the body and the other facts. */
  isLine?: boolean | undefined
  busy?: boolean
  failure?: ReactNode
  unsent?: ReactNode
  isTicked?: boolean
  isSelected?: boolean
  onTick?: (() => void) | undefined
  onPriority?: (() => void) | undefined
  onMove?: (() => void) | undefined
  onEdit?: () => void
  onDelete?: MouseEventHandler
}

export function TaskCard({
  task,
  title,
  body,
  heading: Heading,
  isLine = false,
  busy,
  failure,
  unsent,
  isTicked = task.doneAt !== null,
  isSelected = false,
  onTick,
  onEdit,
  onDelete,
  ...facts
}: TaskCardProps) {
  const id = useId()
  const name = task.title || 'Untitled'
  /** With a modifier key, a press selects the card (selection-tools.tsx). */
  function pressGround({ target, shiftKey, ctrlKey, metaKey }: MouseEvent) {
    const isModified = shiftKey || ctrlKey || metaKey
    // A press that has selected text ends in a click too.
    if (isModified || !getSelection()?.isCollapsed || (target as Element).closest(notGround)) return
    onEdit?.()
  }
  return (
    // For the pointer alone: for the keyboard and for screen readers there is the edit button.
    // biome-ignore lint/a11y/useKeyWithClickEvents: for the pointer alone
    <article
      onClick={pressGround}
      className="task-card"
      data-line={isLine}
      aria-labelledby={id}
      aria-busy={busy}
      // An article cannot be `aria-selected`.
      aria-description={isSelected ? 'Selected' : undefined}
      data-selected={isSelected}
      data-task={task._id}
      tabIndex={-1}
    >
      {unsent}
      <input
        type="checkbox"
        className="task-ring"
        data-shape={task.priority}
        data-action="complete"
        aria-label={labelFor(offered.complete, name)}
        checked={isTicked}
        onChange={() => onTick?.()}
      />
      <Heading id={id} className="task-title" dir="auto">
        {task.title ? title : name}
      </Heading>
      {isLine ? <DoneTime task={task}>{facts.repeat}</DoneTime> : body}
      {!isLine && <TaskFacts task={task} {...facts} />}
      <div className="task-actions">
        {task.doneAt === null && <CardButton verb="move" name={name} onClick={facts.onMove} />}
        <CardButton verb="edit" name={name} onClick={onEdit} />
        <CardButton verb="delete" name={name} onClick={onDelete} onKeyDown={ignoreRepeats} />
      </div>
      {failure}
    </article>
  )
}

type CardButtonProps = ComponentProps<'button'> & { verb: 'move' | 'edit' | 'delete'; name: string }

const CardButton = ({ verb, name, ...props }: CardButtonProps) => (
  <IconButton {...props} icon={offered[verb].icon} label={labelFor(offered[verb], name)} data-action={verb} />
)

const notGround = 'a, button, input, label, [data-action], [data-selectable]'

type TaskFactsProps = Pick<TaskCardProps, 'task' | 'today' | 'day' | 'repeat' | 'onPriority' | 'onMove'>

function TaskFacts({ task, today, day, repeat, onPriority, onMove }: TaskFactsProps) {
  const locale = useLocale()
  const { createdAt, priority } = task
  return (
    <div className="task-facts wraps soft small">
      {/* For the pointer alone, as the title. For the keyboard there are `p`, the edit button and the command palette. */}
      <PriorityBadge priority={priority} data-action="prioritise" onClick={onPriority} />
      <DueDay {...{ task, today, day, onMove: task.doneAt === null ? onMove : undefined }} />
      {repeat}
      {createdAt && (
        <span>
          Created{' '}
          <time dateTime={createdAt} dir="auto">
            {formatInstant(createdAt, today, locale)}
          </time>
        </span>
      )}
    </div>
  )
}

export const PriorityBadge = ({ priority, ...props }: ComponentProps<'span'> & Pick<Task, 'priority'>) => (
  <span {...props} className="badge" data-priority={priority}>
    {priority.toUpperCase()}
  </span>
)

export function DueDay({ task, today, day, onMove }: TaskFactsProps) {
  const locale = useLocale()
  const { dueDate, dueTime } = task
  if (!dueDate) return
  const isOverdue = task.doneAt === null && dueDate < today
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: for the pointer alone
    // biome-ignore lint/a11y/useKeyWithClickEvents: for the pointer alone
    <span
      className="task-due"
      data-overdue={isOverdue}
      data-named={dueDate === day}
      data-action={onMove && 'due'}
      onClick={onMove}
    >
      Due{' '}
      <time dateTime={dueDate} dir="auto">
        {formatDay(dueDate, today, locale)}
      </time>
      {dueTime && <DueTime task={task} today={today} time={dueTime} />}
      {isOverdue && <span className="visually-hidden"> (late)</span>}
    </span>
  )
}

function DueTime({ task, today, time }: Pick<TaskCardProps, 'task' | 'today'> & { time: string }) {
  const locale = useLocale()
  const now = useTimeHere()
  const isOver = hasPassed({ ...task, dueTime: time }, today, now)
  return (
    <>
      {', '}
      <time dateTime={time} data-passed={isOver}>
        {formatTime(time, locale)}
      </time>
      {isOver && <span className="visually-hidden"> (passed)</span>}
    </>
  )
}

function DoneTime({ task: { doneAt }, children }: Pick<TaskCardProps, 'task'> & { children: ReactNode }) {
  const locale = useLocale()
  if (doneAt === null) return
  return (
    <span className="soft small">
      {children} <time dateTime={doneAt}>{format(doneAt, locale, { timeStyle: 'short' })}</time>
    </span>
  )
}

export const hasPassed = (
  { dueDate, dueTime, doneAt }: Pick<Task, 'dueDate' | 'dueTime' | 'doneAt'>,
  today: string,
  now: string,
): boolean => doneAt === null && dueDate === today && dueTime !== null && dueTime < now

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { Task } from '#contract/tasks.ts'
import { useGoToView, useIsDialogOpen } from '../../state/dashboard-state.tsx'
import type { Store } from '../../store/store.ts'
import { useStored } from '../../store/use-store.ts'
import { formatDay, useToday } from '../../ui/civil-day.ts'
import { focusOnceShown } from '../../ui/focus-once-shown.ts'
import { ignoreRepeats } from '../../ui/ignore-repeats.ts'
import { useLocale } from '../../ui/locale.ts'
import { pressedKey } from '../../ui/pressed-key.ts'
import { hasTextFieldFocus } from '../../ui/text-field.ts'
import { useKeyDown } from '../../ui/use-key-down.ts'
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts'
import { countTasks } from '../count-tasks.ts'
import { outboxOf } from '../outbox.ts'
import { type Direction, keepUndoHistory, type Notice, type Step, undoHistoryOf } from './undo-history.ts'
import { undoneTexts } from './undone-texts.tsx'
import { dropPresses, useUndo } from './use-undo.ts'
import './undo-bar.css'

/** How long the bar is shown, in milliseconds. */
const shownFor = 8000

/** Reports the last change, with a button that undoes it; the keys undo and redo earlier changes too. */
export function UndoBar() {
  const queryClient = useQueryClient()
  const history = undoHistoryOf(queryClient)
  const { notice, dismiss } = useStore(history)
  const { reverse, reverseShown } = useUndo()
  // The button names changes, a key does not.
  const [reverseNamed] = useOneAtATime(reverseShown)
  const [isHeld, setHeld] = useState(false)
  useCardInView(notice)
  useEffect(() => keepUndoHistory(history), [history])
  useEffect(() => outboxOf(queryClient).onNumbered(history.getState().numbered), [queryClient, history])
  useEffect(() => () => dropPresses(queryClient), [queryClient])
  useUndoKeys(reverse)

  useEffect(() => {
    if (!notice || isHeld) return
    const timer = setTimeout(dismiss, shownFor)
    return () => clearTimeout(timer)
  }, [notice, isHeld, dismiss])

  const offered = notice && directionAfter(notice)
  const showTask = useShowTask()
  const placed = useStored((store) => placedBy(notice, store))
  return (
    <section
      className="undo-bar"
      aria-label="Last change"
      data-shown={notice !== undefined}
      data-said={notice && isSaid(notice)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={({ target }) => setHeld(target.matches(':focus-visible'))}
      onBlur={() => setHeld(false)}
    >
      <p role="status" className={notice && isSaid(notice) ? 'visually-hidden' : 'undo-text'}>
        {notice && textOf(notice)}
        {notice && placed && <DayOf action={notice.steps[0].action} dueDate={placed.dueDate} />}
      </p>
      {placed && (
        <button type="button" className="link-button" onClick={() => showTask(placed)}>
          Show
        </button>
      )}
      {offered && (
        <button
          type="button"
          className="link-button"
          onKeyDown={ignoreRepeats}
          // Redo takes the place of Undo, where the second click of a double click would reverse the first.
          onClick={({ detail }) => detail < 2 && reverseNamed(offered)}
        >
          {offered === 'undo' ? 'Undo' : 'Redo'}
        </button>
      )}
    </section>
  )
}

/** Scrolls the card that has the focus out from under the bar on a phone, where it covers the end of the list, and from under a toast. */
function useCardInView(notice: Notice | undefined) {
  const isDialogOpen = useIsDialogOpen()
  useEffect(() => {
    if (!notice || isDialogOpen || !(isSaid(notice) || matchMedia('(width < 768px)').matches)) return
    // A dialog that closes gives the focus back after this effect.
    const frame = requestAnimationFrame(() =>
      document.activeElement?.closest('[data-task]')?.scrollIntoView({ block: 'nearest' }),
    )
    return () => cancelAnimationFrame(frame)
  }, [notice, isDialogOpen])
}

/** The command of the button: reverse the reported change, or try again. */
function directionAfter(notice: Notice): Direction | undefined {
  if (notice.about === 'rejected') return
  if (notice.about === 'failed') return notice.isFinal ? undefined : notice.direction
  return notice.about === 'done' ? 'undo' : 'redo'
}

function textOf(notice: Notice) {
  const { steps, about } = notice
  const [{ action, title, count }] = steps
  const total = steps.length > 1 ? steps.length : count
  if (about === 'undone' && (total === undefined || total === 1))
    return undoneTexts[action].one(count === undefined ? <Quoted title={title} /> : countTasks(1))
  if (about === 'undone' && total !== undefined) return undoneTexts[action].many(countTasks(total))
  if (notice.about === 'rejected')
    return (
      <>
        <Quoted title={title} />: {notice.text}
      </>
    )
  if (steps.length > 1)
    return `${about === 'done' ? '' : `${outcomeOf(notice)}: `}${steps.length} ${action.toLowerCase()}`
  return (
    <>
      {about === 'done' ? action : `${outcomeOf(notice)}: ${action.toLowerCase()}`}{' '}
      {count === undefined ? <Quoted title={title} /> : `${countTasks(count)} ${title}`.trim()}
      {notice.about === 'failed' && `. ${notice.reason}`}
    </>
  )
}

/** Whether a toast has just said it. */
const isSaid = ({ about, steps: [step, ...others] }: Notice) =>
  about === 'done' && others.length === 0 && step.isSaid === true

/** The task that was just added or moved. */
function placedBy(notice: Notice | undefined, store: Store): Task | undefined {
  if (notice?.about !== 'done') return
  const [{ action, line, item = line?.task }] = notice.steps
  return item !== undefined && ['Added', 'Moved'].includes(action) ? store.task(item) : undefined
}

/** The day that a task was added for or moved to. */
function DayOf({ action, dueDate }: Pick<Step, 'action'> & Pick<Task, 'dueDate'>) {
  const [today, locale] = [useToday(), useLocale()]
  const day = dueDate === today ? 'today' : formatDay(dueDate, today, locale)
  return ` ${action === 'Added' ? 'for' : 'to'} ${day}`
}

/** Returns the function that focuses the card of a task, in the view on show or else in the one of its day. */
function useShowTask() {
  const goTo = useGoToView()
  const today = useToday()
  return ({ _id, dueDate }: Pick<Task, '_id' | 'dueDate'>) =>
    focusOnceShown(
      () => focusCard(_id),
      () => goTo(dueDate > today ? 'upcoming' : 'today'),
    )
}

function focusCard(id: string): boolean {
  const card = document.querySelector<HTMLElement>(`[data-task="${id}"]`)
  card?.focus()
  card?.scrollIntoView({ block: 'nearest' })
  return card !== null
}

const Quoted = ({ title }: { title: string }) => (
  <>
    “<bdi>{title}</bdi>”
  </>
)

function outcomeOf(notice: Notice): string {
  return notice.about === 'failed' && notice.direction === 'redo' ? 'Not redone' : 'Not undone'
}

/** Ctrl/Cmd+Z undoes, with Shift it redoes. In a text field and in a dialog these keys are the browser's. */
function useUndoKeys(reverse: (direction: Direction) => void) {
  useKeyDown(!useIsDialogOpen(), (event) => {
    const isUndoKey =
      pressedKey(event).toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.altKey
    if (!isUndoKey || hasTextFieldFocus(event)) return
    event.preventDefault()
    if (!event.repeat) reverse(event.shiftKey ? 'redo' : 'undo')
  })
}

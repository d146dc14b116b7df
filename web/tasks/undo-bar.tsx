import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { Task } from '#contract/tasks.ts'
import type { Store } from '../engine/store/store.ts'
import type { Direction, Notice } from '../engine/undo-history.ts'
import { someday } from '../engine/verbs/plan.ts'
import { verbs } from '../engine/verbs/verbs.ts'
import { useIsDialogOpen } from '../state/dashboard-state.tsx'
import { useEngine, useStored } from '../state/use-engine.tsx'
import { LinkButton } from '../ui/button.tsx'
import { formatDay, formatTime, useDayContext } from '../ui/civil-day.ts'
import { ignoreRepeats } from '../ui/drop-second-click.ts'
import { hasTextFieldFocus, pressedKey } from '../ui/pressed-key.ts'
import { useKeyDown } from '../ui/use-key-down.ts'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'
import { RepeatOffer, repeatOf } from './repeat-offer.tsx'
import { countTasks, Quoted, Sentence } from './sentence.tsx'
import { useShowTask } from './use-show-task.ts'
import './undo-bar.css'

/** How long the bar is shown, in milliseconds. */
const shownFor = 8000

export function UndoBar() {
  const { history, undo } = useEngine()
  const { notice, dismiss } = useStore(history)
  const [reverseNamed] = useOneAtATime(undo.reverseRun)
  const [isHeld, setHeld] = useState(false)
  useCardInView(notice)
  useUndoKeys(undo.reverseRun)

  useEffect(() => {
    if (!notice || isHeld) return
    const timer = setTimeout(dismiss, shownFor)
    return () => clearTimeout(timer)
  }, [notice, isHeld, dismiss])

  const offered = notice && directionAfter(notice)
  const showTask = useShowTask()
  const placed = useStored((store) => placedBy(notice, store))
  const isInSight = useInSight(placed)
  return (
    <section
      className="message edged row undo-bar"
      aria-label="Last change"
      data-shown={notice !== undefined}
      // A toast has just said it.
      data-said={notice && notice.about === 'done' && notice.isSaid === true}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={({ target }) => setHeld(target.matches(':focus-visible'))}
      onBlur={() => setHeld(false)}
    >
      <p role="status" className="undo-text" data-about={notice?.about}>
        {notice && <NoticeText notice={notice} placed={placed} />}
      </p>
      <RepeatOffer notice={notice} />
      {placed && !isInSight && <LinkButton onClick={() => showTask(placed)}>Show</LinkButton>}
      {offered && (
        <LinkButton
          onKeyDown={ignoreRepeats}
          // Redo takes the place of Undo, where the second click of a double click would reverse the first.
          onClick={({ detail }) => detail < 2 && reverseNamed(offered)}
        >
          {offered === 'undo' ? 'Undo' : 'Redo'}
        </LinkButton>
      )}
    </section>
  )
}

function useInSight(task: Task | undefined): boolean {
  const [isInSight, setInSight] = useState(true)
  useEffect(() => {
    if (!task) return
    const look = () => {
      const place = document.querySelector(`[data-task="${task._id}"]`)?.getBoundingClientRect()
      setInSight(place !== undefined && place.bottom > 0 && place.top < innerHeight)
    }
    // The list is rendered with the change.
    const frame = requestAnimationFrame(look)
    document.addEventListener('scroll', look)
    return () => {
      cancelAnimationFrame(frame)
      document.removeEventListener('scroll', look)
    }
  }, [task])
  return isInSight
}

/** Scrolls the card that has the focus out from under the bar and a toast. */
function useCardInView(notice: Notice | undefined) {
  const isDialogOpen = useIsDialogOpen()
  useEffect(() => {
    if (!notice || isDialogOpen) return
    // A dialog that closes gives the focus back after this effect.
    const frame = requestAnimationFrame(() =>
      document.activeElement?.closest('[data-task]')?.scrollIntoView({ block: 'nearest' }),
    )
    return () => cancelAnimationFrame(frame)
  }, [notice, isDialogOpen])
}

function directionAfter(notice: Notice): Direction | undefined {
  if (notice.about === 'rejected') return
  if (notice.about === 'failed') return notice.isFinal ? undefined : notice.direction
  return notice.about === 'done' ? 'undo' : 'redo'
}

function NoticeText({ notice, placed }: { notice: Notice; placed: Task | undefined }) {
  const { steps } = notice
  const [{ verb, title, count, to = '', values = {} }] = steps
  const { repeats } = useEngine()
  const items = useStored((store) => {
    const ids = steps.length > 1 ? steps.flatMap(({ item }) => item ?? []) : Object.keys(values)
    const all = steps.length > 1 ? steps.length : count
    return all && countItems(all, ids, store)
  })
  const time = verb === 'add' ? placed?.dueTime : undefined
  const day = useDay(placed?.dueDate === null ? someday : (placed?.dueDate ?? to), time)
  const quoted = <Quoted>{title}</Quoted>
  const { said } = verbs[verb]
  const isLast = useStored((store) => {
    const repeat = repeatOf(notice, store)
    return repeat !== undefined && repeats.isLast?.(repeat)
  })
  const got = said.places ? day : to
  const isTheLast = isLast && steps.length === 1 && said.last
  const text = (
    <Sentence text={isTheLast || (got && said.doneTo) || said.done} items={items || quoted} to={got} />
  )
  switch (notice.about) {
    case 'done':
      return text
    case 'undone':
      return <Sentence text={said.undone[items && count !== 1 ? 1 : 0]} items={items || quoted} />
    case 'rejected':
      return (
        <>
          {quoted}: {notice.text}
        </>
      )
    case 'failed':
      return (
        <>
          {notice.direction === 'undo' ? 'Not undone' : 'Not redone'}: {text}. {notice.reason}
        </>
      )
  }
}

function countItems(count: number, ids: string[], store: Store): string {
  const notes = ids.filter((id) => store.note(id)).length
  if (notes === 0) return countTasks(count)
  return `${count} ${notes === count ? 'notes' : 'items'}`
}

function placedBy(notice: Notice | undefined, store: Store): Task | undefined {
  if (notice?.about !== 'done') return
  const [{ verb, item }] = notice.steps
  return item !== undefined && verbs[verb].said.places ? store.task(item) : undefined
}

function useDay(day: string, time: string | null | undefined): string {
  const { today, locale } = useDayContext()
  if (day === someday) return 'someday'
  const named = day === today ? 'today' : formatDay(day, today, locale)
  return time ? `${named}, ${formatTime(time, locale)}` : named
}

/** In a text field and in a dialog these keys are the browser's. */
function useUndoKeys(reverse: (direction: Direction) => void) {
  useKeyDown(!useIsDialogOpen(), (event) => {
    const isUndoKey =
      pressedKey(event).toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.altKey
    if (!isUndoKey || hasTextFieldFocus(event)) return
    event.preventDefault()
    if (!event.repeat) reverse(event.shiftKey ? 'redo' : 'undo')
  })
}

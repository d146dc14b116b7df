import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Task } from '#contract/tasks.ts'
import { complete } from '../../changes/complete.tsx'
import { deleteTask } from '../../changes/delete.tsx'
import { move } from '../../changes/move.tsx'
import { useParts } from '../../state/dashboard.tsx'
import { isDueBefore } from '../../store/item-rules.ts'
import type { NewChange } from '../../store/pending-change.ts'
import { useToday } from '../../ui/civil-day.ts'
import { Dialog, type OpenProps } from '../../ui/dialog.tsx'
import { ignoreRepeats } from '../../ui/ignore-repeats.ts'
import { Notice } from '../../ui/notice.tsx'
import { pressedKey } from '../../ui/pressed-key.ts'
import { hasTextFieldFocus } from '../../ui/text-field.ts'
import { useKeyDown } from '../../ui/use-key-down.ts'
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts'
import { TaskBody } from '../card/task-body.tsx'
import { DueDay } from '../card/task-card.tsx'
import { daysToChoose } from '../form/days-to-choose.ts'
import { useListed } from '../use-listed.ts'
import { DayChoice, timeBeside } from './day-choice.tsx'
import { useLetterKeys } from './use-letter-keys.ts'
import './review-dialog.css'

/** Walks through the overdue tasks one by one. Each step is a change that can be undone, here and after the dialog. */
export function ReviewDialog({ open, onClose }: OpenProps) {
  const today = useToday()
  const field = useRef<HTMLInputElement>(null)
  const { task, position, isAtEnd, index, goTo } = useReview()
  const { change, undo, canUndo, failure, forget } = useSteps(task, index, goTo)

  const end = useEffectEvent(onClose)
  useEffect(() => {
    if (isAtEnd) end()
  }, [isAtEnd])

  const moveTo = (dueDate: string | null, typedTime?: string | null) =>
    change((task) =>
      move(task, dueDate, dueDate === null ? undefined : (typedTime ?? timeBeside(field, task))),
    )
  const finish = () => change(complete)
  const remove = () => change(deleteTask)
  function skip() {
    forget()
    goTo(index + 1)
  }
  useLetterKeys(open && task !== undefined, {
    ...Object.fromEntries(daysToChoose(today).map(({ key, day }) => [key, () => moveTo(day)])),
    o: () => moveTo(null),
    d: () => field.current?.focus(),
    x: finish,
    Delete: remove,
    Backspace: remove,
    s: skip,
    ArrowRight: skip,
    u: undo,
  })

  useKeyDown(open, (event) => {
    const isUndo = pressedKey(event) === 'z' && (event.ctrlKey || event.metaKey) && !event.altKey
    if (!isUndo || hasTextFieldFocus(event)) return
    event.preventDefault()
    if (!event.repeat) undo()
  })

  return (
    <Dialog open={open} onClose={onClose} title="Review overdue tasks">
      {task && (
        <div className="task-form review">
          <article aria-live="polite" aria-atomic="true" className="review-task">
            <p className="review-position">{position}</p>
            <h3 dir="auto">{task.title}</h3>
            {task.body !== '' && <TaskBody key={task._id} body={task.body} />}
            <p className="task-facts">
              <span className="badge" data-priority={task.priority}>
                {task.priority.toUpperCase()}
              </span>
              <DueDay task={task} today={today} />
            </p>
          </article>
          <DayChoice field={field} due={task} somedayKey="o" onChoose={moveTo} />
          <div className="review-others">
            <Choice label="Complete" hint="x" onChoose={finish} isOnce />
            <Choice label="Delete" hint="⌫" onChoose={remove} isOnce />
            <Choice label="Skip" hint="s" onChoose={skip} />
            <Choice label="Undo" hint="u" onChoose={undo} isHidden={!canUndo} />
          </div>
          {failure && <Notice>{failure}</Notice>}
        </div>
      )}
    </Dialog>
  )
}

type ChoiceProps = {
  label: string
  hint: string
  onChoose: () => unknown
  isOnce?: boolean
  /** Takes its space although it is invisible. */
  isHidden?: boolean
}

/** A button with its key. With `isOnce` the second click of a double click does nothing: it would change the next task. */
const Choice = ({ label, hint, onChoose, isOnce = false, isHidden = false }: ChoiceProps) => (
  <button
    type="button"
    className="button button-quiet"
    data-key={hint}
    data-hidden={isHidden}
    onKeyDown={ignoreRepeats}
    onClick={({ detail }) => (detail < 2 || !isOnce) && onChoose()}
  >
    {label}
  </button>
)

/** Changes the task on show, one change at a time, and continues with the next; undoes the steps and goes back. */
function useSteps(task: Task | undefined, index: number, goTo: (index: number) => void) {
  const { history } = useParts()
  const { attempt } = useParts().changes
  const { reverse } = useParts().undo
  const [changed, setChanged] = useState<number[]>([])
  const [failure, setFailure] = useState<string>()

  const [step] = useOneAtATime(async (work: () => Promise<void>) => {
    setFailure(undefined)
    await work()
  })
  const change = (verb: (task: Task) => NewChange) =>
    step(async () => {
      if (!task) return
      const [notStored] = await attempt([verb(task)])
      if (notStored) return setFailure(`This task was not changed. ${notStored.error.message}`)
      setChanged([...changed, index])
      goTo(index + 1)
    })
  const undo = () =>
    step(async () => {
      const place = changed.at(-1)
      if (place === undefined) return
      await reverse('undo')
      const { notice } = history.getState()
      if (notice?.about === 'failed') return setFailure(`The change was not undone. ${notice.reason}`)
      setChanged(changed.slice(0, -1))
      goTo(place)
    })
  return { change, undo, canUndo: changed.length > 0, failure, forget: () => setFailure(undefined) }
}

/**
 * Walks through the overdue tasks in the order of the list Today, which loads further pages as the reader comes near their
 * end. A task keeps its place in the walk after it has left the list.
 */
function useReview() {
  const today = useToday()
  // The open panel has loaded the list.
  const listed = useListed('today', today, { freshFor: Number.POSITIVE_INFINITY })
  const { tasks = [], fetching, hasMore: isCut, showMore } = listed
  const [walk, setWalk] = useState<Task[]>([])
  const [index, setIndex] = useState(0)

  const known = new Set(walk.map(({ _id }) => _id))
  const found = tasks.filter((task) => isDueBefore(task, today) && !known.has(task._id))
  if (found.length > 0) setWalk([...walk, ...found])

  const last = tasks.at(-1)
  const hasMore = (isCut || fetching === 'next') && (last === undefined || isDueBefore(last, today))
  const isNearEnd = index + tasksAhead >= walk.length
  useEffect(() => {
    if (isCut && hasMore && isNearEnd) showMore()
  }, [isCut, hasMore, isNearEnd, showMore])

  const place = walk[index]
  return {
    /** The task at this place as it is now; undefined at the end. */
    task: place && (tasks.find(({ _id }) => _id === place._id) ?? place),
    position: `${index + 1} of ${walk.length}${hasMore ? '+' : ''}`,
    isAtEnd: place === undefined && !hasMore,
    index,
    goTo: setIndex,
  }
}

/** The number of tasks before the last loaded one at which the next page is fetched. */
const tasksAhead = 5

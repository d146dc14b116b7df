import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Task } from '#contract/tasks.ts'
import type { NewChange } from '../../engine/entry.ts'
import { isDueBefore } from '../../engine/store/item-rules.ts'
import type { Notice as LastChange } from '../../engine/undo-history.ts'
import { complete, remove } from '../../engine/verbs/complete.ts'
import { move } from '../../engine/verbs/plan.ts'
import { verbs } from '../../engine/verbs/verbs.ts'
import { useEngine } from '../../state/use-engine.tsx'
import { Button } from '../../ui/button.tsx'
import { useToday } from '../../ui/civil-day.ts'
import { Dialog, type OpenProps } from '../../ui/dialog.tsx'
import { ignoreRepeats } from '../../ui/drop-second-click.ts'
import { Notice } from '../../ui/notice.tsx'
import { hasTextFieldFocus, pressedKey } from '../../ui/pressed-key.ts'
import { useKeyDown } from '../../ui/use-key-down.ts'
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts'
import { TaskBody } from '../card/task-body.tsx'
import { DueDay, PriorityBadge } from '../card/task-card.tsx'
import { RepeatRule } from '../repeat/task-repeat.tsx'
import { RepeatOffer } from '../repeat-offer.tsx'
import { Sentence } from '../sentence.tsx'
import { useListed } from '../use-listed.ts'
import { type Action, DayChoice, focusField, timeBeside } from './day-choice.tsx'
import { moveInChoices, repeatActions } from './move-dialog.tsx'
import './review-dialog.css'

/** `isOnce`: the second click of a double click would change the next task. `isHidden`: it keeps its space. */
type Choice = Action & { isOnce?: boolean; isHidden?: boolean }

export function ReviewDialog({ open, onClose }: OpenProps) {
  const today = useToday()
  const field = useRef<HTMLInputElement>(null)
  const { task, position, isAtEnd, index, goTo } = useReview()
  const { change, keep, undo, canUndo, failure, said, forget } = useSteps(index, goTo, today)

  const end = useEffectEvent(onClose)
  useEffect(() => {
    if (isAtEnd) end()
  }, [isAtEnd])

  const moveTo = (dueDate: string | null, typedTime?: string | null) =>
    task &&
    change(move.make(task, dueDate, dueDate === null ? undefined : (typedTime ?? timeBeside(field, task))))
  const finish = () => task && change(complete.make(task))
  const discard = () => task && change(remove.make(task))
  function leave() {
    forget()
    goTo(index + 1)
  }
  const repeatedly = repeatActions(task ? [task] : [], ([made]) => made && change(made))
  const choices: Choice[] = [
    { ...complete, run: finish, isOnce: true },
    { ...remove, run: discard, isOnce: true },
    ...repeatedly.map((each) => ({ ...each, isOnce: true })),
    { key: 'n', label: 'Next', run: leave },
    { key: 'u', label: 'Undo', run: undo, isHidden: !canUndo },
  ]

  useKeyDown(open && task !== undefined, (event) => {
    const isInField = event.target === field.current && field.current?.value === ''
    if (event.defaultPrevented || event.altKey || (hasTextFieldFocus(event) && !isInField)) return
    const isWithCtrl = event.ctrlKey || event.metaKey
    const actions: Record<string, () => unknown> = isWithCtrl
      ? { z: undo }
      : { [remove.key]: discard, ArrowRight: leave }
    const action = actions[pressedKey(event)]
    if (!action) return
    event.preventDefault()
    if (!event.repeat) action()
  })

  return (
    <Dialog open={open} onClose={onClose} title="Review overdue tasks">
      {task && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field and the buttons in it
        <div
          className="task-form stack airy keyed"
          onKeyDown={(event) => moveInChoices(event, field.current)}
        >
          <article aria-live="polite" aria-atomic="true" className="review-task">
            <p className="soft small">{position}</p>
            <h3 dir="auto">{task.title}</h3>
            {task.body !== '' && <TaskBody key={task._id} body={task.body} />}
            <p className="task-facts wraps soft small">
              <PriorityBadge priority={task.priority} />
              <DueDay task={task} today={today} />
              {task.repeat !== null && (
                <span>
                  <RepeatRule task={task} />
                </span>
              )}
            </p>
          </article>
          <DayChoice field={field} due={task} actions={choices} onChoose={moveTo} />
          <div className="review-others wraps tight apart">
            {choices.map(({ key, label, run, isOnce = false, isHidden = false }) => (
              <Button
                key={key}
                className="button button-quiet"
                // As on a key: Del.
                data-key={key.slice(0, 3)}
                data-hidden={isHidden}
                onKeyDown={ignoreRepeats}
                onClick={({ detail }) => (detail < 2 || !isOnce) && run()}
              >
                {label}
              </Button>
            ))}
          </div>
          <p role="status" className="target row wraps">
            <RepeatOffer
              notice={said}
              onTake={(made) => {
                // The button that has the focus goes.
                focusField(field)
                return keep(made)
              }}
            >
              {said && (
                <span>
                  <Sentence
                    text={verbs[said.steps[0].verb].said.done}
                    items={<bdi>“{said.steps[0].title}”</bdi>}
                  />
                </span>
              )}
            </RepeatOffer>
          </p>
          {failure && <Notice>{failure}</Notice>}
        </div>
      )}
    </Dialog>
  )
}

function useSteps(index: number, goTo: (index: number) => void, today: string) {
  const { history, changes, undo: undoing } = useEngine()
  const [changed, setChanged] = useState<number[]>([])
  const [failure, setFailure] = useState<string>()
  /** The last step, as long as something can be offered about it. */
  const [said, setSaid] = useState<LastChange>()

  const [step] = useOneAtATime(async (work: () => Promise<void>) => {
    setFailure(undefined)
    await work()
  })
  const changeAt = (made: NewChange, next: number) =>
    step(async () => {
      // Each step is undone alone, here and after the dialog.
      history.getState().dismiss()
      const [notStored] = await changes.attempt([made])
      if (notStored) return setFailure(`This task was not changed. ${notStored.error.message}`)
      setSaid(history.getState().notice)
      setChanged([...changed, index])
      goTo(next)
    })
  function change(made: NewChange) {
    // A repeat that was stopped, or skipped to another day before today, is still overdue.
    const isOverdue = made.verb === 'stop' || (made.verb === 'skip' && (made.to ?? '') < today)
    return changeAt(made, isOverdue ? index : index + 1)
  }
  const keep = (made: NewChange) => changeAt(made, index)
  const undo = () =>
    step(async () => {
      const place = changed.at(-1)
      if (place === undefined) return
      await undoing.reverse('undo')
      const { notice } = history.getState()
      if (notice?.about === 'failed') return setFailure(`The change was not undone. ${notice.reason}`)
      setSaid(undefined)
      setChanged(changed.slice(0, -1))
      goTo(place)
    })
  const forget = () => setFailure(undefined)
  return { change, keep, undo, canUndo: changed.length > 0, failure, said, forget }
}

/** A task keeps its place in the walk after it has left the list. */
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
    task: place && (tasks.find(({ _id }) => _id === place._id) ?? place),
    position: `${index + 1} of ${walk.length}${hasMore ? '+' : ''}`,
    isAtEnd: place === undefined && !hasMore,
    index,
    goTo: setIndex,
  }
}

/** The next page is fetched when fewer tasks than these are left. */
const tasksAhead = 5

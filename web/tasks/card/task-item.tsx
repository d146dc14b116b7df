import { memo, type PointerEvent, type RefObject, use, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { Task } from '#contract/tasks.ts'
import { fadeTime, readingTime, rendered } from '../../engine/changes.ts'
import { isGone } from '../../engine/store/change-errors.ts'
import { tick as tickLine } from '../../engine/verbs/add-edit.ts'
import { complete, remove, reopen } from '../../engine/verbs/complete.ts'
import { useDashboard } from '../../state/dashboard-state.tsx'
import { useEngine, useFailure } from '../../state/use-engine.tsx'
import { dropSecondClick } from '../../ui/drop-second-click.ts'
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts'
import { KeepButton } from '../keep-button.tsx'
import { TaskRepeat } from '../repeat/task-repeat.tsx'
import { toldByToasts } from '../told-by-toasts.ts'
import { UnsentDot } from '../unsent-dot.tsx'
import { ShownTaskId, TaggedText } from './linked-text.tsx'
import { SearchedWords } from './marked-text.tsx'
import { TaskBody } from './task-body.tsx'
import { TaskCard } from './task-card.tsx'
import { TaskFailure } from './task-failure.tsx'
import { TaskGap } from './task-gap.tsx'

type TaskItemProps = {
  task: Task
  gap: number | undefined
  today: string
  day: string | undefined
  isLine?: boolean | undefined
  heading: 'h2' | 'h3'
  /** Whether it is below those that are in view when the list opens. */
  isBelow: boolean
}

/** Even in a list of thousands, only changed cards are rendered. */
export const TaskItem = memo(({ task, gap, isBelow, ...appearance }: TaskItemProps) => {
  const item = useRef<HTMLLIElement>(null)
  const { make, makeAwaited, explain } = useEngine().changes
  const [discard, isDeleting] = useOneAtATime(() =>
    toldByToasts('delete', makeAwaited(remove.make(task), { over: task })).catch((error) =>
      explain({ item: task._id, verb: 'delete' }, error, task.title),
    ),
  )
  const open = useDashboard((state) => state.open)
  const drag = useDashboard((state) => state.drag)
  const isSelected = useSelected(task._id, gap === undefined)
  const { isTicked, tick } = useTick(task, item)
  // A gap says nothing.
  const failure = useFailure(gap === undefined ? task._id : '')
  useDeparture(failure !== undefined && isGone(failure.error), item)
  if (gap !== undefined) return <TaskGap height={gap} task={task} />
  return (
    <li
      ref={item}
      data-below={isBelow}
      onClickCapture={dropSecondClick}
      onPointerDown={allowDrag}
      onDragStart={({ dataTransfer }) => {
        dataTransfer.effectAllowed = 'move'
        dataTransfer.setData('text/plain', task.title)
        drag(task)
      }}
      onDragEnd={() => drag(undefined)}
    >
      <TaskCard
        task={task}
        title={<TaggedText text={task.title} />}
        repeat={
          (task.repeat ?? task.series) !== null && (
            <TaskRepeat task={task} isLine={appearance.isLine === true} />
          )
        }
        body={
          task.body && (
            <ShownTaskId value={task._id}>
              <TaskBody
                body={task.body}
                onCheck={(line, checked) => make([tickLine.make(task, line, checked)])}
              />
            </ShownTaskId>
          )
        }
        {...appearance}
        busy={isDeleting}
        failure={
          failure && (
            <TaskFailure failure={failure}>
              <KeepButton error={failure.error} entry={() => [remove.make(task)]} />
            </TaskFailure>
          )
        }
        unsent={<UnsentDot item={task._id} />}
        isTicked={isTicked}
        onTick={tick}
        isSelected={isSelected}
        onMove={() => open({ name: 'moveTask', tasks: [task] })}
        onPriority={() => open({ name: 'priority', tasks: [task] })}
        onEdit={() => open({ name: 'editTask', task })}
        onDelete={discard}
      />
    </li>
  )
})

/** Fades a card whose task is gone after it has said so. */
function useDeparture(isGone: boolean, item: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (!isGone) return
    const card = item.current
    const timer = setTimeout(() => fade(card), readingTime)
    return () => {
      clearTimeout(timer)
      // The task may have come back meanwhile.
      for (const animation of card?.getAnimations() ?? []) animation.cancel()
    }
  }, [isGone, item])
}

/** A task is no longer selected when its card goes. */
function useSelected(id: string, isShown: boolean): boolean {
  const { selection } = useEngine()
  useEffect(() => {
    const leave = () => {
      const { ids, drop } = selection.getState()
      if (ids.has(id)) drop(id)
    }
    return isShown ? leave : undefined
  }, [selection, id, isShown])
  return useStore(selection, ({ ids }) => ids.has(id))
}

/** A mouse drags a card onto a day of the calendar, but selects text on its body. A finger scrolls. */
function allowDrag({ currentTarget, target, pointerType }: PointerEvent<HTMLElement>) {
  const selects = target instanceof Element && target.closest('[data-selectable]') !== null
  currentTarget.draggable = pointerType === 'mouse' && !selects
}

/** In milliseconds: how long a ticked card stays as it is, so that the tick is seen. */
const restTime = 300

function useTick(task: Task, item: RefObject<HTMLElement | null>) {
  const { store, changes } = useEngine()
  // A search shows open and done tasks.
  const staysInPlace = use(SearchedWords).length > 0
  const isOpen = task.doneAt === null
  // The card itself stays as it is until it goes.
  const [shown, setShown] = useState<boolean>()
  const [tick] = useOneAtATime(async () => {
    setShown(isOpen)
    const unpin = store.pin([task._id])
    const rested = new Promise<boolean>((rested) => setTimeout(rested, restTime, true))
    const made = changes.make([(isOpen ? complete : reopen).make(task)])
    const goes = await Promise.race([made.then((notStored) => notStored.length === 0 && rested), rested])
    const faded = goes && !staysInPlace ? await fade(item.current, struck) : undefined
    unpin()
    await rendered()
    // If the change has failed, or another device has undone it meanwhile, the card is still there.
    faded?.cancel()
    setShown(undefined)
  })
  return { isTicked: shown ?? !isOpen, tick }
}

/** The opacity of a completed card until its gap closes: that of `.task-gap`. */
const struck = 0.45

/** Returns the animation, which keeps the card faded. */
async function fade(item: HTMLElement | null, opacity = 0): Promise<Animation | undefined> {
  const animation = item?.animate([{ opacity: 1 }, { opacity }], { duration: fadeTime, fill: 'forwards' })
  // Not the end of the animation: a page in the background animates nothing.
  await new Promise((ended) => setTimeout(ended, fadeTime))
  return animation
}

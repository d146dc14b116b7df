import { type PointerEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Task } from '#contract/tasks.ts'
import { useKeyDown } from '../../ui/use-key-down.ts'
import { useKeptFocus } from './use-kept-focus.ts'

/** `gap`: the height of a card that has gone, in pixels. `place`: the task as it was when it got its place and group. */
export type Row<Listed = Task> = { task: Listed; place: Listed; gap?: number }

/** In milliseconds: how long gaps take to close; `--duration-quick`. */
const closingTime = 120

/**
 * While a pointer holds the list, no card moves: a card that goes leaves a gap, and a card that comes waits, unless it comes at
 * the end. `around`: properties of the element around the cards. Rows of another `subject` leave no gaps.
 */
export function useListRows<Listed extends { _id: string } = Task>(
  tasks: readonly Listed[] | undefined,
  subject = '',
) {
  const { isHeld, handlers } = usePointing()
  /** `closing`: an object for each time that gaps close, because the next time can begin in the render that ends one. */
  const arrange = (rows: Row<Listed>[], closing?: object) => ({ rows, closing, tasks, isHeld, subject })
  const [shown, setShown] = useState(() => arrange(placed(tasks)))

  // During rendering, so that the cards are rendered once.
  if (shown.tasks !== tasks || shown.isHeld !== isHeld || shown.subject !== subject) {
    // Gaps that are closing do not open again under the pointer that holds the list.
    const before = shown.closing && isHeld ? shown.rows.filter(({ gap }) => gap === undefined) : shown.rows
    const still = tasks && shown.subject === subject ? inPlace(before, tasks) : []
    const hasGaps = still.some(({ gap }) => gap !== undefined)
    const isKept = hasGaps || (isHeld && still.length > 0)
    const closing = hasGaps && !isHeld ? (shown.closing ?? {}) : undefined
    setShown(arrange(isKept ? still : placed(tasks), closing))
  }

  const close = useEffectEvent(() => setShown(arrange(placed(tasks))))
  useEffect(() => {
    if (!shown.closing) return
    const timer = setTimeout(() => close(), closingTime)
    return () => clearTimeout(timer)
  }, [shown.closing])

  const { rows, closing } = shown
  useKeptFocus(rows)
  return { rows, around: { 'data-closing': closing !== undefined, ...handlers } }
}

const placed = <Listed>(tasks: readonly Listed[] = []): Row<Listed>[] =>
  tasks.map((task) => ({ task, place: task }))

/** The rows stay where they are. Behind them are the tasks that follow the last one. */
function inPlace<Listed extends { _id: string }>(rows: Row<Listed>[], tasks: readonly Listed[]) {
  const now = new Map(tasks.map((task) => [task._id, task]))
  const heightOf = heights()
  const kept = rows.flatMap(({ task: { _id }, place, gap }): Row<Listed> | [] => {
    const task = now.get(_id)
    if (task) return { task, place }
    // A card that was not rendered leaves no gap.
    const height = gap ?? heightOf(_id)
    return height === undefined ? [] : { task: place, place, gap: height }
  })
  const before = new Set(rows.map(({ task }) => task._id))
  const last = tasks.findLastIndex(({ _id }) => before.has(_id))
  return [...kept, ...placed(tasks.slice(last + 1))]
}

function heights() {
  let cards: Map<string | undefined, HTMLElement> | undefined
  return (id: string): number | undefined => {
    cards ??= new Map(
      [...document.querySelectorAll<HTMLElement>('[data-task]')].map((card) => [card.dataset.task, card]),
    )
    return cards.get(id)?.closest('li')?.getBoundingClientRect().height
  }
}

/** In milliseconds. After this time without a press or a movement, the pointer is at rest. */
const restTime = 2000

/**
 * A mouse is in use until it leaves the list or rests, a finger until it was lifted and rests. A key ends both. After a press on
 * a button beside the cards, the reader waits for its result: the pointer is in use again when it comes back to the list.
 */
function usePointing() {
  const [isHeld, setHeld] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isElsewhere = useRef(false)
  useEffect(() => () => clearTimeout(timer.current), [])

  function set(pointing: boolean) {
    clearTimeout(timer.current)
    setHeld(pointing)
  }
  const stop = () => set(false)
  function rest() {
    if (isElsewhere.current) return
    set(true)
    timer.current = setTimeout(stop, restTime)
  }
  useKeyDown(isHeld, stop)

  const handlers = {
    onPointerDown({ target }: PointerEvent) {
      isElsewhere.current = (target as Element).closest('[data-task], [data-gap]') === null
      // No rest before the pointer is lifted.
      set(!isElsewhere.current)
    },
    onPointerMove: ({ buttons }: PointerEvent) => buttons === 0 && rest(),
    onPointerUp: rest,
    // A mouse drags a card elsewhere; a finger scrolls.
    onPointerCancel: ({ pointerType }: PointerEvent) => (pointerType === 'mouse' ? stop() : rest()),
    onTouchMove: rest,
    onTouchEnd: rest,
    onPointerLeave({ pointerType }: PointerEvent) {
      // A finger leaves whenever it is lifted.
      if (pointerType === 'touch') return
      isElsewhere.current = false
      stop()
    },
  }
  return { isHeld, handlers }
}

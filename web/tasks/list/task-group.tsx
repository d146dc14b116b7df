import { type ReactNode, use, useDeferredValue, useId } from 'react'
import { SearchedWords } from '../card/marked-text.tsx'
import { TaskItem } from '../card/task-item.tsx'
import type { Row } from './use-rows.ts'
import './task-group.css'

export type TaskGroupProps = {
  label?: string
  count?: ReactNode
  /** The day that the label names, if all of the cards are due then. */
  day?: string | undefined
  isLine?: boolean
  actions?: ReactNode
  below?: ReactNode
  rows: Row[]
  /** Whether the first cards of the list are not painted yet, and how many cards are above the group. */
  isOpening?: boolean
  above?: number | undefined
  today: string
}

/** About as many cards as fit on a screen. */
const firstCards = 10

/** In pixels: the least height of a card and of one that is one line, and what is above the cards. */
const [lowestCard, lowestLine, head] = [56, 34, 140]

/** The first cards of all groups together fit on the screen. */
const countOfFirst = (above: number, isLine = false) =>
  Math.min(firstCards, Math.max(0, fitting(isLine ? lowestLine : lowestCard) - above))

const fitting = (height: number) => Math.max(firstCards, Math.ceil((innerHeight - head) / height))

/** The first cards are painted before the others are rendered. */
export function TaskGroup({
  label,
  count,
  day,
  isLine,
  actions,
  below,
  rows,
  isOpening = false,
  above = 0,
  today,
}: TaskGroupProps) {
  const id = useId()
  // Other words replace the cards. More cards for the same words, in a new array, leave those that are there.
  const words = use(SearchedWords).join(' ')
  const arePainted = useDeferredValue<string | null>(words, null) === words
  const rendered = arePainted ? rows : rows.slice(0, countOfFirst(isOpening ? above : 0, isLine))
  const others = rows.length - rendered.length
  const list = rows.length > 0 && (
    <ul className="task-list">
      {rendered.map(({ task, gap }, index) => (
        <TaskItem
          key={task._id}
          task={task}
          gap={gap}
          today={today}
          day={day}
          heading={label ? 'h3' : 'h2'}
          isLine={isLine}
          isBelow={index >= firstCards}
        />
      ))}
      {others > 0 && <li className="task-rest" style={{ height: `calc(${others} * var(--card-guess))` }} />}
    </ul>
  )
  if (!label) return list
  return (
    <section aria-labelledby={id}>
      <header className="group-head wraps">
        <h2 id={id} className="group-label">
          {label}
        </h2>
        <span className="group-count soft small">{count}</span>
        {actions}
      </header>
      {list}
      {below}
    </section>
  )
}

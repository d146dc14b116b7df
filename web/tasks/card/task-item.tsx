import { type MouseEvent, memo, type PointerEvent, useRef } from 'react'
import type { Task } from '#contract/tasks.ts'
import { problemFrom } from '../../api/client.ts'
import { useDashboard } from '../../state/dashboard-state.tsx'
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts'
import { useDeleteTask } from '../mutations.ts'
import { listsRendered } from '../task-cache.ts'
import { isGone } from '../task-errors.ts'
import { TaggedText } from './tagged-text.tsx'
import { TaskBody } from './task-body.tsx'
import { TaskCard } from './task-card.tsx'
import { useCheckLine } from './use-check-line.ts'
import { useDeparture } from './use-departure.ts'
import { useTick } from './use-tick.ts'

type TaskItemProps = {
  task: Task
  gap: number | undefined
  today: string
  heading: 'h2' | 'h3'
  onEdit: (task: Task) => void
  onDeleted: (task: Task, height: number) => void
}

/** A card in a list, and what its ring, its lines and its two buttons do. In lists of thousands too, only what changed is rendered again. */
export const TaskItem = memo(({ task, gap, onEdit, onDeleted, ...appearance }: TaskItemProps) => {
  const item = useRef<HTMLLIElement>(null)
  const { mutateAsync, error } = useDeleteTask(task)
  const [remove, isDeleting] = useOneAtATime(async ({ detail }: MouseEvent) => {
    // After a key press (detail 0) the focus moves to the next card, which therefore takes the place at once.
    const onSuccess = () => detail > 0 && onDeleted(task, item.current?.offsetHeight ?? 0)
    // The mutation reports its failure itself.
    await mutateAsync(onSuccess).catch(() => {})
  })
  const open = useDashboard((state) => state.open)
  const drag = useDashboard((state) => state.drag)
  const { isTicked, tick, error: notTicked } = useTick(task, item)
  const { mutateAsync: checkLine, error: notChecked } = useCheckLine(task)
  useDeparture(task, isGone(error) || isGone(notTicked) || isGone(notChecked), item)
  if (gap !== undefined) return <li className="task-gap" style={{ height: gap }} />
  return (
    <li
      ref={item}
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
        // The failure is shown on the card.
        body={
          task.body && (
            <TaskBody
              body={task.body}
              onCheck={(line, checked) =>
                checkLine({ line, checked })
                  .catch(() => {})
                  .then(listsRendered)
              }
            />
          )
        }
        {...appearance}
        busy={isDeleting}
        failure={
          failureOf('task was not deleted', error) ??
          failureOf(`task was not ${task.doneAt ? 'reopened' : 'completed'}`, notTicked) ??
          failureOf('line was not changed', notChecked)
        }
        isTicked={isTicked}
        onTick={tick}
        onMove={() => open({ name: 'moveTask', task })}
        onEdit={() => onEdit(task)}
        onDelete={remove}
      />
    </li>
  )
})

function failureOf(what: string, error: Error | null) {
  if (isGone(error)) return 'This task was deleted elsewhere.'
  return error && `This ${what}. ${problemFrom(error)?.message ?? ''}`
}

/** A mouse drags a card onto a day of the calendar, but selects text on its title and body. A finger scrolls. */
function allowDrag({ currentTarget, target, pointerType }: PointerEvent<HTMLElement>) {
  const selects = target instanceof Element && target.closest('[data-selectable]') !== null
  currentTarget.draggable = pointerType === 'mouse' && !selects
}

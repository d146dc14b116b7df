import { type MouseEvent, memo, useRef } from 'react'
import type { Task } from '#contract/tasks.ts'
import { useDashboard } from '../../state/dashboard-state.tsx'
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts'
import { useChangeTask } from '../change-task.ts'
import { DeletedCard } from './deleted-card.tsx'
import { deletedTask } from './deleted-task.ts'

type DeletedItemProps = {
  task: Task
  gap: number | undefined
  today: string
  heading: 'h2' | 'h3'
  onRestored: (task: Task, height: number) => void
}

/** A deleted task in its list, which can be restored or removed for good. */
export const DeletedItem = memo(({ task, gap, onRestored, ...appearance }: DeletedItemProps) => {
  const item = useRef<HTMLLIElement>(null)
  const open = useDashboard((state) => state.open)
  const { mutateAsync, error } = useChangeTask()
  const [restore, isBusy] = useOneAtATime(async ({ detail }: MouseEvent) => {
    // After a press of the pointer the place stays empty for a moment, so that a second click meets no other card.
    const beforeShown = () => {
      if (detail > 0) onRestored(task, item.current?.offsetHeight ?? 0)
    }
    await mutateAsync({ task, set: { deleted: false }, deed: 'Restored', beforeShown }).catch(() => {})
  })
  if (gap !== undefined) return <li className="task-gap" style={{ height: gap }} />
  return (
    <li ref={item}>
      <DeletedCard
        task={task}
        {...appearance}
        busy={isBusy}
        failure={error && `This task was not restored. ${error.message}`}
        onRestore={restore}
        onDeleteForGood={() => open({ name: 'deleteForGood', item: deletedTask(task), andEarlier: false })}
      />
    </li>
  )
})

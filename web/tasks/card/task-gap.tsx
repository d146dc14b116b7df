import type { Task } from '#contract/tasks.ts'
import { useStored } from '../../state/use-engine.tsx'

/** A completed task stays in its gap, struck through. */
export function TaskGap({ height, task }: { height: number; task?: Task }) {
  const now = useStored((store) => task && store.task(task._id))
  const isCompleted = task?.doneAt === null && now?.doneAt && now.deletedAt === null
  return (
    <li className="task-gap soft" data-gap aria-hidden="true" style={{ height }}>
      {isCompleted && (
        <div className="task-card">
          <input type="checkbox" className="task-ring" data-shape={task.priority} checked disabled readOnly />
          <p className="task-title">{task.title}</p>
        </div>
      )}
    </li>
  )
}

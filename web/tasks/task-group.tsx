import { useId } from 'react'
import type { Task } from '#contract/tasks.ts'
import { TaskItem } from './task-item.tsx'

type TaskGroupProps = { label?: 'Overdue' | 'Today'; tasks: Task[]; onEdit: (task: Task) => void }

export function TaskGroup({ label, tasks, onEdit }: TaskGroupProps) {
  const id = useId()
  return (
    <section aria-labelledby={label ? id : 'panel-title'}>
      {label && (
        <h2 id={id} className="group-label">
          {label}
        </h2>
      )}
      <ul className="task-list">
        {tasks.map((task) => (
          <TaskItem
            key={task._id}
            task={task}
            overdue={label === 'Overdue'}
            heading={label ? 'h3' : 'h2'}
            onEdit={onEdit}
          />
        ))}
      </ul>
    </section>
  )
}

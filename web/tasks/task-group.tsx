import { useId } from 'react'
import type { Task } from '#contract/tasks.ts'
import { TaskItem } from './task-item.tsx'
import './task-group.css'

type TaskGroupProps = {
  label?: 'Overdue' | 'Today'
  tasks: Task[]
  today: string
  onEdit: (task: Task) => void
}

/** Cards under a label, or without one. */
export function TaskGroup({ label, tasks, today, onEdit }: TaskGroupProps) {
  const id = useId()
  const list = (
    <ul className="task-list">
      {tasks.map((task) => (
        <TaskItem
          key={task._id}
          task={task}
          overdue={task.dueDate < today}
          heading={label ? 'h3' : 'h2'}
          onEdit={onEdit}
        />
      ))}
    </ul>
  )
  if (!label) return list
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="group-label">
        {label}
      </h2>
      {list}
    </section>
  )
}

import { memo } from 'react'
import type { Task } from '#contract/tasks.ts'
import { problemFrom } from '../api/client.ts'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'
import { useDeleteTask } from './mutations.ts'
import { TaskCard } from './task-card.tsx'

type TaskItemProps = { task: Task; overdue: boolean; heading: 'h2' | 'h3'; onEdit: (task: Task) => void }

/** A card in a list, and what its two buttons do. In lists of thousands too, only what changed is rendered again. */
export const TaskItem = memo(({ task, onEdit, ...appearance }: TaskItemProps) => {
  const { mutateAsync, error } = useDeleteTask(task._id)
  // The mutation reports its failure itself.
  const [remove] = useOneAtATime(() => mutateAsync().catch(() => {}))
  return (
    <li>
      <TaskCard
        task={task}
        {...appearance}
        failure={error && `This task was not deleted. ${problemFrom(error)?.message ?? ''}`}
        onEdit={() => onEdit(task)}
        onDelete={remove}
      />
    </li>
  )
})

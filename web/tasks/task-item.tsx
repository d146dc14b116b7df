import { useQueryClient } from '@tanstack/react-query'
import { memo, useState } from 'react'
import type { Task } from '#contract/tasks.ts'
import { problemFrom } from '../api/client.ts'
import { dashboardToast } from '../ui/toasts.tsx'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'
import { deleteTask } from './task-api.ts'
import { showDeleted } from './task-cache.ts'
import { TaskCard } from './task-card.tsx'

type TaskItemProps = { task: Task; overdue: boolean; heading: 'h2' | 'h3'; onEdit: (task: Task) => void }

/** A card in a list, and what its two buttons do. Only what changed is drawn again, in lists of thousands too. */
export const TaskItem = memo(({ task, onEdit, ...look }: TaskItemProps) => {
  const queryClient = useQueryClient()
  const [failure, setFailure] = useState<string>()

  const [remove] = useOneAtATime(async () => {
    setFailure(undefined)
    try {
      const { deleted } = await deleteTask(task._id)
      if (!deleted) throw new Error('The server did not confirm it.')
      dashboardToast.success('Task deleted successfully')
      await showDeleted(queryClient, task._id)
    } catch (error) {
      console.error(error)
      dashboardToast.error('Failed to delete task')
      setFailure(`This task was not deleted. ${problemFrom(error)?.message ?? ''}`)
    }
  })

  return (
    <li>
      <TaskCard task={task} {...look} failure={failure} onEdit={() => onEdit(task)} onDelete={remove} />
    </li>
  )
})

import { useCallback } from 'react'
import type { ListName } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { useToday } from '../ui/civil-day.ts'
import { Delayed } from '../ui/delayed.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import type { ListToasts } from '../views/views.ts'
import { ListEnd } from './list-end.tsx'
import { ListFailure } from './list-failure.tsx'
import { TaskGroup } from './task-group.tsx'
import { TaskSkeleton } from './task-skeleton.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { useTaskList } from './use-task-list.ts'

type TaskListProps = {
  list: ListName
  emptyText: string
  toasts?: ListToasts
  separatesOverdue?: boolean
}

/** A list in each of its states: loading, failed, empty, or tasks and more on scrolling. */
export function TaskList({ list, emptyText, toasts, separatesOverdue = false }: TaskListProps) {
  const today = useToday()
  const { tasks, error, failedMore, hasMore, loadMore, retry } = useTaskList(list, toasts, today)
  useKeptFocus(tasks)
  const open = useDashboard((state) => state.open)
  const edit = useCallback((task: Task) => open({ name: 'editTask', task }), [open])

  return (
    <>
      {error && !failedMore && (
        <ListFailure text={`These tasks could not be loaded. ${error.message}`} onRetry={retry} />
      )}
      {!tasks && !error && (
        <Delayed>
          <TaskSkeleton />
        </Delayed>
      )}
      {tasks?.length === 0 && !error && <EmptyState>{emptyText}</EmptyState>}
      {tasks && tasks.length > 0 && (
        <TaskGroups tasks={tasks} today={today} separatesOverdue={separatesOverdue} onEdit={edit} />
      )}
      {tasks && <ListEnd hasMore={hasMore} failed={failedMore} onReached={loadMore} />}
      <p role="status" className="visually-hidden">
        {tasks && tasks.length > 0 && `${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'} shown`}
      </p>
    </>
  )
}

type TaskGroupsProps = {
  tasks: Task[]
  today: string
  separatesOverdue: boolean
  onEdit: (task: Task) => void
}

/** Two groups where overdue tasks are to be told from the others and there are some, else one without a name. */
function TaskGroups({ tasks, separatesOverdue, ...shared }: TaskGroupsProps) {
  const overdue = separatesOverdue ? tasks.filter((task) => task.dueDate < shared.today) : []
  if (overdue.length === 0) return <TaskGroup tasks={tasks} {...shared} />
  const due = tasks.slice(overdue.length)
  return (
    <>
      <TaskGroup label="Overdue" tasks={overdue} {...shared} />
      {due.length > 0 && <TaskGroup label="Today" tasks={due} {...shared} />}
    </>
  )
}

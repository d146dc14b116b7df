import { useCallback, useState } from 'react'
import type { Task } from '#contract/tasks.ts'
import { useSlice } from '../dashboard/dashboard-state.tsx'
import { useToday } from '../ui/civil-day.ts'
import { Delayed } from '../ui/delayed.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EditTaskDialog } from './edit-task-dialog.tsx'
import { ListEnd } from './list-end.tsx'
import { ListFailure } from './list-failure.tsx'
import { TaskGroup } from './task-group.tsx'
import { type TaskListName, taskLists } from './task-lists.ts'
import { TaskSkeleton } from './task-skeleton.tsx'
import { useKeptFocus } from './use-kept-focus.ts'
import { useTaskList } from './use-task-list.ts'

type TaskListProps = { list: TaskListName; emptyText: string; failedText?: string }

/** A panel's list in each of its states: loading, failed, empty, or tasks and more as one scrolls. */
export function TaskList({ list, emptyText, failedText = taskLists[list].failed }: TaskListProps) {
  const today = useToday()
  const { tasks, error, failedMore, hasMore, loadMore, retry } = useTaskList(list, failedText, today)
  useKeptFocus(tasks)
  const [editing, setEditing] = useState<{ task: Task; opening: number }>()
  const [, setEditTaskBoxActive] = useSlice('editTaskBoxActive')

  const edit = useCallback(
    (task: Task) => {
      setEditing((last) => ({ task, opening: (last?.opening ?? 0) + 1 }))
      setEditTaskBoxActive(true)
    },
    [setEditTaskBoxActive],
  )

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
        <TaskGroups tasks={tasks} today={today} isSplit={list === 'today'} onEdit={edit} />
      )}
      {tasks && <ListEnd hasMore={hasMore} failed={failedMore} onReached={loadMore} />}
      <p role="status" className="visually-hidden">
        {tasks && tasks.length > 0 && `${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'} shown`}
      </p>
      {editing && <EditTaskDialog key={editing.opening} task={editing.task} />}
    </>
  )
}

type TaskGroupsProps = { tasks: Task[]; today: string; isSplit: boolean; onEdit: (task: Task) => void }

/** Today's list is split where it has late tasks; every other list is one group without a name. */
function TaskGroups({ tasks, isSplit, ...shared }: TaskGroupsProps) {
  const overdue = isSplit ? tasks.filter((task) => task.dueDate < shared.today) : []
  if (overdue.length === 0) return <TaskGroup tasks={tasks} {...shared} />
  const due = tasks.slice(overdue.length)
  return (
    <>
      <TaskGroup label="Overdue" tasks={overdue} {...shared} />
      {due.length > 0 && <TaskGroup label="Today" tasks={due} {...shared} />}
    </>
  )
}

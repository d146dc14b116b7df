import { useDashboard } from '../../state/dashboard-state.tsx'
import { TaskGroup, type TaskGroupProps } from '../list/task-group.tsx'
import { deletedTask } from './deleted-task.ts'
import './deleted-tasks.css'

/** The deleted tasks, below the button that removes all of them for good. */
export function DeletedTasks(props: Omit<TaskGroupProps, 'label'>) {
  const open = useDashboard((state) => state.open)
  const newest = props.entries.find(({ gap }) => gap === undefined)?.task
  return (
    <>
      <p className="empty-deleted">
        <button
          type="button"
          className="button button-quiet"
          onClick={() =>
            newest && open({ name: 'deleteForGood', item: deletedTask(newest), andEarlier: true })
          }
        >
          Empty
        </button>
      </p>
      <TaskGroup {...props} />
    </>
  )
}

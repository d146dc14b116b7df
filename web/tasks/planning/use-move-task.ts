import type { Task } from '#contract/tasks.ts'
import { useDashboard } from '../../state/dashboard-state.tsx'
import { useChangeTask } from '../change-task.ts'
import { listsRendered } from '../lists-rendered.ts'

/** Moves a task to another day. If that fails, the Move dialog opens with the reason, over the unmoved card. */
export function useMoveTask() {
  const open = useDashboard((state) => state.open)
  const change = useChangeTask()
  return (task: Task, dueDate: string) =>
    change({ task, set: { dueDate }, action: 'Moved' }).catch(async ({ message }: Error) => {
      await listsRendered()
      document.querySelector<HTMLElement>(`[data-task="${CSS.escape(task._id)}"] [data-action=move]`)?.focus()
      open({ name: 'moveTask', tasks: [task], failure: message })
    })
}

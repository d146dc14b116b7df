import { useState } from 'react'
import type { Task } from '#contract/tasks.ts'
import { problemFrom } from '../api/client.ts'
import { useDashboard, useSlice } from '../state/dashboard-state.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { useUpdateTask } from './mutations.ts'
import { TaskForm } from './task-form.tsx'

/** Each opening has a dialog of its own, which stays while it fades out and starts from the task as it then is. */
export function EditTaskDialog() {
  const opened = useDashboard(({ overlay }) => (overlay?.name === 'editTask' ? overlay : undefined))
  const [last, setLast] = useState({ opened, opening: 0 })
  if (opened && opened !== last.opened) setLast({ opened, opening: last.opening + 1 })
  return last.opened && <EditTask key={last.opening} task={last.opened.task} />
}

function EditTask({ task }: { task: Task }) {
  const active = useSlice('editTaskBoxActive')
  const closeOverlay = useDashboard((state) => state.close)
  const close = () => closeOverlay('editTask')
  const { mutateAsync, error } = useUpdateTask(task._id)

  return (
    <Dialog open={active} onClose={close} title="Edit Task">
      <TaskForm
        task={task}
        refusal={problemFrom(error)}
        notice={error && <Notice>The change was not saved. {error.message}</Notice>}
        action="Save"
        // The mutation reports its failure itself; a dialog that has made room for another closes nothing.
        onSubmit={(values) => mutateAsync(values, { onSuccess: close }).catch(() => {})}
        onCancel={close}
      />
    </Dialog>
  )
}

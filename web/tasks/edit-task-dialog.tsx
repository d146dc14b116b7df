import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Task } from '#contract/tasks.ts'
import { problemFrom } from '../api/client.ts'
import { useSlice } from '../dashboard/dashboard-state.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { dashboardToast } from '../ui/toasts.tsx'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'
import { updateTask } from './task-api.ts'
import { showStored } from './task-cache.ts'
import { draftIn, TaskForm } from './task-form.tsx'

export function EditTaskDialog({ task }: { task: Task }) {
  const queryClient = useQueryClient()
  const [active, setActive] = useSlice('editTaskBoxActive')
  const [failure, setFailure] = useState<Error>()
  const form = useRef<HTMLFormElement>(null)

  const [save, busy] = useOneAtATime(async () => {
    setFailure(undefined)
    try {
      const { saved, task: stored } = await updateTask(task._id, draftIn(form.current as HTMLFormElement))
      if (!saved) {
        dashboardToast.error('Failed to update task. Please try again.')
        setFailure(new Error('The server did not confirm it.'))
        return
      }
      dashboardToast.success('Task updated successfully!')
      // Closed while the answer was awaited, this box may have made room for another.
      if (form.current) setActive(false)
      await showStored(queryClient, stored)
    } catch (error) {
      console.error(error)
      dashboardToast.error(`Failed to update task. Please try again. ${(error as Error).message}`)
      setFailure(error as Error)
    }
  })
  const close = () => setActive(false)

  return (
    <Dialog open={active} onClose={close} title="Edit Task">
      <TaskForm
        ref={form}
        task={task}
        refusal={problemFrom(failure)}
        notice={failure && <Notice>The change was not saved. {failure.message}</Notice>}
        action="Save"
        busy={busy}
        onSubmit={save}
        onCancel={close}
      />
    </Dialog>
  )
}

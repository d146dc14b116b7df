import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { TaskDraft } from '#contract/tasks.ts'
import { type ProblemError, problemFrom } from '../api/client.ts'
import { useSlice } from '../dashboard/dashboard-state.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'
import { addTask } from './task-api.ts'
import { showStored } from './task-cache.ts'
import { draftIn, fillIn, isDraft, TaskForm } from './task-form.tsx'

type Failure = { draft: TaskDraft; problem: ProblemError | undefined }

export function AddTaskDialog() {
  const queryClient = useQueryClient()
  const [active, setActive] = useSlice('addTaskBoxActive')
  const [failure, setFailure] = useState<Failure>()
  const formRef = useRef<HTMLFormElement>(null)

  const [add, busy] = useOneAtATime(async () => {
    const form = formRef.current as HTMLFormElement
    const draft = draftIn(form)
    setFailure(undefined)
    try {
      const { saved, task } = await addTask(draft)
      if (saved) {
        await showStored(queryClient, task)
        window.alert('Task added successfully!')
        if (clear()) setActive(false)
        return
      }
      fail('Failed to add task. Please try again.')
    } catch (error) {
      console.error(error)
      fail(`Failed to add task. Please try again. ${(error as Error).message}`, problemFrom(error))
    }

    function fail(text: string, problem?: ProblemError) {
      window.alert(text)
      clear()
      setFailure({ draft, problem })
    }

    /** Whoever typed on while the answer was awaited keeps that. */
    function clear(): boolean {
      const isAsSent = isDraft(form, draft)
      if (isAsSent) form.reset()
      return isAsSent
    }
  })

  function cancel() {
    formRef.current?.reset()
    setFailure(undefined)
    setActive(false)
  }

  function restore() {
    if (formRef.current && failure) fillIn(formRef.current, failure.draft)
  }

  return (
    <Dialog open={active} onClose={() => setActive(false)} title="Add New Task">
      <TaskForm
        ref={formRef}
        refusal={failure?.problem}
        notice={
          failure && (
            <Notice>
              <p>The task was not added. {failure.problem?.message ?? 'The server did not confirm it.'}</p>
              <button type="button" className="link-button" onClick={restore}>
                Restore what I typed
              </button>
            </Notice>
          )
        }
        action="Add Task"
        busy={busy}
        onSubmit={add}
        onCancel={cancel}
      />
    </Dialog>
  )
}

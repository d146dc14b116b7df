import { useRef } from 'react'
import { problemFrom } from '../api/client.ts'
import { useDashboard, useSlice } from '../state/dashboard-state.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { fillIn, valuesOf } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { failureText, useAddTask } from './mutations.ts'
import { TaskForm, type TaskValues } from './task-form.tsx'

export function AddTaskDialog() {
  const active = useSlice('addTaskBoxActive')
  const closeOverlay = useDashboard((state) => state.close)
  const close = () => closeOverlay('addTask')
  const { mutateAsync, variables: sent, error, isPending, reset } = useAddTask()
  const form = useRef<HTMLFormElement>(null)
  const problem = problemFrom(error)

  async function add(values: TaskValues) {
    try {
      await mutateAsync(values)
    } catch (error) {
      window.alert(failureText('Failed to add task. Please try again.', error))
      clear(values)
      return
    }
    window.alert('Task added successfully!')
    if (clear(values)) close()
  }

  /** Clears the form, unless it was changed while the answer was awaited: that has not been sent. */
  function clear(submitted: TaskValues): boolean {
    if (!form.current || !isEqual(valuesOf(form.current), submitted)) return false
    form.current.reset()
    return true
  }

  function cancel() {
    form.current?.reset()
    if (!isPending) reset()
    close()
  }

  function restore() {
    if (form.current && sent) fillIn(form.current, sent)
  }

  return (
    <Dialog open={active} onClose={close} title="Add New Task">
      <TaskForm
        ref={form}
        refusal={problem}
        notice={
          error && (
            <Notice>
              <p>The task was not added. {error.message}</p>
              <button type="button" className="link-button" onClick={restore}>
                Restore what I typed
              </button>
            </Notice>
          )
        }
        action="Add Task"
        onSubmit={add}
        onCancel={cancel}
      />
    </Dialog>
  )
}

const isEqual = (values: Record<keyof TaskValues, string>, others: TaskValues) =>
  (Object.keys(others) as (keyof TaskValues)[]).every((name) => values[name] === others[name])

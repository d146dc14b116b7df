import { useRef } from 'react'
import { problemFrom } from '../../api/client.ts'
import { useDashboard, useSlice } from '../../state/dashboard-state.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { fillIn, valuesOf } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useAddTask } from '../mutations.ts'
import { failureText } from '../task-errors.ts'
import { DraftOffer } from './draft-offer.tsx'
import { isEqual, TaskForm, type TaskValues } from './task-form.tsx'
import { useDraft } from './use-draft.ts'

export function AddTaskDialog() {
  const active = useSlice('addTaskBoxActive')
  const closeOverlay = useDashboard((state) => state.close)
  const close = () => closeOverlay('addTask')
  const { mutateAsync, variables: sent, error, isPending, reset } = useAddTask()
  const form = useRef<HTMLFormElement>(null)
  const problem = problemFrom(error)
  const draft = useDraft({ place: 'add', isOpen: active, form })

  async function add(values: TaskValues) {
    try {
      await mutateAsync({ draft: values, id: draft.sending() })
    } catch (error) {
      window.alert(failureText('Failed to add task. Please try again.', error))
      draft.answered(values, false)
      clear(values)
      return
    }
    window.alert('Task added successfully!')
    draft.answered(values, true)
    if (clear(values)) close()
  }

  /** Clears the form, unless it was changed while the answer was awaited: that has not been sent. */
  function clear(submitted: TaskValues): boolean {
    if (!form.current || !isEqual(valuesOf(form.current), submitted)) return false
    form.current.reset()
    return true
  }

  function leave() {
    form.current?.reset()
    if (!isPending) reset()
    close()
  }

  function cancel() {
    draft.drop()
    leave()
  }

  function restore() {
    if (!form.current || !sent) return
    fillIn(form.current, sent.draft)
    draft.takeBack()
  }

  return (
    <Dialog open={active} onClose={leave} title="Add New Task">
      <TaskForm
        ref={form}
        refusal={problem}
        notice={
          error ? (
            <Notice>
              <p>The task was not added. {error.message}</p>
              <button type="button" className="link-button" onClick={restore}>
                Restore what I typed
              </button>
            </Notice>
          ) : (
            <DraftOffer {...draft} />
          )
        }
        action="Add Task"
        onInput={draft.keep}
        onSubmit={add}
        onCancel={cancel}
      />
    </Dialog>
  )
}

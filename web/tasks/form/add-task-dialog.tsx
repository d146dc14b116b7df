import { useLayoutEffect, useRef, useState } from 'react'
import { problemFrom } from '../../api/client.ts'
import { failureText, gotNoAnswer } from '../../engine/store/change-errors.ts'
import { add as addTask } from '../../engine/verbs/add-edit.ts'
import { useDashboard } from '../../state/dashboard-state.tsx'
import { shownView, slices } from '../../state/dashboard-store.ts'
import { useEngine } from '../../state/use-engine.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import { KeepButton, type KeepButtonProps } from '../keep-button.tsx'
import { DraftOffer } from './draft-offer.tsx'
import { type FormValues, isEqual } from './form-values.ts'
import { TaskForm } from './task-form.tsx'
import { useDraft } from './use-draft.ts'
import { emptyForm, useTaskForm } from './use-task-form.ts'

export function AddTaskDialog() {
  const active = useDashboard(slices.addTaskBoxActive)
  const closeOverlay = useDashboard((state) => state.close)
  const close = () => closeOverlay('addTask')
  const { attempt, error, forget } = useAttempt(useEngine().changes.makeAwaited)
  const [sent, setSent] = useState<{ values: FormValues; id: string }>()
  const awaited = useRef(0)
  const form = useTaskForm()
  /** Each opening has a form of its own, because the form of an earlier opening may wait for its answer for ever. */
  const [opening, setOpening] = useState(0)
  const isSomeday = useDashboard((state) => shownView(state) === 'someday')
  const draft = useDraft({ place: 'add', isOpen: active, form })

  // biome-ignore lint/correctness/useExhaustiveDependencies: each opening begins with an empty form, in Someday without a date
  useLayoutEffect(() => {
    if (active) form.fill(emptyForm(isSomeday))
  }, [active])

  async function add(values: FormValues) {
    awaited.current++
    const { key, id } = draft.sending(values)
    setSent({ values, id })
    try {
      await attempt(addTask.make(id, values), { mutation: id }).finally(() => awaited.current--)
    } catch (error) {
      window.alert(failureText('Failed to add task. Please try again.', error))
      draft.answered(values, false, key)
      clear(values)
      return
    }
    window.alert('Task added successfully!')
    draft.answered(values, true, key)
    if (clear(values)) close()
  }

  /** A form that was changed while the answer was awaited stays: its values have not been sent. */
  function clear(submitted: FormValues): boolean {
    if (!form.ref.current || !isEqual(form.values(), submitted)) return false
    form.fill(emptyForm(isSomeday))
    return true
  }

  function leave() {
    setOpening(opening + 1)
    if (awaited.current === 0) forget()
    close()
  }

  function cancel() {
    draft.drop()
    leave()
  }

  /** The call may have added the task: a later attempt has the same ids. */
  function sentEntry(): ReturnType<KeepButtonProps['entry']> {
    return sent && [addTask.make(sent.id, sent.values), { mutation: sent.id, status: 'sent' }]
  }

  function kept() {
    draft.takeBack()
    cancel()
  }

  function restore() {
    if (!sent) return
    form.fill(sent.values)
    draft.takeBack()
  }

  return (
    <Dialog open={active} onClose={leave} title="Add New Task">
      <TaskForm
        key={opening}
        form={form}
        refusal={problemFrom(error)}
        notice={
          error ? (
            <Notice>
              <p>
                {gotNoAnswer(error)
                  ? 'The server did not answer, so the task may have been added. If you add it again, it is not added twice.'
                  : `The task was not added. ${error.message}`}
              </p>
              <LinkButton onClick={restore}>Restore what I typed</LinkButton>
              <KeepButton error={error} entry={sentEntry} onKept={kept} />
            </Notice>
          ) : (
            <DraftOffer {...draft} />
          )
        }
        action="Add Task"
        onType={draft.keep}
        onSubmit={add}
        onCancel={cancel}
        onLeave={leave}
      />
    </Dialog>
  )
}

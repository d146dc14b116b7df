import { useState } from 'react'
import type { Task } from '#contract/tasks.ts'
import { problemFrom } from '../../api/client.ts'
import type { NewChange } from '../../engine/entry.ts'
import type { KeptDraft } from '../../engine/kept/unsent-storage.ts'
import { isGone } from '../../engine/store/change-errors.ts'
import { edit } from '../../engine/verbs/add-edit.ts'
import { complete, reopen } from '../../engine/verbs/complete.ts'
import { useDashboard, useSlice } from '../../state/dashboard-state.tsx'
import { useEngine } from '../../state/use-engine.tsx'
import { useLastOpening } from '../../state/use-last-opening.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts'
import { watchPresses } from '../../ui/watch-presses.ts'
import { KeepButton, type KeepButtonProps } from '../keep-button.tsx'
import { toldByToasts } from '../told-by-toasts.ts'
import { editOf, type FormValues, isEdited, isEqual } from './form-values.ts'
import { LaterDraftOffer } from './later-draft-offer.tsx'
import { TaskForm } from './task-form.tsx'
import { useDraft } from './use-draft.ts'
import { useTaskEdit } from './use-task-edit.ts'
import { useTaskForm } from './use-task-form.ts'

/** The chunk for an edit that meets a newer version or a deletion. */
const loadFailure = () => import('./task-clash.tsx')

/** Each opening has a new dialog, which stays while it fades out and starts with the current values of the task. */
export function EditTaskDialog() {
  const { overlay, opening } = useLastOpening('editTask')
  return overlay && <EditTask key={opening} task={overlay.task} />
}

function EditTask({ task }: { task: Task }) {
  const active = useSlice('editTaskBoxActive')
  const closeOverlay = useDashboard((state) => state.close)
  const close = () => closeOverlay('editTask')
  const form = useTaskForm(task)
  const { make, makeAwaited } = useEngine().changes
  const { base, theirs, clashes, meet, decide, startFrom } = useTaskEdit(task, form)
  const done = task.doneAt === null ? complete : reopen
  const draft = useDraft({ place: task._id, isOpen: active, form, base })
  const { attempt, error } = useAttempt((change: NewChange) =>
    toldByToasts('edit', makeAwaited(change, { over: base })),
  )
  const [failure, setFailure] = useState<
    Awaited<ReturnType<typeof loadFailure>> & { isBusyElsewhere: boolean }
  >()

  async function save(typed: FormValues, onStored = close): Promise<boolean> {
    draft.sending(typed)
    const isBusyElsewhere = watchPresses()
    try {
      await attempt(edit.make(base, editOf(base, typed)))
      // A dialog that has made room for another closes nothing.
      if (form.ref.current) onStored()
      draft.answered(typed, true)
      return true
    } catch (error) {
      const newer = problemFrom(error)?.problem.current
      if (!newer && !isGone(error)) return false
      // Without this chunk, saving again meets the newer version again.
      const loaded = await loadFailure().catch(console.error)
      if (!loaded) return false
      setFailure({ ...loaded, isBusyElsewhere: isBusyElsewhere() })
      if (newer) meet(newer, loaded.merge)
      return false
    }
  }

  function restore(earlier: KeptDraft) {
    draft.restore(earlier)
    startFrom(earlier.base ?? task)
  }

  function cancel() {
    draft.drop()
    close()
  }

  /** Works like the ring of the card. The typed values are saved first. */
  const [finish] = useOneAtATime(async () => {
    const typed = form.validValues()
    if (!typed) return
    if (isEdited(base, typed) && !(await save(typed, () => {}))) return
    close()
    // The dialog gives the focus back to the card, from which it moves on if the card leaves the list.
    await new Promise((closed) => setTimeout(closed))
    make([done.make(task)])
  })

  function typedEntry(): ReturnType<KeepButtonProps['entry']> {
    const typed = form.validValues()
    if (typed) return [edit.make(base, editOf(base, typed)), { over: base }]
  }

  /** Text that was typed since was not added, and stays in the form. */
  function added(sent: FormValues) {
    draft.answered(sent, true)
    if (form.ref.current && isEqual(form.values(), sent)) close()
  }

  return (
    <Dialog open={active} onClose={close} title="Edit Task">
      <TaskForm
        form={form}
        refusal={problemFrom(error)}
        notice={
          error ? (
            <Notice>
              {failure ? (
                <failure.EditFailure
                  error={error}
                  form={form}
                  isDecided={clashes.length === 0}
                  onAdded={added}
                  onSend={(values) => draft.sending(values).id}
                />
              ) : (
                `The change was not saved. ${error.message}`
              )}
              <KeepButton error={error} entry={typedEntry} onKept={cancel} />
            </Notice>
          ) : (
            <LaterDraftOffer {...draft} restore={restore} />
          )
        }
        below={
          theirs &&
          failure &&
          clashes.map((field, index) => (
            <failure.TaskClash
              key={field}
              field={field}
              theirs={theirs}
              takesFocus={index === 0 && !failure.isBusyElsewhere}
              onDecide={(field, kept) => {
                decide(field, kept)
                draft.keep()
              }}
            />
          ))
        }
        action="Save"
        onType={draft.keep}
        onSubmit={(values) => save(values)}
        onCancel={cancel}
        onLeave={close}
        other={<Button onClick={finish}>{done.label}</Button>}
      />
    </Dialog>
  )
}

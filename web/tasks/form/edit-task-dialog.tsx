import { useRef } from 'react'
import type { Task } from '#contract/tasks.ts'
import { problemFrom } from '../../api/client.ts'
import { useDashboard, useSlice } from '../../state/dashboard-state.tsx'
import { useLastOpening } from '../../state/use-last-opening.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { valuesOf } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useUpdateTask } from '../mutations.ts'
import { DraftOffer } from './draft-offer.tsx'
import type { KeptDraft } from './drafts.ts'
import { EditFailure } from './edit-failure.tsx'
import { TaskClash } from './task-clash.tsx'
import { isEqual, TaskForm, type TaskValues } from './task-form.tsx'
import { editOf } from './task-merge.ts'
import { useDraft } from './use-draft.ts'
import { useTaskEdit } from './use-task-edit.ts'

/** Each opening has a dialog of its own, which stays while it fades out and starts from the task as it then is. */
export function EditTaskDialog() {
  const { overlay, opening } = useLastOpening('editTask')
  return overlay && <EditTask key={opening} task={overlay.task} />
}

function EditTask({ task }: { task: Task }) {
  const active = useSlice('editTaskBoxActive')
  const closeOverlay = useDashboard((state) => state.close)
  const close = () => closeOverlay('editTask')
  const form = useRef<HTMLFormElement>(null)
  const { base, theirs, clashes, meet, decide, startFrom } = useTaskEdit(task, form)
  const { mutateAsync, error } = useUpdateTask()
  const draft = useDraft({ place: task._id, isOpen: active, form, base })

  function restore(earlier: KeptDraft) {
    draft.restore(earlier)
    startFrom(earlier.base ?? task)
  }

  function cancel() {
    draft.drop()
    close()
  }

  async function save(typed: TaskValues) {
    draft.sending()
    try {
      // A dialog that has made room for another closes nothing.
      await mutateAsync({ base, values: editOf(base, typed) }, { onSuccess: close })
      draft.answered(typed, true)
    } catch (error) {
      // The mutation reports its failure itself.
      const newer = problemFrom(error)?.problem.current
      if (newer) meet(newer)
    }
  }

  /** What was typed since has not been added, and stays in the form. */
  function added(sent: TaskValues) {
    draft.answered(sent, true)
    if (form.current && isEqual(valuesOf(form.current), sent)) close()
  }

  return (
    <Dialog open={active} onClose={close} title="Edit Task">
      <TaskForm
        ref={form}
        task={task}
        refusal={problemFrom(error)}
        notice={
          error ? (
            <Notice>
              <EditFailure
                error={error}
                form={form}
                isDecided={clashes.length === 0}
                onAdded={added}
                onSend={draft.sending}
              />
            </Notice>
          ) : (
            <DraftOffer {...draft} restore={restore} />
          )
        }
        below={(field) =>
          theirs &&
          clashes.includes(field) && (
            <TaskClash field={field} theirs={theirs} isFirst={field === clashes[0]} onDecide={decide} />
          )
        }
        action="Save"
        onInput={draft.keep}
        onSubmit={save}
        onCancel={cancel}
      />
    </Dialog>
  )
}

import type { RefObject } from 'react'
import { problemFrom } from '../../api/client.ts'
import { isGone } from '../../engine/store/change-errors.ts'
import { add as addTask } from '../../engine/verbs/add-edit.ts'
import { useEngine } from '../../state/use-engine.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { useAttempt } from '../../ui/use-attempt.ts'
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts'
import { type FormValues, validValuesOf } from './task-form.tsx'

type EditFailureProps = {
  error: Error
  form: RefObject<HTMLFormElement | null>
  /** Whether no field has both a typed value and a different one from elsewhere. */
  isDecided: boolean
  /** Returns the id of the addition of these values. */
  onSend: (values: FormValues) => string
  onAdded: (sent: FormValues) => void
}

/** Why an edit was not saved, with buttons to save it in another way. */
export function EditFailure({ error, form, isDecided, onAdded, onSend }: EditFailureProps) {
  if (isGone(error)) return <DeletedElsewhere form={form} onAdded={onAdded} onSend={onSend} />
  if (!problemFrom(error)?.problem.current) return `The change was not saved. ${error.message}`
  return (
    <p>
      This task was changed elsewhere, so your change is not saved yet.{' '}
      {isDecided ? 'Save again to keep what is here.' : 'Choose what to keep, then save again.'}
    </p>
  )
}

/** The values typed for a task that is gone can become a new task. */
function DeletedElsewhere({ form, onAdded, onSend }: Pick<EditFailureProps, 'form' | 'onAdded' | 'onSend'>) {
  const { attempt, error } = useAttempt(useEngine().changes.makeAwaited)
  const [add] = useOneAtATime(async () => {
    const values = validValuesOf(form.current)
    if (!values) return
    const mutation = onSend(values)
    await attempt(addTask.make(mutation, values), { mutation }).then(
      () => onAdded(values),
      () => {},
    )
  })
  return (
    <>
      <p>This task was deleted elsewhere.{error && ` It was not added again. ${error.message}`}</p>
      <LinkButton onClick={add}>Add as a new task</LinkButton>
    </>
  )
}

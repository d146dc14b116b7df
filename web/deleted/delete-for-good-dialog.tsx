import { useNavigate } from 'react-router'
import { remove as removeVerb } from '../engine/verbs/complete.ts'
import type { DeletedItem } from '../state/dashboard-store.ts'
import { useEngine } from '../state/use-engine.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, type OpenProps } from '../ui/dialog.tsx'
import { Form, SubmitButton } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { useAttempt } from '../ui/use-attempt.ts'
import { notePath } from '../views/note-path.ts'
import { pathOf } from '../views/views.ts'

type DeleteForGoodProps = OpenProps & { item: DeletedItem; andEarlier: boolean }

export function DeleteForGoodDialog({ item, andEarlier, open, onClose }: DeleteForGoodProps) {
  const navigate = useNavigate()
  const { makeAwaited } = useEngine().changes
  const via = andEarlier ? 'purgeEarlier' : 'purge'
  const { attempt, error } = useAttempt(() => makeAwaited(removeVerb.make(item), { via, over: item }))

  async function remove() {
    await attempt()
    onClose()
    // A note that was shown is no longer there.
    if (location.pathname === notePath(item._id)) navigate(pathOf('deleted'), { replace: true })
  }
  return (
    <Dialog open={open} onClose={onClose} title="Delete for good?">
      <Form className="task-form stack airy" onSubmit={() => remove().catch(console.error)}>
        {error && <Notice>Not everything was deleted. {error.message}</Notice>}
        <p>
          {andEarlier ? 'All recently deleted tasks and notes' : <bdi>“{item.title}”</bdi>} will be gone, with
          the history. This cannot be undone.
        </p>
        <footer className="dialog-footer wraps">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton className="button button-danger">Delete for good</SubmitButton>
        </footer>
      </Form>
    </Dialog>
  )
}

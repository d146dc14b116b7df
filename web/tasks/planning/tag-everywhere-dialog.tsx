import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router'
import { fold } from '#contract/folding.ts'
import { bodyLength, titleLength } from '#contract/limits.ts'
import { isTag } from '#contract/tags.ts'
import { renameTag } from '../../changes/tag.tsx'
import { useParts } from '../../state/dashboard.tsx'
import { useDashboard, useIsOpen } from '../../state/dashboard-state.tsx'
import type { PlanningOverlay } from '../../state/dashboard-store.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { tagPath } from '../../views/views.ts'
import { countTasks } from '../count-tasks.ts'
import { notTag, TagField, typedTag } from './tag-dialog.tsx'

type TagEverywhereProps = Extract<PlanningOverlay, { tag: string }>

/** Renames or removes a tag in all tasks, as one change. The texts of notes are written in notes alone, so they stay. */
export function TagEverywhereDialog({ name: overlay, tag }: TagEverywhereProps) {
  const isOpen = useIsOpen(overlay)
  const closeOverlay = useDashboard((state) => state.close)
  const close = () => closeOverlay(overlay)
  const { store, tags, changes } = useParts()
  const navigate = useNavigate()
  const [invalid, setInvalid] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const isRemoval = overlay === 'removeTag'
  const tasks = [...tags.of(tag).ids].flatMap((id) => store.task(id) ?? [])

  async function change({ tag: typed = '' }: Record<'tag', string>) {
    const named = isRemoval ? undefined : typedTag(typed)
    if (named !== undefined && !isTag(named)) return setInvalid(notTag)
    if (!store.isComplete)
      return setFailure('Not all of your tasks have been loaded yet. Try again in a moment.')
    const made = tasks.map((task) => renameTag(task, tag, named))
    if (made.some(({ set: { title = '' } }) => [...title].length > titleLength.max))
      return setInvalid(`makes a title longer than ${titleLength.max} characters.`)
    if (made.some(({ set: { body = '' } }) => [...body].length > bodyLength.max))
      return setInvalid(`makes a body longer than ${bodyLength.max} characters.`)
    flushSync(close)
    changes.make(made)
    if (named !== undefined && fold(named) !== fold(tag)) navigate(tagPath(named), { replace: true })
  }

  return (
    <Dialog open={isOpen} onClose={close} title={isRemoval ? 'Remove the tag' : 'Rename the tag'}>
      <Form className="task-form" onSubmit={change}>
        {!isRemoval && <TagField error={invalid} value={tag} />}
        <p className="tag-everywhere">
          {isRemoval ? (
            <>
              <bdi>{tag}</bdi> is removed from {countTasks(tasks.length)}. Within a sentence its word stays.
            </>
          ) : (
            <>
              <bdi>{tag}</bdi> is renamed in {countTasks(tasks.length)}.
            </>
          )}{' '}
          Notes that have it in their texts stay as they are.
        </p>
        {failure && <Notice>{failure}</Notice>}
        <SubmitButton className="button button-primary">{isRemoval ? 'Remove' : 'Rename'}</SubmitButton>
      </Form>
    </Dialog>
  )
}

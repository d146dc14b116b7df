import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { fold } from '#contract/folding.ts'
import { bodyLength, titleLength } from '#contract/limits.ts'
import { isTag } from '#contract/tags.ts'
import { changesInTasks } from '../engine/verbs/renamed-tags.ts'
import { useReplaceTag } from '../state/dashboard-state.tsx'
import type { Overlay } from '../state/dashboard-store.ts'
import { useEngine } from '../state/use-engine.tsx'
import { notTag, TagField, typedTag } from '../tasks/planning/tag-dialog.tsx'
import { countTasks } from '../tasks/sentence.tsx'
import { Dialog, type OpenProps } from '../ui/dialog.tsx'
import { Form, SubmitButton } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'

/** The code of notes is a chunk of its own. */
const loadNotes = () => import('../engine/notes/tag-everywhere.ts')

type TagEverywhereProps = OpenProps & Extract<Overlay, { tag: string }>

export function TagEverywhereDialog({ name: overlay, tag, open, onClose }: TagEverywhereProps) {
  const engine = useEngine()
  const { store, tags, changes } = engine
  const replaceTag = useReplaceTag()
  const [invalid, setInvalid] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const isClosed = useRef(false)
  isClosed.current = !open
  const isRemoval = overlay === 'removeTag'
  const tasks = [...tags.of(tag).ids].flatMap((id) => store.task(id) ?? [])

  async function change({ tag: typed = '' }: Record<'tag', string>) {
    setFailure(undefined)
    const named = isRemoval ? undefined : typedTag(typed)
    if (named !== undefined && !isTag(named)) return setInvalid(notTag)
    if (!store.isComplete)
      return setFailure('Not all of your tasks have been loaded yet. Try again in a moment.')
    const inTasks = changesInTasks(engine, tag, named)
    if (inTasks.some(({ set: { title = '' } }) => [...title].length > titleLength.max))
      return setInvalid(`makes a title longer than ${titleLength.max} characters.`)
    if (inTasks.some(({ set: { body = '' } }) => [...body].length > bodyLength.max))
      return setInvalid(`makes a body longer than ${bodyLength.max} characters.`)
    const made = await loadNotes()
      .then(({ changesEverywhere }) => changesEverywhere(engine, tag, named))
      .catch((error: Error) => setFailure(`The tag was not changed. ${error.message}`))
    if (!made || isClosed.current) return
    if (made.length === 0) return setFailure('No task or note has this tag any more.')
    flushSync(onClose)
    changes.make(made)
    if (named !== undefined && fold(named) !== fold(tag)) replaceTag(named)
  }

  return (
    <Dialog open={open} onClose={onClose} title={isRemoval ? 'Remove the tag' : 'Rename the tag'}>
      <Form className="task-form stack airy" onSubmit={change}>
        {!isRemoval && <TagField error={invalid} value={tag} />}
        <p>
          {isRemoval ? (
            <>
              <bdi>{tag}</bdi> is removed from {countTasks(tasks.length)} and from the texts of all notes.
              Within a sentence its word stays.
            </>
          ) : (
            <>
              <bdi>{tag}</bdi> is renamed in {countTasks(tasks.length)} and in the texts of all notes.
            </>
          )}
        </p>
        {failure && <Notice>{failure}</Notice>}
        <SubmitButton className="button button-primary">{isRemoval ? 'Remove' : 'Rename'}</SubmitButton>
      </Form>
    </Dialog>
  )
}

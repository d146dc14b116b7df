import { useState } from 'react'
import { searchedTexts } from '#contract/fields.ts'
import { fold } from '#contract/folding.ts'
import { titleLength } from '#contract/limits.ts'
import { isTag, tagsIn } from '#contract/tags.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import { tag, withTag } from '../../engine/verbs/tags.ts'
import { labelFor } from '../../engine/verbs/verb.ts'
import { useEngine } from '../../state/use-engine.tsx'
import { Dialog, type OpenProps } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { changeSelected } from '../cards.ts'
import { TagCompletion } from '../form/tag-completion.tsx'
import { countTasks } from '../sentence.tsx'

export const typedTag = (typed: string): string => `#${typed.trim().replace(/^[#＃]/, '')}`

export const notTag = 'is one word of letters, digits, -, _ and /, with a letter in it.'

export function TagDialog({ tasks, open, onClose }: OpenProps & { tasks: readonly Task[] }) {
  const engine = useEngine()
  const [failure, setFailure] = useState<string>()

  async function add({ tag: typed }: Record<'tag', string>) {
    const added = typedTag(typed)
    if (!isTag(added)) return setFailure(notTag)
    // Another device may have changed a title since the dialog was opened.
    const untagged = tasks
      .map((task) => engine.store.task(task._id) ?? task)
      .filter((task) => !hasTag(task, added))
    if (untagged.some(({ title }) => [...withTag(title, added)].length > titleLength.max))
      return setFailure(`makes a title longer than ${titleLength.max} characters.`)
    changeSelected(
      engine,
      untagged.map((task) => tag.make(task, added)),
      onClose,
    )
  }

  return (
    <Dialog open={open} onClose={onClose} title={labelFor(tag, countTasks(tasks.length))}>
      <Form className="task-form stack airy" onSubmit={add}>
        <TagField error={failure} value="#" />
        <SubmitButton className="button button-primary">Add tag</SubmitButton>
      </Form>
    </Dialog>
  )
}

export const TagField = ({ error, value }: { error: string | undefined; value: string }) => (
  <Field label="Tag" error={error}>
    {(control) => (
      <TagCompletion>
        <input
          {...control}
          name="tag"
          defaultValue={value}
          onFocus={({ target }) => target.setSelectionRange(1, -1)}
          maxLength={titleLength.max}
          autoComplete="off"
          autoCapitalize="none"
          dir="auto"
        />
      </TagCompletion>
    )}
  </Field>
)

const hasTag = (task: Task, tag: string) =>
  tagsIn(searchedTexts(taskFields, task).join('\n')).some(({ text }) => fold(text) === fold(tag))

import { titleLength } from '#contract/limits.ts'
import type { Priority } from '#contract/task-fields.ts'
import { isLonger } from './parsing/fitted-text.ts'
import type { Imported, ImportedNote, ImportedTask } from './parsing/imported.ts'
import { missingTags, tagOf, withTags } from './parsing/tag-names.ts'

/** What the person has changed in the preview. Ids do not depend on it. */
export type Corrections = {
  /** What each list, project or notebook is called as a tag. Nothing if it becomes none. Without an entry its own name is the tag. */
  tags: ReadonlyMap<string, string>
  /** The priority that each priority of the file becomes. */
  priorities: { readonly [Each in Priority]: Priority }
}

export const noCorrections: Corrections = {
  tags: new Map(),
  priorities: { high: 'high', medium: 'medium', low: 'low' },
}

/** The tag of a list, as it is typed or follows from its name; undefined if it has none. */
export const tagOfList = ({ tags }: Corrections, list: string): string | undefined =>
  tagOf(tags.get(list) ?? list)

/** The tags that an item gets, that of its list first. */
export function tagsOf({ list, tags }: ImportedTask | ImportedNote, corrections: Corrections): string[] {
  const all = [...(list === null ? [] : [tagOfList(corrections, list)]), ...tags.map(tagOf)]
  return [...new Set(all.filter((tag) => tag !== undefined))]
}

/** A task as it is sent. Its tags follow its title, or if that would be too long, its body. */
export function correctedTask(task: ImportedTask, corrections: Corrections) {
  const { list: _, tags: __, ...fields } = task
  const { title, body } = task
  const tags = missingTags(`${title}\n${body}`, tagsOf(task, corrections))
  const tagged = `${title} ${tags}`.trimEnd()
  return {
    ...fields,
    priority: corrections.priorities[task.priority],
    ...(isLonger(tagged, titleLength.max) ? { body: withTags(body, tags.split(' ')) } : { title: tagged }),
  }
}

export function correctedNote(note: ImportedNote, corrections: Corrections) {
  const { list: _, tags: __, ...fields } = note
  return { ...fields, text: withTags(note.text, tagsOf(note, corrections)) }
}

/** The lists of an import with the number of their items, the longest first. */
export function listsIn({
  tasks,
  notes,
}: Pick<Imported, 'tasks' | 'notes'>): [list: string, count: number][] {
  const counts = new Map<string, number>()
  for (const { list } of [...tasks, ...notes])
    if (list !== null) counts.set(list, (counts.get(list) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)
}

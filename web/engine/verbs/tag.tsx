import type { Task } from '#contract/tasks.ts'
import type { NewChange } from '../entry.ts'
import type { Sentences } from './sentences.ts'

export const tagged: Sentences = {
  done: (items, tag) => (
    <>
      Changed {items} by adding {tag}
    </>
  ),
  undone: (item) => <>{item} no longer has the new tag</>,
  allUndone: (items) => `${items} no longer have the new tag`,
  failed: 'This task was not changed.',
}

export const tagRenamed: Sentences = {
  failed: 'This text was not changed.',
  done: (items, tag) => (
    <>
      Changed {items} by renaming a tag to {tag}
    </>
  ),
  undone: (item) => <>{item} has its earlier tag again</>,
  allUndone: (items) => `${items} have their earlier tag again`,
}

export const tagRemoved: Sentences = {
  failed: 'This text was not changed.',
  done: (items, tag) => (
    <>
      Changed {items} by removing {tag}
    </>
  ),
  undone: (item) => <>{item} has the removed tag again</>,
  allUndone: (items) => `${items} have the removed tag again`,
}

/** Adds a tag to the title of a task. */
export const tag = ({ _id: item, version: base, title }: Task, tag: string): NewChange => ({
  verb: 'tag',
  to: tag,
  item,
  base,
  set: { title: withTag(title, tag) },
})

export const withTag = (title: string, tag: string): string => `${title} ${tag}`

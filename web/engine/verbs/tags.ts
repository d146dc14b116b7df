import type { Task } from '#contract/tasks.ts'
import { verb } from './verb.ts'

export const tag = verb('tag', addTag, {
  done: 'Changed {items} by adding {to}',
  undone: ['{items} no longer has the new tag', '{items} no longer have the new tag'],
  failed: 'This task was not changed.',
})

function addTag({ _id: item, version: base, title }: Task, tag: string) {
  return { to: tag, item, base, set: { title: withTag(title, tag) } }
}

export const withTag = (title: string, tag: string): string => `${title} ${tag}`

export type Texts = {
  item: string
  kind?: 'note'
  base: number
  set: { title?: string; body?: string; text?: string }
}

export const renameTag = verb(
  'renameTag',
  (texts: Texts, from: string, to: string) => ({ ...texts, from, to }),
  {
    done: 'Changed {items} by renaming a tag to {to}',
    undone: ['{items} has its earlier tag again', '{items} have their earlier tag again'],
    failed: 'This text was not changed.',
  },
)

export const removeTag = verb('removeTag', (texts: Texts, to: string) => ({ ...texts, to }), {
  done: 'Changed {items} by removing {to}',
  undone: ['{items} has the removed tag again', '{items} have the removed tag again'],
  failed: renameTag.said.failed,
})

import { fold, tagsIn } from '#contract/search.ts'
import type { Task } from '#contract/tasks.ts'

/** The most entries of the list. */
const most = 6

/** A tag whose beginning is directly before the caret, which is at its end. */
export type TypedTag = { text: string; from: number; to: number }

const beginning = /(?:^|[\s\p{Ps}\p{Pi}"'])(#[\p{L}\p{M}\p{N}_-]*)$/u
const tagLetter = /^[\p{L}\p{M}\p{N}_-]/u

/** Returns the tag that is being typed at an index of a text. Inside of a word, none is. */
export function typedTagAt(text: string, caret: number): TypedTag | undefined {
  const [, tag] = beginning.exec(text.slice(0, caret)) ?? []
  if (tag === undefined || tagLetter.test(text.slice(caret))) return
  return { text: tag, from: caret - tag.length, to: caret }
}

/** The tags of tasks that are not deleted, most used first, each as it is written most often. */
export function tagsOf(tasks: Iterable<Pick<Task, 'title' | 'body' | 'deletedAt'>>): string[] {
  const spellings = new Map<string, Map<string, number>>()
  for (const { title, body, deletedAt } of tasks) {
    if (deletedAt !== null) continue
    for (const { text } of [...tagsIn(title), ...tagsIn(body)]) {
      const counts = spellings.get(fold(text)) ?? new Map<string, number>()
      spellings.set(fold(text), counts.set(text, (counts.get(text) ?? 0) + 1))
    }
  }
  return [...spellings.values()]
    .map((counts) => {
      const [[tag] = ['']] = [...counts].sort(([, one], [, other]) => other - one)
      return { tag, uses: [...counts.values()].reduce((sum, count) => sum + count, 0) }
    })
    .sort((one, other) => other.uses - one.uses || one.tag.localeCompare(other.tag))
    .map(({ tag }) => tag)
}

/** The known tags that a typed one is the beginning of, without itself. */
export const completionsOf = (typed: string, known: readonly string[]): string[] =>
  known.filter((tag) => tag !== typed && fold(tag).startsWith(fold(typed))).slice(0, most)

import { fold } from '#contract/folding.ts'
import { beforeTag, tagCharacters, tagSeparators } from '#contract/tag-pattern.ts'

const maxShown = 6

export type TypedTag = { text: string; from: number; to: number }

const beginning = new RegExp(`${beforeTag}([#＃][${tagCharacters}${tagSeparators}]*)$`, 'u')
const tagLetter = new RegExp(`^[${tagCharacters}${tagSeparators}]`, 'u')

/** Inside of a word, no tag is being typed. */
export function typedTagAt(text: string, caret: number): TypedTag | undefined {
  const [, tag] = beginning.exec(text.slice(0, caret)) ?? []
  if (tag === undefined || tagLetter.test(text.slice(caret))) return
  return { text: tag, from: caret - tag.length, to: caret }
}

export const completionsOf = (typed: string, known: readonly string[]): string[] =>
  known.filter((tag) => tag !== typed && fold(tag).startsWith(fold(typed))).slice(0, maxShown)

import { fold } from '#contract/folding.ts'
import { beforeTag, tagCharacters, tagSeparators } from '#contract/tag-pattern.ts'

const maxShown = 6

/** A tag whose beginning is directly before the caret, which is at its end. */
export type TypedTag = { text: string; from: number; to: number }

const beginning = new RegExp(`${beforeTag}([#＃][${tagCharacters}${tagSeparators}]*)$`, 'u')
const tagLetter = new RegExp(`^[${tagCharacters}${tagSeparators}]`, 'u')

/** Returns the tag that is being typed at an index of a text. Inside of a word, none is. */
export function typedTagAt(text: string, caret: number): TypedTag | undefined {
  const [, tag] = beginning.exec(text.slice(0, caret)) ?? []
  if (tag === undefined || tagLetter.test(text.slice(caret))) return
  return { text: tag, from: caret - tag.length, to: caret }
}

/** The known tags that a typed one is the beginning of, without itself. */
export const completionsOf = (typed: string, known: readonly string[]): string[] =>
  known.filter((tag) => tag !== typed && fold(tag).startsWith(fold(typed))).slice(0, maxShown)

import { fold } from './folding.ts'
import type { Range } from './ranges.ts'
import { tagPattern } from './tag-pattern.ts'
import { partsOf } from './text-parts.ts'

export type Tag = Range & { text: string }

/** Returns the tags of a text in order, each with its `#`. */
export const tagsIn = (text: string): Tag[] =>
  [...partsOf(text)].flatMap(({ kind, from, to }) =>
    kind === 'tag' ? [{ text: text.slice(from, to), from, to }] : [],
  )

/** The tags as they are compared: without case and accents. Folding all at once takes much less time than folding each. */
export const foldedTags = (tags: readonly Tag[]): string[] =>
  tags.length === 0 ? [] : fold(tags.map(({ text }) => text).join('\n')).split('\n')

export const foldedTagsIn = (texts: readonly (string | null)[]): string[] =>
  texts.flatMap((text) => foldedTags(tagsIn(text ?? '')))

const wholeTag = new RegExp(`^${tagPattern}$`, 'u')

export const isTag = (text: string): boolean => wholeTag.test(text)

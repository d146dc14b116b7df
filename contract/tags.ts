/** A part of a text from one index to another, in UTF-16 units. */
export type Range = { from: number; to: number }

/**
 * A tag begins with `#` at the start of a text or after white space, an opening bracket or a quotation mark, so that `C#`
 * and the fragment of an address are not tags. It contains a letter, so that `#1` is not one, and does not end with `-`.
 */
export const tags =
  /[#＃](?<=(?:^|[\s\p{Ps}\p{Pi}"'])[#＃])(?=[\p{N}_-]*\p{L})[\p{L}\p{M}\p{N}_]+(?:-+[\p{L}\p{M}\p{N}_]+)*/gu

export type Tag = Range & { text: string }

/** Returns the tags of a text in order, each with its `#`. */
export const tagsIn = (text: string): Tag[] =>
  [...text.matchAll(tags)].map(({ 0: tag, index }) => ({ text: tag, from: index, to: index + tag.length }))

/** Whether the whole text is one tag. */
export const isTag = (text: string): boolean => tagsIn(text)[0]?.text === text

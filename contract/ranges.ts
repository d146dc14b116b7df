/** A part of a text from one index to another, in UTF-16 units. */
export type Range = { from: number; to: number }

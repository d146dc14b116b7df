/** A part of a text from one index to another, in UTF-16 units. */
export type Range = { from: number; to: number }

/** The same range in a text that has as many units more before it. */
export const shifted = <Of extends Range>(range: Of, by: number): Of => ({
  ...range,
  from: range.from + by,
  to: range.to + by,
})

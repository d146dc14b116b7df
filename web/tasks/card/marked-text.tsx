import { createContext, use } from 'react'
import { findWords } from '#contract/search.ts'
import './marked-text.css'

/** The folded words of the search around the cards; none in a list. */
export const SearchedWords = createContext<readonly string[]>([])

/** A text in which the words of the search are marked. */
export function MarkedText({ text }: { text: string }) {
  const ranges = findWords(text, use(SearchedWords))
  if (ranges.length === 0) return text
  return [
    ...ranges.flatMap(({ from, to }, index) => [
      text.slice(ranges[index - 1]?.to ?? 0, from),
      <mark key={from}>{text.slice(from, to)}</mark>,
    ]),
    text.slice(ranges.at(-1)?.to),
  ]
}

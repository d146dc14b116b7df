import { createContext, use } from 'react'
import type { excerptStart } from '#contract/excerpt.ts'
import type { findWords } from '#contract/find-words.ts'
import './marked-text.css'

/** The folded words of the search; empty in a list. */
export const SearchedWords = createContext<readonly string[]>([])

/** The functions are in the code of the search. */
export const Finder = createContext<
  { findWords: typeof findWords; excerptStart: typeof excerptStart } | undefined
>(undefined)

export function MarkedText({ text }: { text: string }) {
  const words = use(SearchedWords)
  const ranges = use(Finder)?.findWords(text, words) ?? []
  if (ranges.length === 0) return text
  return [
    ...ranges.flatMap(({ from, to }, index) => [
      text.slice(ranges[index - 1]?.to ?? 0, from),
      <mark key={from}>{text.slice(from, to)}</mark>,
    ]),
    text.slice(ranges.at(-1)?.to),
  ]
}

import type { Facts } from './day-of-facts.ts'
import { type Kind, type Rule, rulesOf } from './day-rules.ts'
import type { Language } from './language.ts'

export type Token = {
  start: number
  end: number
  /** Where the words that name the day end; a part of the day follows. */
  dayEnd: number
  kind: Kind
  facts: Facts
  /** A weekday with "this". */
  isThis: boolean
  /** A name that may be another word: "Mo". */
  isShort: boolean
  /** A date with a month that may be another word: "5 may". */
  isDoubtful: boolean
}

const capitalizedOrCut = /^\p{Lu}|\.$/u

/** Returns the function that finds the words in a text that belong to days, in their order; of those that overlap, the first and longest. */
export function tokensIn(languages: Language[], hasDottedDates: boolean) {
  const rules = languages.flatMap((language) => rulesOf(language, hasDottedDates))
  return (text: string): Token[] => {
    const found = rules.flatMap((rule) =>
      [...text.matchAll(rule.pattern)].flatMap((match) => tokenOf(rule, match) ?? []),
    )
    found.sort((one, other) => one.start - other.start || other.end - one.end)
    let last = 0
    return found.filter(({ start, end }) => {
      const isFree = start >= last
      if (isFree) last = end
      return isFree
    })
  }
}

function tokenOf({ kind, names, facts, isThis }: Rule, match: RegExpExecArray): Token | undefined {
  const { 0: words, index: start, groups = {} } = match
  const stated = { ...facts, ...names.factsOf(groups) }
  const isShort = groups.short !== undefined && stated.date === undefined
  if (isShort && !capitalizedOrCut.test(words)) return
  const isNoun =
    names.isNoun.test(words) && match.input.slice(0, start).trim() !== '' && /^\p{Lu}/u.test(words)
  const end = start + words.length
  return {
    start,
    end,
    dayEnd: groups.part ? start + words.slice(0, -groups.part.length).trimEnd().length : end,
    kind: isNoun ? 'qualifier' : kind,
    facts: stated,
    isThis,
    isShort,
    isDoubtful:
      stated.date !== undefined &&
      stated.year === undefined &&
      groups.ordinal === undefined &&
      names.isMonthAWord.test(groups.month ?? ''),
  }
}

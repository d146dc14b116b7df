import { dueDates } from '#contract/limits.ts'
import { anyOf, type Place, rulesOf } from './day-rules.ts'
import { english } from './english.ts'
import type { Language } from './language.ts'
import type { DateWords } from './task-text.ts'

type Found = {
  start: number
  end: number
  day: string | undefined
  place: Place
  isNamed: boolean
  isShort: boolean
  stays: boolean
}

/** The number of characters that are read before a day. */
const nearby = 60

/** A day does not continue: "tomorrow’s", "monday-ish", "2026-12-24/a". */
const continues = /^(?:['’][\p{L}\p{N}]|[-–/\\_@#\p{L}\p{N}]|[.:][\p{L}\p{N}])/u
const continuesBefore = /[-–/\\_@#.:'’\p{L}\p{N}]$/u
const capitalizedOrCut = /^\p{Lu}|\.$/u

/**
 * Finds the words that name a day from today on, in any of these languages and in English, the language of the page. A text that is not
 * plainly a day is left out or, if it is a weekday at the beginning, only offered.
 */
export function dateWordsOf(others: Language[], hasDottedDates: boolean): DateWords {
  const languages = [english, ...others]
  const any = (of: (language: Language) => string | undefined) => anyOf(languages, of).replaceAll(' ', '\\s+')
  const expression = (source: string, flags = 'iu') => new RegExp(source, flags)
  const before = (words: string) => expression(`(?:^|\\s)(${words})\\s+$`)
  const [every, lead, monthLead] = [
    before(any((of) => of.every)),
    before(any((of) => of.lead)),
    before(any((of) => of.monthLead)),
  ]
  const phrase = before(`${any((of) => of.phrase)}|[&–—-]`)
  const joint = `(?:\\s+(?:${any((of) => of.conjunction)})\\s+|\\s*[&–—-]\\s*)`
  const [joined, joinedToNumber] = [expression(`^${joint}$`), expression(`^${joint}\\d`)]
  const range = expression(`\\d\\.?\\s+(?:${any((of) => of.conjunction)})\\s+$`)
  const end = expression(`^(?:\\s+(?:${any((of) => of.time)}))?[\\s.,;!?]*$`)
  const verb = expression(`^\\s+(?:${any((of) => of.verb)})(?!\\S)`)
  const nouns = expression(`^(?:${any((of) => of.nouns) || '$.'})$`)
  const rules = rulesOf(languages, hasDottedDates)

  function findAll(text: string, today: string): Found[] {
    const found = rules.flatMap(({ pattern, place, day, isNamed = false, stays = false }) =>
      [...text.matchAll(pattern)].map(({ 0: { length }, index, groups = {} }) => ({
        start: index,
        end: index + length,
        day: day(groups, today),
        place: typeof place === 'string' ? place : place(groups),
        isNamed,
        isShort: groups.short !== undefined,
        stays: stays || groups.part !== undefined,
      })),
    )
    found.sort((one, other) => one.start - other.start || other.end - one.end)
    // Of those that overlap, the first and longest counts.
    let last = 0
    return found.filter(({ start, end }) => {
      const isFree = start >= last
      if (isFree) last = end
      return isFree
    })
  }

  function read(text: string, { start, end: stop, place, isNamed, isShort, stays }: Found) {
    const [words, after] = [text.slice(start, stop), text.slice(stop)]
    const isFirst = text.slice(0, start).trim() === ''
    const rest = text.slice(Math.max(0, start - nearby), start)
    if (
      continues.test(after) ||
      continuesBefore.test(rest) ||
      joinedToNumber.test(after) ||
      verb.test(after) ||
      range.test(rest)
    )
      return
    if (isShort && place === 'end' && !capitalizedOrCut.test(words)) return
    if (nouns.test(words) && !isFirst && /^\p{Lu}/u.test(words)) return
    if (isNamed && every.test(rest)) return { start, end: stop, staysInTitle: true, isOnce: true }
    const led = (place === 'month' ? monthLead.exec(rest) : null) ?? lead.exec(rest)
    const isAtEnd = end.test(after)
    const from = led ? start - led[0].trimStart().length : start
    if (phrase.test(rest.slice(0, from - start || undefined))) return
    const isPlain =
      place === 'anywhere' || (place === 'month' ? led && isAtEnd : led || (isAtEnd && !isShort))
    if (isPlain) return { start: stays ? start : from, end: stop, staysInTitle: stays }
    const isOffer = isNamed && place === 'end' && (isAtEnd || (isFirst && /^[\s:,]/.test(after)))
    if (isOffer) return { start, end: stop, staysInTitle: false, isOffer }
  }

  return (text, today) => {
    // The prerendered page knows no day.
    const found = today === '' ? [] : findAll(text, today)
    const isJoinedToNext = found.map(({ end }, index) =>
      joined.test(text.slice(end, found[index + 1]?.start)),
    )
    return found.flatMap((one, index) => {
      const { day } = one
      if (!day || day < today || day > dueDates.max) return []
      if (isJoinedToNext[index] || isJoinedToNext[index - 1]) return []
      const words = read(text, one)
      return words ? [{ ...words, day }] : []
    })
  }
}

/** Languages besides English. */
const others: Record<string, () => Promise<Language>> = {
  de: async () => (await import('./german.ts')).german,
  fr: async () => (await import('./french.ts')).french,
}

/** The function that finds days in the browser's languages. */
export async function spokenDateWords(): Promise<DateWords> {
  const spoken = new Set(navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()))
  const languages = await Promise.all([...spoken].flatMap((language) => others[language]?.() ?? []))
  return dateWordsOf(languages, hasDottedDates())
}

/** Whether the reader's language writes the 24th of December as 24.12. */
const hasDottedDates = () =>
  /^24\.\s?12\./.test(new Date(2026, 11, 24).toLocaleDateString(navigator.languages, { dateStyle: 'short' }))

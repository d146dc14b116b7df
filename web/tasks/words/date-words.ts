import { dueDates } from '#contract/limits.ts'
import { dayOf, type Facts } from './day-of-facts.ts'
import { isBetween, runsOf, trimmed } from './day-runs.ts'
import { type Token, tokensIn } from './day-tokens.ts'
import { english } from './english.ts'
import type { Language } from './language.ts'
import type { DateWords } from './task-text.ts'

type Connecting = 'lead' | 'dateLead' | 'monthLead' | 'glue' | 'never' | 'anchors' | 'time'

/** A day does not continue: "tomorrow’s", "monday-ish", "2026-12-24/a". */
const continues = /^(?:['’]|[-–/\\_@#+\p{L}\p{N}]|[.:][\p{L}\p{N}])/u
const continuesBefore = /[-–/\\_@#+.:'’\p{L}\p{N}]$/u

/**
 * Returns the function that finds the words that name a day from today on, in any of these languages and in English, the language of the
 * page: the longest run of words that belong to days, if all of it is one day. A text that is not plainly a day is left out or, if it
 * is a weekday at the beginning, only offered.
 */
export function dateWordsOf(others: Language[], hasDottedDates: boolean): DateWords {
  const languages = [english, ...others]
  const any = (...of: Connecting[]) =>
    languages
      .flatMap((language) => of.flatMap((name) => language[name] ?? []))
      .join('|')
      .replaceAll(' ', '\\s+')
  const expression = (source: string) => new RegExp(source, 'iu')
  const only = (words: string) => expression(`^(?:(?:${words})\\s+)?$`)
  const leads = {
    day: only(any('lead')),
    date: only(any('lead', 'dateLead')),
    month: only(any('lead', 'monthLead')),
  }
  const glue = expression(`^(?:[\\s,]|(?<!\\p{L})(?:${any('glue')})(?!\\p{L}))*$`)
  const never = expression(`^\\s+(?:${any('never')})(?!\\S)`)
  const anchor = expression(`^\\s+(?:${any('anchors')})(?!\\S)`)
  const end = expression(`^(?:\\s+(?:${any('time')}))?[\\s.,;!?)\\]…]*$`)
  const find = tokensIn(languages, hasDottedDates)

  function read(run: Token[], text: string, today: string) {
    const tokens = trimmed(run, ({ start, end }) => leads.day.test(`${text.slice(start, end)} `))
    const days = tokens.filter((token) => !isBetween(token))
    const [token, first, last] = [tokens[0], days[0], days.at(-1)]
    if (!token || !first || !last || days.some(({ kind }) => kind !== 'day')) return
    const isJoined = days.every(({ end, dayEnd }, index) => {
      const next = days[index + 1]
      return !next || (end === dayEnd && glue.test(text.slice(end, next.start)))
    })
    const facts = isJoined && merged(days)
    const day = facts && dayOf(facts, today)
    if (!day || day < today || day > dueDates.max) return

    const [before, lead, after] = [
      text.slice(0, token.start),
      text.slice(token.start, first.start),
      text.slice(last.end),
    ]
    if (continues.test(after) || continuesBefore.test(before) || never.test(after)) return
    const isCounted = facts.weekday !== undefined || facts.count !== undefined
    if (isCounted && anchor.test(after)) return
    const isMonth = isMonthAlone(facts)
    if (!leads[isMonth ? 'month' : facts.date === undefined ? 'day' : 'date'].test(lead)) return

    const isLed = lead !== '' || days.some(({ isThis }) => isThis)
    const isAtEnd = end.test(after)
    const words = { start: token.start, end: last.dayEnd, day }
    if (isMonth ? isLed && isAtEnd : isLed || isPlain(facts, days) || (isAtEnd && !first.isShort))
      return words
    const isOffered = facts.weekday !== undefined || facts.date !== undefined
    const isFirst = before.trim() === '' && /^[\s:,]/.test(after)
    if (isOffered && (isAtEnd || isFirst)) return { ...words, isOffer: true }
  }

  return (text, today) => {
    // The prerendered page knows no day.
    const tokens = today === '' ? [] : find(text)
    return runsOf(tokens, text).flatMap((run) => read(run, text, today) ?? [])
  }
}

/** The facts of all tokens, unless two state the same kind. */
function merged(tokens: Token[]): Facts | undefined {
  const facts = Object.assign({}, ...tokens.map((token) => token.facts)) as Facts
  const count = tokens.reduce((sum, token) => sum + Object.keys(token.facts).length, 0)
  return Object.keys(facts).length === count ? facts : undefined
}

/** A month, of which its first day is meant. */
const isMonthAlone = ({ month, date, nth, end }: Facts) =>
  month !== undefined && date === undefined && nth === undefined && end === undefined

/** Whether words are a day anywhere in a text. Others are one at its end, or after a lead. */
function isPlain({ offset, count, date, month, weekday, week, nth, coming }: Facts, days: Token[]): boolean {
  if (days.some(({ isDoubtful }) => isDoubtful)) return false
  if (offset !== undefined || count !== undefined) return true
  return date === undefined
    ? weekday !== undefined && (week ?? nth ?? coming) !== undefined
    : month !== undefined
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

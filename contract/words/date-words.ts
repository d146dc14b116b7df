import { dueDates } from '../limits.ts'
import { isBetween, runsOf, trimmed } from './day-runs.ts'
import { type Token, tokensIn, withoutTime } from './day-tokens.ts'
import { english } from './english.ts'
import type { Language } from './language.ts'
import type { DateWords, Now, ReminderWords } from './task-text.ts'
import { type Facts, isTimeAlone, whenOf } from './time-of-facts.ts'

type Connecting = 'lead' | 'dateLead' | 'monthLead' | 'glue' | 'never' | 'anchors' | 'reminds' | 'remindsTo'

/** A day does not continue: "tomorrow’s", "monday-ish", "2026-12-24/a". */
const continues = /^(?:['’]|[-–/\\_@#+\p{L}\p{N}]|[.:][\p{L}\p{N}])/u
const isEnd = /^[\s.,;!?)\]…]*$/
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
  const follower = expression(
    `^(?:[,;:!?)\\]…]|\\.?\\s*$|\\s+(?:${languages.map(({ clock }) => clock.followers).join('|')})\\s+\\p{L})`,
  )
  const counted = languages.flatMap(({ clock }) => clock.counted ?? []).join('|')
  // In German, nouns are capitalized.
  const countedAfter = new RegExp(`^(?:\\s*[%€$£°]|\\s+(?:[\\p{Lu}\\p{N}]|${counted}))`, 'u')
  const reminds = new RegExp(`(?<![-@#/\\p{L}\\p{N}])(?:${any('reminds')})\\s+`, 'giu')
  const toAfter = expression(`^\\s+(?:${any('remindsTo')})(?=\\S)`)
  const find = tokensIn(languages, hasDottedDates)

  /** The words of a run that name a day or a time. */
  function read(run: Token[], text: string, now: Now): Found | undefined {
    const tokens = trimmed(run, ({ start, end }) => leads.day.test(`${text.slice(start, end)} `))
    const days = tokens.filter((token) => !isBetween(token))
    const [token, first, last] = [tokens[0], days[0], days.at(-1)]
    if (!token || !first || !last || days.some(({ kind }) => kind !== 'day')) return
    const isJoined = days.every(({ end, dayEnd }, index) => {
      const next = days[index + 1]
      return !next || (end === dayEnd && glue.test(text.slice(end, next.start)))
    })
    const facts = isJoined && merged(days)
    const when = facts && whenOf(facts, now)
    if (!when || (when.day !== null && (when.day < now.today || when.day > dueDates.max))) return

    const [before, lead, after] = [
      text.slice(0, token.start),
      text.slice(token.start, first.start),
      text.slice(last.end),
    ]
    if (continues.test(after) || continuesBefore.test(before) || never.test(after)) return
    const isCounted = (facts.weekday ?? facts.count ?? facts.rule) !== undefined
    if (isCounted && anchor.test(after)) return
    const isMonth = isMonthAlone(facts)
    if (!leads[isMonth ? 'month' : facts.date === undefined ? 'day' : 'date'].test(lead)) return

    const found = { start: token.start, end: last.dayEnd, facts, ...when }
    const isFirst = before.trim() === ''
    const doubt = days.find(isTime)?.doubt ?? 'none'
    if (isTimeAlone(facts) && doubt !== 'none') {
      const isIn = doubt === 'alone' ? lead !== '' : follower.test(after) || (doubt === 'distance' && isFirst)
      if (isIn) return found
      return isFirst || isEnd.test(after) ? { ...found, isOffer: true } : undefined
    }
    // "Tomorrow at 3 Main Street"
    if (doubt === 'number' && last.doubt === 'number' && countedAfter.test(after)) return

    const isLed = lead !== '' || days.some(({ isLed }) => isLed)
    // A time that is no part of the day follows it.
    const next = run[run.indexOf(last) + 1]
    const isAtEnd = isEnd.test(after) || (next?.kind === 'time' && isEnd.test(text.slice(next.end)))
    // "Weekly report", "every day cream"
    if (days.some(({ doubt }) => doubt === 'vague')) {
      if (isEnd.test(after) || days.length > 1) return found
      return isFirst ? { ...found, isOffer: true } : undefined
    }
    const isTimed = (facts.hour ?? facts.minutes) !== undefined && !first.isShort
    if (isMonth ? isLed && isAtEnd : isLed || isTimed || isPlain(facts, days) || (isAtEnd && !first.isShort))
      return found
    const isOffered = facts.weekday !== undefined || facts.date !== undefined || facts.someday !== undefined
    if (isOffered && (isAtEnd || (isFirst && /^[\s:,]/.test(after)))) return { ...found, isOffer: true }
  }

  /** A run with its times, or the day in it without them. */
  function readRun(run: Token[], text: string, now: Now): Found | undefined {
    const isTimed = (token: Token) => isTime(token) || token.facts.part !== undefined
    const withTimes = run.map((token): Token => (isTime(token) ? { ...token, kind: 'day' } : token))
    return (
      read(withTimes, text, now) ?? (run.some(isTimed) ? read(run.map(withoutTime), text, now) : undefined)
    )
  }

  /** The last words that say when to remind, with a time directly after them. */
  function readReminder(text: string, now: Now): ReminderWords | undefined {
    for (const { 0: words, index: start } of [...text.matchAll(reminds)].reverse()) {
      const from = start + words.length
      const rest = text.slice(from)
      const [run] = runsOf(find(rest), rest)
      const found = run && readRun(run, rest, now)
      // "Remind me every day at 8" is a repeat.
      if (!found?.day || !found.time || found.repeat || rest.slice(0, found.start).trim() !== '') continue
      const [to = ''] = toAfter.exec(rest.slice(found.end)) ?? []
      const { day, time, assumed, facts } = found
      const isOfDay = isTimeAlone(facts) && facts.minutes === undefined
      return { start, end: from + found.end + to.length, day, time, isOfDay, ...(assumed && { assumed }) }
    }
  }

  return (text, now) => {
    // The prerendered page knows no day.
    if (now.today === '') return { days: [] }
    const reminder = readReminder(text, now)
    const rest = reminder
      ? text.slice(0, reminder.start) + ' '.repeat(reminder.end - reminder.start) + text.slice(reminder.end)
      : text
    const found = runsOf(find(rest), rest).flatMap((run) => readRun(run, rest, now) ?? [])
    return { days: joined(found, now).map(({ facts: _, ...words }) => words), reminder }
  }
}

type Found = ReturnType<DateWords>['days'][number] & { facts: Facts }

const isTime = ({ facts }: Token) => (facts.hour ?? facts.minutes) !== undefined

/** Joins the last time with the last day if they are apart: "tomorrow call Ann at 5pm". */
function joined(found: Found[], now: Now): Found[] {
  const time = found.findLast(({ facts }) => isTimeAlone(facts))
  const day = found.findLast(({ facts }) => !isTimeAlone(facts))
  const facts = time && day && merged([day, time])
  const when = facts && whenOf(facts, now)
  if (!time || !day || !when) return found
  const [also, last] = [day, time].sort((one, other) => one.start - other.start) as [Found, Found]
  const isOffer = Boolean(day.isOffer || time.isOffer)
  const whole = { start: last.start, end: last.end, also, facts, ...when, ...(isOffer && { isOffer }) }
  return [...found.filter((words) => words !== time && words !== day), whole]
}

/** The facts of all tokens, unless two state the same kind. */
function merged(tokens: { facts: Facts }[]): Facts | undefined {
  const facts = Object.assign({}, ...tokens.map((token) => token.facts)) as Facts
  const count = tokens.reduce((sum, token) => sum + Object.keys(token.facts).length, 0)
  return Object.keys(facts).length === count ? facts : undefined
}

/** A month, of which its first day is meant. */
const isMonthAlone = ({ month, date, nth, end }: Facts) =>
  month !== undefined && date === undefined && nth === undefined && end === undefined

/** Whether words are a day anywhere in a text. Others are one at its end, or after a lead. */
function isPlain(
  { rule, offset, count, date, month, weekday, week, nth, coming }: Facts,
  days: Token[],
): boolean {
  if (days.some(({ isDoubtful }) => isDoubtful)) return false
  if (offset !== undefined || count !== undefined || rule !== undefined) return true
  return date === undefined
    ? weekday !== undefined && (week ?? nth ?? coming) !== undefined
    : month !== undefined
}

/** Languages besides English. */
const others: Record<string, () => Promise<Language>> = {
  de: async () => (await import('./german.ts')).german,
  fr: async () => (await import('./french.ts')).french,
}

/** The function that finds days in the languages of these tags, of which the first decides how days are written in numbers. */
export async function dateWordsIn(tags: readonly string[]): Promise<DateWords> {
  const spoken = new Set(tags.map((tag) => tag.slice(0, 2).toLowerCase()))
  const languages = await Promise.all([...spoken].flatMap((language) => others[language]?.() ?? []))
  return dateWordsOf(languages, hasDottedDates(tags))
}

/** Whether the reader's language writes the 24th of December as 24.12. */
const hasDottedDates = (tags: readonly string[]) =>
  /^24\.\s?12\./.test(new Date(2026, 11, 24).toLocaleDateString([...tags], { dateStyle: 'short' }))

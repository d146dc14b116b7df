import { firstLanguage } from '../days.ts'
import { dueDates } from '../limits.ts'
import type { DayFacts } from './day-of-facts.ts'
import { isBetween, runsOf, type Token, tokensIn, trimmed, withoutTime } from './day-tokens.ts'
import { english } from './english.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { type Found, joined, merged } from './joined-words.ts'
import type { Language } from './language.ts'
import { reminderWordsOf } from './reminder-words.ts'
import type { DateWords, Now } from './task-text.ts'
import { type Facts, isTimeAlone, isTimed, whenOf } from './time-of-facts.ts'

type Connecting = 'lead' | 'dateLead' | 'monthLead' | 'glue' | 'never' | 'anchors'

/** A day does not continue: "tomorrow’s", "monday-ish", "2026-12-24/a". */
const continues = /^(?:['’]|[-–/\\_@#+\p{L}\p{N}]|[.:][\p{L}\p{N}])/u
const isAtEnd = /^[\s.,;!?)\]…]*$/
/** "Tous les matins du monde" */
const ofNoun = /^\s+(?:(?:du|des?)\s+|d[’'])\p{L}/iu
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
  const countedAfter = new RegExp(`^(?:\\s*[%€$£°]|\\s+(?:\\p{N}|${counted}))`, 'u')
  const ends = languages.map(({ repeats }) => `${repeats.until}|${repeats.from}`).join('|')
  /** "Every tuesday until the summer": the end of a repeat that is not read. "From home" is none. */
  const endless = expression(`^[\\s,]+(?:${ends.replaceAll(' ', '\\s+')})(?!\\p{L})(?<!from)`)
  const find = tokensIn(languages, hasDottedDates)

  function read(run: Token[], text: string, now: Now): Found | undefined {
    const tokens = trimmed(run, ({ start, end }) => leads.day.test(`${text.slice(start, end)} `))
    const days = tokens.filter((token) => !isBetween(token))
    const [token, first, last] = [tokens[0], days[0], days.at(-1)]
    if (!token || !first || !last || days.some(({ kind }) => kind !== 'day')) return
    const facts = factsOf(tokens, text)
    const isEnd = facts?.until !== undefined && Object.keys(facts).length === 1
    const when = isEnd ? { day: now.today } : facts && whenOf(facts, now)
    if (!facts || !when || (when.day !== null && (when.day < now.today || when.day > dueDates.max))) return

    const [before, lead, after] = [
      text.slice(0, token.start),
      token.ofRepeat ? '' : text.slice(token.start, first.start),
      text.slice(last.end),
    ]
    if (continues.test(after) || continuesBefore.test(before) || never.test(after)) return
    const isCounted = (facts.weekday ?? facts.count ?? facts.rule) !== undefined
    if (isCounted && anchor.test(after)) return
    const next = run.slice(run.indexOf(last) + 1).find((token) => !isBetween(token))
    if (facts.rule && (ofNoun.test(after) || (endless.test(after) && !(next && isTimeAlone(next.facts)))))
      return
    const isMonth = isMonthAlone(facts)
    // "Every 2 years in march"
    const isRuleOfMonth = isMonth && facts.rule !== undefined
    const month = days.findIndex(({ facts }) => isMonthAlone(facts))
    if (isRuleOfMonth && month > 0 && text.slice(days[month - 1]?.end, days[month]?.start).trim() === '')
      return
    if (!leads[isMonth ? 'month' : facts.date === undefined ? 'day' : 'date'].test(lead)) return

    const found = { start: token.start, end: last.dayEnd, facts, ...when, ...(isEnd && { isEnd }) }
    const isFirst = !/[\p{L}\p{N}\uFFFC]/u.test(before)
    const doubt = days.find(({ facts }) => isTimed(facts))?.doubt ?? 'none'
    if (isTimeAlone(facts) && doubt !== 'none') {
      const isIn = doubt === 'alone' ? lead !== '' : follower.test(after) || (doubt === 'distance' && isFirst)
      if (isIn) return found
      return isFirst || isAtEnd.test(after) ? { ...found, isOffer: true } : undefined
    }
    // "Tomorrow at 3 Main Street"
    if (doubt === 'number' && last.doubt === 'number' && countedAfter.test(after)) return

    const isLed = lead !== '' || days.some(({ isLed }) => isLed)
    // A time that is no part of the day follows it.
    const isLast = isAtEnd.test(after) || (next?.kind === 'time' && isAtEnd.test(text.slice(next.end)))
    // "Weekly report", "every day cream"
    const isVague = ({ doubt }: Token) => doubt === 'vague' || doubt === 'adjective'
    if (days.some(isVague)) {
      if (
        /^\s*(?:[,:;]|$)/.test(after) ||
        isAtEnd.test(after) ||
        !isVague(last) ||
        days.some(({ facts }) => isTimeAlone(facts))
      )
        return found
      return isFirst ? { ...found, isOffer: true, isAdjective: last.doubt === 'adjective' } : undefined
    }
    const isTimedDay = (facts.hour ?? facts.midnight ?? facts.minutes) !== undefined && !first.isShort
    // "Am 15. zahlen", but not "on the 15th floor".
    const isBeforeVerb = text.slice(last.start, last.end).endsWith('.') && /^\s+\p{Ll}/u.test(after)
    if (isDateAlone(facts) && !isTimedDay && !isLast && !/^\s*[,:;]/.test(after) && !isBeforeVerb)
      return isFirst ? { ...found, isOffer: true } : undefined
    if (
      isMonth && !isRuleOfMonth
        ? isLed && isLast
        : isLed || isTimedDay || isPlain(facts, days) || (isLast && !first.isShort)
    )
      return found
    const { weekday, date, someday, weekend, week } = facts
    if (
      (weekday ?? date ?? someday ?? weekend ?? week) !== undefined &&
      (isLast || (isFirst && /^[\s:,]/.test(after)))
    )
      return { ...found, isOffer: true }
  }

  /** What all words of a run state. Those after "until" and "from" state the end and the start of a repeat. Undefined if they are not joined. */
  function factsOf(tokens: Token[], text: string): Facts | undefined {
    const said: { of?: 'until' | 'from'; tokens: Token[] }[] = [{ tokens: [] }]
    let [before, isJoined] = [
      tokens[0]?.ofRepeat ? undefined : tokens.find((each) => !isBetween(each))?.start,
      true,
    ]
    for (const token of tokens) {
      const { ofRepeat, facts, start, end, dayEnd } = token
      const isMark = ofRepeat === 'until' || ofRepeat === 'from'
      if (isBetween(token) && !isMark) continue
      isJoined &&= before === undefined || before >= start || glue.test(text.slice(before, start))
      before = end
      if (isMark) said.push({ of: ofRepeat, tokens: [] })
      else {
        isJoined &&= end === dayEnd || token === tokens.findLast((each) => !isBetween(each))
        const isOfMain = facts.rule !== undefined || ofRepeat !== undefined || isTimeAlone(facts)
        ;(isOfMain ? said[0] : said.at(-1))?.tokens.push(token)
      }
    }
    const groups = said.map(({ of, tokens }) => ({ of, facts: merged(tokens.map(({ facts }) => facts)) }))
    if (!isJoined || groups.some(({ of, facts }) => !facts || (of && Object.keys(facts).length === 0))) return
    return merged(groups.map(({ of, facts = {} }) => (of ? { [of]: facts as DayFacts } : facts)))
  }

  /** A run with its times, or the day in it without them. */
  function readRun(run: Token[], text: string, now: Now): Found | undefined {
    const hasTime = (token: Token) => isTimed(token.facts)
    const withTimes = run.map((token): Token => (hasTime(token) ? { ...token, kind: 'day' } : token))
    // "Every week in the morning" has no part that is a day of its own.
    const isPart = run.some(({ facts }) => facts.rule !== undefined && facts.part !== undefined)
    const found = read(withTimes, text, now)
    if (found || isPart || !run.some(hasTime)) return found
    const day = read(run.map(withoutTime), text, now)
    // "15th in the morning sunday" is no sunday.
    return day && run.some(({ facts, end }) => facts.part !== undefined && end <= day.start) ? undefined : day
  }
  const readReminder = reminderWordsOf(languages, readRun)

  return (text, now) => {
    // The prerendered page knows no day.
    if (now.today === '') return { days: [] }
    const reminder = readReminder(find(text), text, now)
    const rest = reminder
      ? text.slice(0, reminder.start) + ' '.repeat(reminder.end - reminder.start) + text.slice(reminder.end)
      : text
    const runs = runsOf(find(rest), rest).map((run) => ({ run, found: readRun(run, rest, now) }))
    const found = runs.flatMap(({ found }) => found ?? [])
    const read = joined(found, now)
    // A day that a repeat does not have: then no other word of the line counts.
    const isTorn =
      (found.length > 0 && read.length === 0) ||
      runs.some(
        ({ run, found }) =>
          !found &&
          run.some(({ facts }) => facts.rule !== undefined) &&
          run.filter(({ kind }) => kind === 'day').length > 1,
      )
    if (isTorn) return { days: [], reminder: reminder && { ...reminder, meaning: () => undefined } }
    // Who wants to be reminded means a day: "Friday call Ann remind me at 8".
    const isSure = reminder !== undefined && !read.some(({ isOffer }) => !isOffer)
    return {
      days: read.map(({ facts: _, isOffer, isEnd: __, isAdjective, ...words }) => ({
        ...words,
        ...(isOffer && (isAdjective || !isSure) && { isOffer }),
      })),
      reminder,
    }
  }
}

/** A month alone, which means its first day. */
const isMonthAlone = ({ month, date, nth, end }: Facts) =>
  month !== undefined && date === undefined && nth === undefined && end === undefined

/** "On the 15th" */
const isDateAlone = ({ rule, date, month, weekday, offset }: Facts) =>
  date !== undefined && (rule ?? month ?? weekday ?? offset) === undefined

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

const others: Record<string, Language> = { de: german, fr: french }

/** The function that finds days in the languages of these tags. The first one decides how days are written in numbers. */
export function dateWordsIn(tags: readonly string[]): DateWords {
  const spoken = new Set(tags.map((tag) => tag.slice(0, 2).toLowerCase()))
  const languages = [...spoken].flatMap((language) => others[language] ?? [])
  return dateWordsOf(languages, hasDottedDates(tags))
}

/** Whether the reader's language writes the 24th of December as 24.12. */
const hasDottedDates = (tags: readonly string[]) =>
  /^24\.\s?12\./.test(new Date(2026, 11, 24).toLocaleDateString(firstLanguage(tags), { dateStyle: 'short' }))

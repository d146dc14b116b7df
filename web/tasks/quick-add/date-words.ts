import type { ParsedResult } from 'chrono-node'
import { Chrono, casual } from 'chrono-node/en'
import { dueDates } from '#contract/limits.ts'
import { daysAfter } from '../../ui/civil-day.ts'
import type { DateWords } from './quick-text.ts'

// A chunk of its own, because of chrono-node: it is loaded when the quick line gets the focus for the first time.

// Without the refiners: they would merge a day with a time, which a task does not have, and the time would be lost.
const chrono = new Chrono({ parsers: casual.parsers, refiners: [] })

/** More than any title may have. */
const longestText = 1000

const weekday = '(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?'
const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'

/** What is a day wherever it stands, such as "tomorrow". */
const plainDay =
  /^(?:today|tonight|tomorrow|tmrw?|\d{4}-\d{1,2}-\d{1,2}|(?:in|within)\s.*(?:day|week|month|year)s?)$/
/** What may be another word or belong to another word, as in "sun cream" and "next week’s menu". */
const bareDay = new RegExp(`^(?:${weekday}|next (?:week|month|year))$`)
const chosenWeekday = new RegExp(`^(?:on|next|this)\\s+${weekday}$`)
const monthAlone = new RegExp(`^(?:in\\s+)?${month}\\.?(?:,?\\s+\\d{4})?$`)
/** "5 may be enough", "march 10 km" */
const monthThatIsAWord = /\b(?:mar|march|may)\b/

const leadIn = /(?:^|\s)((?:due\s+)?(?:by|on)|due|in)\s+$/i
const leadInEvery = /(?:^|\s)every\s+$/i
const weekdayBefore = new RegExp(`(?:^|\\s)(${weekday}\\.?,?\\s+)$`, 'i')
/** Words that would be left without a meaning, and words that make a noun of what follows: "from monday", "the sun". */
const partOfPhrase =
  /(?:^|\s)(?:the|an?|my|our|your|his|her|their|its|to|from|and|or|of|until|till|since|before|after|for|at|between|like|is|was|than|vs\.?|through|with|about|last|past|in|on|by|every|&|[-–—])\s+$/i
/** A day does not continue: "tomorrow’s", "monday-ish", "2026-12-24/a". */
const continues = /^(?:['’]\w|[-–/\\_@#\w]|[.:]\w)/
const continuesBefore = /[-–/\\_@#.:'’\w]$/
/** Nothing, or a time. */
const end = /^(?:\s+(?:at\s+)?\d{1,2}(?::\d\d)?\s*(?:[ap]\.?m\.?)?)?[\s.,;!?]*$/i
const conjunction = /^\s*(?:and|or|to|through|till|until|&|[-–])\s*/i

/** The words of a text that name a day from today on, in their order. What is not plainly a day is left out. */
export const findDates: DateWords = (text, today) => {
  if (text.length > longestText) return []
  // Noon exists in every time zone on every day. Only the day's own numbers are read from the result.
  const results = chrono.parse(text, new Date(`${today}T12:00`))
  return results.flatMap((result) => {
    const day = dayOf(result, today)
    const place = day === undefined ? undefined : placeOf(text, result, results)
    return day !== undefined && place ? [{ ...place, day }] : []
  })
}

function placeOf(text: string, result: ParsedResult, results: ParsedResult[]) {
  const words = result.text.toLowerCase()
  const stop = result.index + result.text.length
  const [before, after] = [text.slice(0, result.index), text.slice(stop)]
  if (continues.test(after) || continuesBefore.test(before) || result.end) return
  const joint = conjunction.exec(after)?.[0]
  if (joint && results.some(({ index }) => index === stop + joint.length)) return

  const isEvery = leadInEvery.test(before)
  const lead = leadIn.exec(before)?.[1]
  const isBare = bareDay.test(words)
  const isMonth = monthAlone.test(words)
  const isDate =
    result.start.isCertain('month') && result.start.isCertain('day') && new RegExp(month).test(words)
  const isChosen = isEvery || lead !== undefined || /^(?:on|in|next|this)\s/.test(words)
  const mayBeWord = isDate && monthThatIsAWord.test(words) && !/\d{4}|\d(?:st|nd|rd|th)\b/.test(words)
  if (isMonth) {
    if (!isChosen || !end.test(after)) return
  } else if (isBare || mayBeWord) {
    if (!end.test(after) && !isEvery && lead === undefined) return
  } else if (!plainDay.test(words) && !chosenWeekday.test(words) && !isDate) return
  // A day of the week or a date alone can be "in" nothing.
  if (lead?.toLowerCase() === 'in' && !isMonth) return

  // "Every monday" and "tonight" say more than the day, so their words stay.
  if (isEvery || words === 'tonight') return { start: result.index, end: stop, staysInTitle: true }
  const named = isDate ? (weekdayBefore.exec(before)?.[1]?.length ?? 0) : 0
  const rest = before.slice(0, before.length - named)
  const start = rest.length - (/\s*$/.exec(rest)?.[0].length ?? 0)
  const outer = leadIn.exec(rest)?.[1]
  const from = outer ? start - outer.length : rest.length
  if (partOfPhrase.test(text.slice(0, from))) return
  return { start: from, end: stop, staysInTitle: false }
}

/** The civil day of a result: the next one, if the text names no year. */
function dayOf({ start }: ParsedResult, today: string): string | undefined {
  if (start.isCertain('hour')) return
  const [year, month, date] = [start.get('year') ?? Number.NaN, start.get('month'), start.get('day')]
  const of = (inYear: number) => civilDay(inYear, month ?? 0, date ?? 0)
  let day = of(year)
  if (day && start.isCertain('weekday') && !start.isCertain('day')) {
    if (day < today) day = daysAfter(day, 7)
  } else if (!start.isCertain('year') && start.isCertain('month')) {
    // The 29th of February comes at least every eighth year.
    for (let more = 1; more <= 8 && (!day || day < today); more++) day = of(year + more)
  }
  return day && day >= today && day <= dueDates.max ? day : undefined
}

/** `YYYY-MM-DD`, if the calendar has this day. */
function civilDay(year: number, month: number, date: number): string | undefined {
  const time = Date.UTC(year, month - 1, date)
  if (!(year >= 1970 && year < 10_000) || Number.isNaN(time)) return
  const day = new Date(time).toISOString().slice(0, 10)
  return day === `${year}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`
    ? day
    : undefined
}

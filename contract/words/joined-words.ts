import { dueDates } from '../limits.ts'
import type { DateWords, Now } from './task-text.ts'
import { type Facts, isTimeAlone, whenOf } from './time-of-facts.ts'

/** Words in one place that name a day, a time, a repeat or its end. */
export type Found = ReturnType<DateWords>['days'][number] & {
  facts: Facts
  /** They say until when a repeat lasts, and nothing else. */
  isEnd?: boolean
  /** "Weekly report": they are offered, because they may be an adjective. */
  isAdjective?: boolean
}

/** All of these facts, unless two state the same kind. */
export function merged(all: Facts[]): Facts | undefined {
  const facts = Object.assign({}, ...all) as Facts
  const count = all.reduce((sum, each) => sum + Object.keys(each).length, 0)
  return Object.keys(facts).length === count ? facts : undefined
}

/** Joins the last day, repeat, time and end of a line. If that is impossible, none is read: the line says something else. */
export function joined(all: Found[], now: Now): Found[] {
  const isRepeat = ({ facts }: Found) => facts.rule !== undefined
  const found = all.filter(({ isEnd }) => !isEnd || all.some(isRepeat))
  const isDay = (words: Found) => !isRepeat(words) && !words.isEnd && !isTimeAlone(words.facts)
  // "Sun cream every day"
  const isName = ({ isOffer, start, end }: Found) => isOffer && end - start <= 4 && found.some(isRepeat)
  const last = [
    (words: Found) => isDay(words) && !isName(words),
    isRepeat,
    ({ facts }: Found) => isTimeAlone(facts),
    ({ isEnd }: Found) => isEnd === true,
  ]
    .flatMap((is) => found.findLast(is) ?? [])
    .sort((one, other) => one.start - other.start)
  const plain = last.filter(({ isOffer }) => !isOffer)
  const parts = plain.length > 0 ? last.filter(({ isAdjective }) => !isAdjective) : last
  if (parts.length < 2) return found
  const whole = wholeOf(parts, now)
  return whole ? [...found.filter((words) => !parts.includes(words)), whole] : []
}

function wholeOf(parts: Found[], now: Now): Found | undefined {
  const facts = merged(parts.map(({ facts }) => facts))
  const when = facts && whenOf(facts, now)
  const last = parts.at(-1)
  if (!last || !when || (when.day !== null && (when.day < now.today || when.day > dueDates.max))) return
  const { start, end } = last
  const isOffer = parts.some(({ isOffer, facts }) => isOffer && facts.rule === undefined)
  return { start, end, also: parts.slice(0, -1), facts, ...when, ...(isOffer && { isOffer }) }
}

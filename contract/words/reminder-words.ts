import { daysAfter } from '../days.ts'
import { reminderLimits } from '../reminder-times.ts'
import { namesOf } from './day-rules.ts'
import { runsOf, type Token } from './day-tokens.ts'
import type { Language } from './language.ts'
import type { Now, ReminderWords, When } from './task-text.ts'
import { type Facts, isTimeAlone, whenOf } from './time-of-facts.ts'

/** Words directly after "remind me" that name a time. */
type Found = { start: number; end: number; day: string | null; facts: Facts } & Pick<When, 'time' | 'assumed'>
type ReadRun = (run: Token[], text: string, now: Now) => Found | undefined
/** How long before the due time: minutes, or days with a part of the day. */
type Before = { minutes?: number; days?: number; part?: number }

const [day, week] = [24 * 60, 7 * 24 * 60]
/** The words of a time have fewer. */
const longestRun = 12
/** When a day is named without a time. */
const morning = '09:00'

/** Returns the function that finds the last words of a text that say when to remind. */
export function reminderWordsOf(languages: Language[], readRun: ReadRun) {
  const all = (name: 'reminds' | 'remindsTo') =>
    languages.flatMap((language) => language[name] ?? []).join('|')
  const spaced = (source: string, flags: string) => new RegExp(source.replaceAll(' ', '\\s+'), flags)
  const reminds = spaced(`(?<![-@#/\\p{L}\\p{N}])(?:${all('reminds')})\\s+`, 'giu')
  const toAfter = spaced(`^\\s+(?:${all('remindsTo')})(?=\\S)`, 'iu')
  // Other words make "1 hour before" a part of a longer phrase: "1 hour before the fair".
  const ends = /^\s*(?:$|[.,;:!?)\]…]|[#@])/u
  const phrases = languages.flatMap((language) => phrasesOf(language, spaced))

  const phraseAt = (text: string): { before: Before; length: number } | undefined => {
    for (const { pattern, before } of phrases) {
      const match = pattern.exec(text)
      if (match) return { before: before(match.groups ?? {}), length: match[0].length }
    }
  }

  /** "1 hour before", "the evening before", "at 18:00 the day before". */
  function beforeAt(
    from: number,
    tokens: Token[],
    text: string,
    now: Now,
  ): Omit<ReminderWords, 'start'> | undefined {
    function timeAt(place: number) {
      const token = tokens.find(({ start }) => start >= place)
      const isNext = token && isTimeAlone(token.facts) && text.slice(place, token.start).trim() === ''
      return isNext ? token : undefined
    }
    const early = phraseAt(text.slice(from)) ? undefined : timeAt(from)
    const at = early ? early.end + (/^\s*/.exec(text.slice(early.end)) ?? [''])[0].length : from
    const phrase = phraseAt(text.slice(at))
    if (!phrase) return
    const late = early ? undefined : timeAt(at + phrase.length)
    const end = late?.end ?? at + phrase.length
    const [to = ''] = toAfter.exec(text.slice(end)) ?? []
    const isWhole = to !== '' || ends.test(text.slice(end))
    const facts = (early ?? late)?.facts
    return {
      end: end + to.length,
      meaning: (due) => (isWhole ? meaningOf(phrase.before, facts, due, now) : undefined),
    }
  }

  /** "At 8", "tomorrow at 9". */
  function timeFrom(
    from: number,
    tokens: Token[],
    text: string,
    now: Now,
  ): Omit<ReminderWords, 'start'> | undefined {
    const run = runAt(tokens, text, from)
    // What follows is of the task: "remind me at 8 every friday".
    const found = readRun(run.words, run.isCut ? text.slice(0, run.words.at(-1)?.end) : text, now)
    if (!found?.day || !found.time || text.slice(from, found.start).trim() !== '') return
    const [to = ''] = toAfter.exec(text.slice(found.end)) ?? []
    const { day, time, assumed = [], facts } = found
    const isOfDay = isTimeAlone(facts) && facts.minutes === undefined
    return {
      end: found.end + to.length,
      // A time alone reminds on the due day that the text names, otherwise when the clock shows it next.
      meaning: (due) =>
        isOfDay && due?.day && !(assumed.includes('tomorrow') && due.day === now.today)
          ? { value: `0d${time}`, assumed: assumed.filter((each) => each !== 'tomorrow') }
          : { value: `${day}T${time}`, assumed },
    }
  }

  return (tokens: Token[], text: string, now: Now): ReminderWords | undefined => {
    for (const { 0: words, index: start } of [...text.matchAll(reminds)].reverse()) {
      const from = start + words.length
      const found = beforeAt(from, tokens, text, now) ?? timeFrom(from, tokens, text, now)
      if (found) return { start, ...found }
    }
  }
}

/** The words from there on that belong to days, without those of a repeat and after a comma: "remind me every day at 8" is one. */
function runAt(tokens: Token[], text: string, from: number): { words: Token[]; isCut: boolean } {
  const first = tokens.findIndex(({ start }) => start >= from)
  const [run = []] = first < 0 ? [] : runsOf(tokens.slice(first, first + longestRun + 1), text)
  const end = run.findIndex(
    ({ start, facts, ofRepeat }, index) =>
      facts.rule !== undefined ||
      ofRepeat !== undefined ||
      (index > 0 && /[,;:]/.test(text.slice(run[index - 1]?.end, start))),
  )
  const words = end < 0 ? run : run.slice(0, end)
  return { words: words.length > longestRun ? [] : words, isCut: end > 0 }
}

type Phrase = { pattern: RegExp; before: (groups: Record<string, string | undefined>) => Before }

/** "1 hour before", "half an hour before", "the day before", "the evening before". */
function phrasesOf(language: Language, spaced: (source: string, flags: string) => RegExp): Phrase[] {
  const { clock, numbers, units, before, dayBefore } = language
  const { numberOf, partOf } = namesOf(language)
  const phrase = (source: string, before: Phrase['before']): Phrase => ({
    pattern: spaced(`^(?:${source})(?![\\p{L}\\p{N}])`, 'iu'),
    before,
  })
  const count = `(?<count>\\d{1,5}|${[...Object.keys(numbers), ...clock.hours].join('|')})`
  const distances: [number, string][] = [
    ...Object.entries(clock.units).map(([minutes, unit]): [number, string] => [Number(minutes), unit]),
    [day, units.day],
    [week, units.week],
  ]
  return [
    ...distances.map(([each, unit]) =>
      phrase(`${count}\\s?(?:${unit}) (?:${before})`, ({ count }) => {
        const minutes = numberOf(count ?? '') * each
        return each < day ? { minutes } : { days: minutes / day }
      }),
    ),
    ...Object.entries(clock.durations).map(([minutes, source]) =>
      phrase(`(?:${source}) (?:${before})`, () => ({ minutes: Number(minutes) })),
    ),
    // "La veille au soir" before "la veille".
    ...dayBefore
      .toReversed()
      .map((source) => phrase(source, ({ part }) => ({ days: 1, ...(part && { part: partOf(part) }) }))),
  ]
}

/** The reminder that is so long before a day, with the time that is named. Undefined if it would be over, or the day has no time. */
function meaningOf(
  { minutes, days = 0, part }: Before,
  facts: Facts | undefined,
  due: When | undefined,
  now: Now,
): ReturnType<ReminderWords['meaning']> {
  if (!due?.day) return
  const at = (value: string, wall: string, assumed: When['assumed'] = []) =>
    due.repeat === undefined && wall <= `${now.today}T${now.time}` ? undefined : { value, assumed }
  if (minutes !== undefined) {
    if (!due.time || facts || minutes > reminderLimits.minutes) return
    const wall = new Date(Date.parse(`${due.day}T${due.time}Z`) - minutes * 60_000)
    return at(`${minutes}m`, wall.toISOString().slice(0, 16))
  }
  const named = (facts ?? part) && whenOf({ ...facts, ...(part && { part }), offset: 1 }, now)
  const time = named ? named.time : (due.time ?? morning)
  if ((facts && !named) || !time || days > reminderLimits.days) return
  return at(`${days}d${time}`, `${daysAfter(due.day, -days)}T${time}`, named ? named.assumed : [])
}

import { dateWordsOf } from '#contract/words/date-words.ts'
import { french } from '#contract/words/french.ts'
import { german } from '#contract/words/german.ts'
import { wallClockOf } from '#contract/zone-clock.ts'
import { numberedDay, type WallClock, wallClockIn } from './days.ts'

const findDates = dateWordsOf([german, french], true)

/** Longer ones are no days. */
const longest = 100

const isDateOfYear =
  /^(\p{L}{3,}\.?\s\d{1,2}|\d{1,2}\.?\s(de\s)?\p{L}{3,}\.?)(?=$|\s+(?:at\s+|um\s+|à\s+)?\d{1,2}[:h ])/u

/** Reading words takes a tenth of a millisecond, and the rows of a file have few different ones. */
const read = new Map<string, Said | undefined>()
const mostKept = 1000

type Said = WallClock & { repeat?: string; repeatFrom?: 'due' | 'done' }

/**
 * Returns what the words of another program say about a day, in English, German or French: `17 Aug`, `every! 3 days`. A day without a
 * year is one of this year, even if it is over.
 */
function dayInWords(text: string, now: Date, zone: string): Said | undefined {
  const name = `${now.getTime()} ${zone} ${text}`
  if (read.has(name)) return read.get(name)
  const said = readDay(text, now, zone)
  if (read.size >= mostKept) read.clear()
  read.set(name, said)
  return said
}

function readDay(text: string, now: Date, zone: string): Said | undefined {
  // Todoist has `ev` for `every`, and each Saturday for `every weekend`.
  const words = text
    .trim()
    .replace(/^ev(?:ery)?(?:!\s*|\s+)/i, 'every ')
    .replace(/^every weekend\b/i, 'every saturday')
  if (words === '' || words.length > longest) return undefined
  const here = wallClockOf(now.getTime(), zone)
  const find = (today: string, time: string) => {
    const { days } = findDates(words, { today, time })
    const whole = days.find(({ start, end, also }) => start === 0 && end === words.length && !also)
    return whole && whole.day !== null ? { ...whole, day: whole.day } : undefined
  }
  // Words name days from today on. A day that is over has its year, or is one of this year.
  const past = () => {
    const over = /(?<!\d)\d{4}(?!\d)/.test(words) ? find('1970-01-01', '00:00') : undefined
    return over && words.includes(over.day.slice(0, 4)) ? over : undefined
  }
  const whole = isDateOfYear.test(words)
    ? find(`${here.day.slice(0, 4)}-01-01`, '00:00')
    : (find(here.day, here.time) ?? past())
  if (!whole) return undefined
  const isFromDone = /^ev(?:ery)?!/i.test(text.trim())
  return {
    ...{ day: whole.day, time: whole.time ?? null },
    ...(whole.repeat !== undefined && {
      repeat: whole.repeat,
      repeatFrom: isFromDone ? 'done' : (whole.repeatFrom ?? 'due'),
    }),
  }
}

/** Returns what a text of a table says about a day: in ISO 8601, in numbers or in words. Notion writes `@` before mentioned days. */
export function dayInTable(text: string, now: Date, zone: string, isDayFirst: boolean): Said | undefined {
  const said = text.trim().replace(/^@/, '')
  return wallClockIn(said, zone) ?? numberedDay(said, isDayFirst) ?? dayInWords(said, now, zone)
}

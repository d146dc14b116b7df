import { daysAfter } from '#contract/days.ts'
import { dueDates } from '#contract/limits.ts'
import { dayOfDate, monthsAfter } from '#contract/words/calendar-days.ts'
import type { DateWords, Now } from '#contract/words/task-text.ts'

/** `day`: null for “no date”. */
type TypedDay = { day: string | null; time?: string }

/** What a whole line would have before these words: "weekend" is read as "this weekend", "3 days" as "in 3 days". */
const leads = ['', 'this ', 'in ', 'am ', 'ce ', 'dans ']

/**
 * Undefined if the text says anything but a day and a time. A number alone is a day of the month. A time alone is on the day
 * `due` if that is after today, otherwise when the clock shows it next.
 */
export function typedDay(
  text: string,
  { now, due, findDates }: { now: Now; due: string | null; findDates: DateWords | undefined },
): TypedDay | undefined {
  const words = text.trim()
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(words)
  if (iso) {
    const day = dayOfDate(Number(iso[1]), Number(iso[2]), Number(iso[3]))
    return day && day >= dueDates.min && day <= dueDates.max ? { day } : undefined
  }
  const [, date] = /^(?:(?:on )?the |am |le )?(\d{1,2})(?:st|nd|rd|th|\.)?$/i.exec(words) ?? []
  if (date !== undefined) return comingDate(Number(date), now.today)

  function whole(line: string): TypedDay | undefined {
    const [found, ...others] = findDates?.(line, now).days ?? []
    if (!found || others.length > 0 || found.repeat !== undefined) return
    const places = [found, ...(found.also ?? [])]
    const rest = places
      .sort((one, other) => other.start - one.start)
      .reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), line)
    if (/[^\s,]/.test(rest)) return
    return { day: found.day, ...(found.time && { time: found.time }) }
  }
  const isOnAnyDay = [1, 2].every((days) => whole(`${words} ${daysAfter(now.today, days)}`)?.time)
  if (isOnAnyDay && due !== null && due > now.today) return whole(`${words} ${due}`)
  for (const lead of leads) {
    const read = whole(lead + words)
    if (read) return read
  }
}

function comingDate(date: number, today: string): TypedDay | undefined {
  const first = `${today.slice(0, 8)}01`
  // A month that lacks the day is never followed by another one that does.
  const months = [0, 1, 2].map((count) => monthsAfter(first, count))
  const day = months
    .map((month) => dayOfDate(Number(month.slice(0, 4)), Number(month.slice(5, 7)), date))
    .find((day) => day !== undefined && day >= today)
  return day === undefined ? undefined : { day }
}

import { dueDates } from '#contract/limits.ts'
import { dateOrLastOf, formatRule, parseRule, type RepeatRule } from '#contract/repeat-rules.ts'
import type { Repeat } from '#contract/repeats.ts'

// Programs read a rule differently if its BYSETPOS chooses among dates: ical.js, on which Thunderbird is built, ignores it.

type RuleOfDays = { name: string; day: string; rule: string }

const february = 2
const longestMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * Returns rules without BYSETPOS among dates, each with its first day, that together have the days of a repeat whose day is on its grid.
 * 'The 31st, or the last day of a shorter month' is the last day. 'The 30th, or the last day of February' is one rule for February,
 * which has a name, and one for the other months. All other repeats are returned with their own rule.
 */
export function calendarRules(repeat: Repeat): RuleOfDays[] {
  const { repeat: own, dueDate: day } = repeat
  if (own === null || day === null) return []
  const rule = parseRule(own)
  const date = rule && lastDateOf(rule)
  if (!rule || !date) return [{ name: '', day, rule: own }]
  const months = rule.byMonth.length > 0 ? rule.byMonth : longestMonths.map((_, index) => index + 1)
  const { bySetPos: _, ...plain } = rule
  if (months.every((month) => Number(longestMonths[month - 1]) <= date))
    return [{ name: '', day, rule: formatRule({ ...plain, byMonthDay: [-1] }) }]
  // Each rule would count only its own days.
  const { count, ...endless } = plain
  const step = rule.freq === 'YEARLY' ? 12 * rule.interval : rule.interval
  const dayIn = (isOf: (month: number) => boolean, nth = 1) => nthDay({ day, date, step, isOf, nth })
  const last = count === undefined ? undefined : dayIn((month) => months.includes(month), count)
  const until = last ?? rule.until
  const end = until === undefined ? {} : { until }
  const ruleOf = (name: string, isOf: (month: number) => boolean, dates: Partial<RepeatRule>) => {
    const first = dayIn((month) => months.includes(month) && isOf(month))
    if (first === undefined || first > (until ?? dueDates.max)) return []
    return [{ name, day: first, rule: formatRule({ ...endless, ...end, ...dates }) }]
  }
  // No February has a 30th. ical.js ignores the INTERVAL of a monthly rule with BYMONTH, so only months that the steps reach are named.
  const byMonth = date === 30 ? rule.byMonth : months
  return [
    ...ruleOf('', (month) => month !== february, {
      byMonth: byMonth.filter((month) => month !== february && dayIn((each) => each === month) !== undefined),
      byMonthDay: [date],
    }),
    ...ruleOf('-february', (month) => month === february, {
      ...{ freq: 'YEARLY', interval: yearsOf(rule.interval) },
      ...{ byMonth: [february], byMonthDay: [-1] },
    }),
  ]
}

type Wanted = { day: string; date: number; step: number; isOf: (month: number) => boolean; nth: number }

/** The nth day, from `day` on and in steps of so many months, that is this date of such a month or its last day. */
function nthDay({ day, date, step, isOf, nth }: Wanted): string | undefined {
  const [year = 0, month = 1] = day.split('-').map(Number)
  const [from, to] = [year * 12 + month - 1, (Number(dueDates.max.slice(0, 4)) + 1) * 12]
  for (let at = from, left = nth; at < to; at += step) {
    if (!isOf((at % 12) + 1) || --left > 0) continue
    const last = new Date(Date.UTC(Math.floor(at / 12), (at % 12) + 1, 0))
    last.setUTCDate(Math.min(date, last.getUTCDate()))
    return last.toISOString().slice(0, 10)
  }
  return undefined
}

/** The years after which steps of so many months reach the same month again. */
function yearsOf(months: number): number {
  let years = 1
  while ((12 * years) % months > 0) years++
  return years
}

/** The date of a monthly rule, or a rule of one month, that means a date or the last day of a shorter month: `BYMONTHDAY=28,29,30;BYSETPOS=-1`. */
function lastDateOf(rule: RepeatRule): number | undefined {
  const isOfMonth = rule.freq === 'MONTHLY' || (rule.freq === 'YEARLY' && rule.byMonth.length === 1)
  return isOfMonth && rule.byDay.length === 0 ? dateOrLastOf(rule) : undefined
}

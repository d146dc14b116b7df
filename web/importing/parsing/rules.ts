import { dueDates } from '#contract/limits.ts'
import { formatRule, parseRule } from '#contract/repeat-rules.ts'
import { firstRepeatDay } from '#contract/repeats.ts'
import { wallClockIn } from './days.ts'

/**
 * Returns the rule that Daymark stores for one of another program, or undefined if it is outside the subset or never occurs. UNTIL
 * is an instant in other programs if the start has a time.
 */
export function storedRule(text: string, dueDate: string, zone: string): string | undefined {
  const parts = text
    .trim()
    .replace(/^RRULE:/i, '')
    .toUpperCase()
    .split(';')
    .flatMap((part) => {
      const [name = '', value = ''] = part.split('=')
      if (part === '') return []
      if (name !== 'UNTIL') return [part]
      const until = wallClockIn(value, zone)?.day ?? value
      return [`UNTIL=${(until > dueDates.max ? dueDates.max : until).replaceAll('-', '')}`]
    })
  const rule = parseRule(parts.join(';'))
  if (!rule) return undefined
  const stored = formatRule(rule)
  return firstRepeatDay(stored, dueDate) === undefined ? undefined : stored
}

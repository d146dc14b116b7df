import { isDay, timeOfDay } from './fields.ts'
import { dueDates } from './limits.ts'
import { parseReminders } from './reminder-times.ts'
import { parseRule } from './repeat-rules.ts'

/** Text that each database can store. */
export const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

export const fieldFormats = {
  text: isText,
  day: (text) => isDay(text) && text >= dueDates.min && text <= dueDates.max,
  time: (text) => timeOfDay.test(text),
  repeat: (text) => parseRule(text) !== undefined,
  reminders: (text) => parseReminders(text) !== undefined,
  uuid: isUuid,
} satisfies Record<string, (text: string) => boolean>

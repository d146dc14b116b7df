const duration =
  /^([+-])?P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/i

/** Returns the minutes of a duration of iCalendar such as `-PT30M`, or undefined if the text is none. */
export function minutesIn(text: string): number | undefined {
  const [whole, sign, ...parts] = duration.exec(text.trim()) ?? []
  if (whole === undefined || parts.every((part) => part === undefined)) return undefined
  const [week, day, hour, minute] = parts.map((part) => Number(part ?? 0)) as [number, number, number, number]
  const length = ((week * 7 + day) * 24 + hour) * 60 + minute
  return sign === '-' ? -length : length
}

/**
 * Returns the reminder of `reminder-times.ts` for a duration before or after a day or a time, such as `-PT30M`, or the text as it is.
 * Without a time, it counts from midnight. `from`: so many minutes after the due day or time, what the duration counts from.
 */
export function reminderOf(trigger: string, hasTime: boolean, from = 0): string {
  const minutes = minutesIn(trigger.replace(/^\s*TRIGGER:/i, ''))
  if (minutes === undefined) return trigger
  const after = from + minutes
  return hasTime && after > 0 ? trigger : reminderAt(after, hasTime)
}

/** The reminder so many minutes after the due time, or after the midnight of the due day. */
export function reminderAt(after: number, hasTime: boolean): string {
  if (hasTime) return `${-after || 0}m`
  const days = Math.ceil(-after / 1440) || 0
  const rest = after + days * 1440
  const [hour, minute] = [Math.floor(rest / 60), rest % 60].map((part) => String(part).padStart(2, '0'))
  return `${days}d${hour}:${minute}`
}

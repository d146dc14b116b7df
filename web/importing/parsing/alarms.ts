/**
 * Returns the reminder of `reminder-times.ts` for a duration before or after a day or a time, such as `-PT30M`, or the text as it is.
 * Without a time, it counts from midnight.
 */
export function reminderOf(trigger: string, hasTime: boolean): string {
  const text = trigger.trim().replace(/^TRIGGER:/i, '')
  const [, sign, weeks, days, hours, minutes] =
    /^([+-])?P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:\d{1,6}S)?)?$/i.exec(text) ??
    []
  if (!/^[+-]?P/i.test(text) || [weeks, days, hours, minutes].every((each) => each === undefined))
    return /^[+-]?PT?0+S$/i.test(text) ? reminderAt(0, hasTime) : trigger
  const [week, day, hour, minute] = [weeks, days, hours, minutes].map((each) => Number(each ?? 0)) as [
    ...[number, number, number, number],
  ]
  const length = ((week * 7 + day) * 24 + hour) * 60 + minute
  const after = sign === '-' ? -length : length
  return hasTime && after > 0 ? trigger : reminderAt(after, hasTime)
}

function reminderAt(after: number, hasTime: boolean) {
  if (hasTime) return `${-after || 0}m`
  const days = Math.ceil(-after / 1440) || 0
  const rest = after + days * 1440
  const [hour, minute] = [Math.floor(rest / 60), rest % 60].map((part) => String(part).padStart(2, '0'))
  return `${days}d${hour}:${minute}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the day and the time of an instant in a time zone. */
export function wallClockOf(instant: number, zone: string): { day: string; time: string } {
  let format = formats.get(zone)
  if (!format) {
    const options = {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    } as const
    // Swedish writes 2026-11-21 09:30.
    format = new Intl.DateTimeFormat('sv-SE', { ...options, timeZone: zone, hourCycle: 'h23' })
    formats.set(zone, format)
  }
  const [day = '', time = ''] = format.format(instant).split(' ')
  return { day: day.padStart(10, '0'), time }
}

export function isZone(zone: string): boolean {
  try {
    return zone !== '' && wallClockOf(0, zone) !== undefined
  } catch {
    return false
  }
}

/** Returns the instant of a wall clock in a time zone. In a gap of the clock it is later, in an overlap the first. */
export function instantOf(day: string, time: string, zone: string): number {
  const asUtc = Date.parse(`${day}T${time}Z`)
  const offsetAt = (instant: number) => {
    const there = wallClockOf(instant, zone)
    return Date.parse(`${there.day}T${there.time}Z`) - Math.floor(instant / 60_000) * 60_000
  }
  const before = asUtc - offsetAt(asUtc - 86_400_000)
  const isRight = wallClockOf(before, zone).time === time.slice(0, 5)
  const after = asUtc - offsetAt(asUtc + 86_400_000)
  return isRight || wallClockOf(after, zone).time !== time.slice(0, 5) ? before : after
}

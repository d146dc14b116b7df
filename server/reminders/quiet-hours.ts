import type { Settings } from '#contract/settings.ts'

/** Returns the end of the quiet hours that contain an instant, in milliseconds, or undefined. They may contain midnight. */
export function quietUntil(
  { zone, quietFrom, quietUntil }: Pick<Settings, 'zone' | 'quietFrom' | 'quietUntil'>,
  now: number,
): number | undefined {
  if (zone === null || quietFrom === null || quietUntil === null || quietFrom === quietUntil) return undefined
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone)
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' })
  const isOverMidnight = quietFrom > quietUntil
  const isQuiet = isOverMidnight
    ? time >= quietFrom || time < quietUntil
    : time >= quietFrom && time < quietUntil
  if (!isQuiet) return undefined
  const day = local.toPlainDate().add({ days: isOverMidnight && time >= quietFrom ? 1 : 0 })
  const end = day.toZonedDateTime({ timeZone: zone, plainTime: quietUntil }).epochMilliseconds
  // In the hour that a clock change repeats, the end may be over already.
  return end > now ? end : undefined
}

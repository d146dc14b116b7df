import { LRUCache } from 'lru-cache'

/** Whether this is an IANA time zone name. Offsets are rejected, because they have no daylight saving time. */
export function isTimeZone(name: string): boolean {
  return days.has(name) || (!/^[+-]/.test(name) && findToday(name) !== undefined)
}

const serverZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Caches each zone's current day and the time (ms) at which it ends. */
const days = new LRUCache<string, { day: string; ends: number }>({ max: 1000 })

/** Returns the current civil day `YYYY-MM-DD` in the zone; the default is the server's zone. */
export function todayIn(zone: string = serverZone): string {
  const known = days.get(zone)
  if (known && Date.now() < known.ends) return known.day
  const today = findToday(zone)
  if (!today) throw new RangeError(`not a time zone: ${zone}`)
  days.set(zone, today)
  return today.day
}

function findToday(zone: string) {
  try {
    const now = Temporal.Now.zonedDateTimeISO(zone)
    // Temporal also accepts a full date and time with a zone.
    if (now.timeZoneId.toLowerCase() !== zone.toLowerCase()) return undefined
    const ends = now.startOfDay().add({ days: 1 }).epochMilliseconds
    return { day: now.toPlainDate().toString(), ends }
  } catch {
    return undefined
  }
}

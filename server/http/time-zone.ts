import { LRUCache } from 'lru-cache'

/** Whether this is a zone's name (IANA), not an offset: an offset knows no summer time. */
export function isTimeZone(name: string): boolean {
  return days.has(name) || (!/^[+-]/.test(name) && findToday(name) !== undefined)
}

const serverZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Each zone's day and the instant (ms) at which it ends, so that asking again costs a look-up. */
const days = new LRUCache<string, { day: string; ends: number }>({ max: 1000 })

/** The civil day `YYYY-MM-DD` that it is now in the zone; without one, in the server's own. */
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
    // Temporal would also read the zone out of a whole date and time.
    if (now.timeZoneId.toLowerCase() !== zone.toLowerCase()) return undefined
    const ends = now.startOfDay().add({ days: 1 }).epochMilliseconds
    return { day: now.toPlainDate().toString(), ends }
  } catch {
    return undefined
  }
}

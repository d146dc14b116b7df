/**
 * The time zone of the tests: one in which it is about noon now,
 * so that no run crosses midnight between two of its steps.
 */
export const noonZone = zoneAt(12 - new Date().getUTCHours())

/** The civil day `offset` days from today, in that zone or another. */
export function day(offset: number, zone = noonZone): string {
  return Temporal.Now.plainDateISO(zone).add({ days: offset }).toString()
}

/** POSIX counts west of Greenwich as positive. The driver of Firefox rejects the zone `Etc/GMT+0`. */
function zoneAt(hoursEast: number): string {
  if (hoursEast === 0) return 'UTC'
  return `Etc/GMT${hoursEast > 0 ? '-' : '+'}${Math.abs(hoursEast)}`
}

export const nextMonday = (): string =>
  [1, 2, 3, 4, 5, 6, 7]
    .map((days) => day(days))
    .find((each) => new Date(`${each}T00:00Z`).getUTCDay() === 1) ?? ''

/**
 * The zone the tests live in: wherever it is about noon right now,
 * so that no run crosses midnight between two of its steps.
 */
export const noonZone = zoneAt(12 - new Date().getUTCHours())

/** The civil day so many days from today, there or in another zone. */
export function day(offset: number, zone = noonZone): string {
  return Temporal.Now.plainDateISO(zone).add({ days: offset }).toString()
}

/** POSIX counts west of Greenwich as positive. */
function zoneAt(hoursEast: number): string {
  return `Etc/GMT${hoursEast > 0 ? '-' : '+'}${Math.abs(hoursEast)}`
}

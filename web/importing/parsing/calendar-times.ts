import { laterDays } from '#contract/repeats.ts'
import { wallClockOf } from '#contract/zone-clock.ts'
import { type Component, type Property, propertiesOf } from './calendar-components.ts'
import { instantIn, type WallClock, wallClockIn } from './days.ts'
import { zoneNamed } from './zone-names.ts'

export type CalendarTimes = ReturnType<typeof timesOf>

/** Reads the times of a calendar in its zones: those that this program knows, and those that the file describes (VTIMEZONE). */
export function timesOf(calendar: Component, here: string) {
  const described = new Map(
    calendar.components
      .filter(({ name }) => name === 'VTIMEZONE')
      .map((zone) => [propertiesOf(zone, 'TZID')[0]?.value.trim() ?? '', offsetsOf(zone)]),
  )
  const known = new Map<string, string | undefined>()
  const zoneOf = (name: string) => {
    if (!known.has(name)) known.set(name, zoneNamed(name))
    return known.get(name)
  }
  const nameOf = ({ params, value }: Property) =>
    /T.*Z$/i.test(value) ? '' : (params.get('TZID') ?? '').trim()

  function instant(property: Property | undefined): number | undefined {
    if (!property) return undefined
    const name = nameOf(property)
    const zone = zoneOf(name)
    if (zone !== undefined) return instantIn(property.value, zone)
    const said = described.has(name) ? wallClockIn(property.value, 'UTC') : undefined
    const offset = said && described.get(name)?.(said)
    return offset === undefined
      ? instantIn(property.value, here)
      : Number(instantIn(property.value, 'UTC')) - offset * 60_000
  }

  return {
    instant,
    /** A time of a zone is converted. One without, or of a zone that is not known, stays as it is on the clock. */
    clock(property: Property): WallClock | undefined {
      const said = wallClockIn(property.value, here)
      if (!said || said.time === null || nameOf(property) === '') return said
      const there = instant(property)
      return there === undefined ? said : wallClockOf(there, here)
    },
    /** The name of the zone of a time, if nothing says what it is. */
    unknownZone(property: Property): string | undefined {
      const name = nameOf(property)
      const said = wallClockIn(property.value, 'UTC')
      const isKnown =
        name === '' || !said?.time || zoneOf(name) !== undefined || described.get(name)?.(said) !== undefined
      return isKnown ? undefined : name
    },
  }
}

type Onset = { at: string; offset: number }

/** More are in no zone. */
const mostOnsets = 500
const mostRules = 20

/** The minutes of an offset such as `+0130`. */
function offsetIn(text: string): number {
  const [, sign, hours, minutes] = /^\s*([+-])(\d{2})(\d{2})/.exec(text) ?? []
  const offset = Number(hours) * 60 + Number(minutes)
  return sign === '-' ? -offset : offset
}

/** Returns the function that says how many minutes the clock of a described zone is ahead of UTC, or undefined if that is not clear. */
function offsetsOf(zone: Component): (wall: WallClock) => number | undefined {
  const rules: { repeat: string; start: string; offset: number }[] = []
  const fixed: Onset[] = []
  let before = Number.NaN
  for (const part of zone.components) {
    const text = (name: string) => propertiesOf(part, name)[0]?.value ?? ''
    const start = wallClockIn(text('DTSTART'), 'UTC')
    const offset = offsetIn(text('TZOFFSETTO'))
    if (!start?.time || Number.isNaN(offset)) return () => undefined
    const days = [
      start,
      ...propertiesOf(part, 'RDATE').flatMap(({ value }) =>
        value.split(',', mostOnsets).map((day) => wallClockIn(day, 'UTC') ?? []),
      ),
    ].flat()
    for (const { day, time } of days) fixed.push({ at: `${day}T${time ?? '00:00'}`, offset })
    if (Number.isNaN(before)) before = offsetIn(text('TZOFFSETFROM'))
    const repeat = text('RRULE')
      .toUpperCase()
      .replace(/(UNTIL=\d{8})[^;]*/, '$1')
    if (repeat !== '') rules.push({ repeat, start: `${start.day}T${start.time}`, offset })
    if (fixed.length > mostOnsets || rules.length > mostRules) return () => undefined
  }
  const byYear = new Map<string, Onset[]>()
  /** The onsets up to the end of a year. Rules need the last two years alone. */
  function onsetsIn(year: string): Onset[] {
    const known = byYear.get(year)
    if (known) return known
    const early = `${String(Number(year) - 2).padStart(4, '0')}-`
    const repeated = rules.flatMap(({ repeat, start, offset }) => {
      const first = start < early ? `${early}${start.slice(5, 10)}` : start.slice(0, 10)
      const series = { dueDate: first, repeatDay: first, repeat, repeatFrom: 'due' } as const
      return laterDays(series, first, `${year}-12-31`).map((day) => ({
        at: `${day}${start.slice(10)}`,
        offset,
      }))
    })
    const onsets = [...fixed, ...repeated].sort(
      (one, other) => Number(one.at > other.at) - Number(one.at < other.at),
    )
    byYear.set(year, onsets)
    return onsets
  }
  return ({ day, time }) => {
    const offset =
      onsetsIn(day.slice(0, 4)).findLast(({ at }) => at <= `${day}T${time ?? '00:00'}`)?.offset ?? before
    return Number.isNaN(offset) ? undefined : offset
  }
}

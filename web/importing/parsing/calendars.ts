import { laterDays } from '#contract/repeats.ts'
import { wallClockOf } from '#contract/zone-clock.ts'
import type { WallClock } from '../../engine/imported.ts'
import { instantIn, wallClockIn, zoneNamed } from './days.ts'
import { linesOf } from './decoded-text.ts'
import { sortedBy } from './json-and-tables.ts'
import { importLimits, Refusal } from './remarks.ts'

export type Property = { name: string; params: Map<string, string>; value: string; row: number }
/** `unread`: a line of it that is none of a calendar. */
export type Component = {
  name: string
  row: number
  properties: Property[]
  components: Component[]
  unread?: { row: number; line: string }
}

/** A calendar has several lines for each component. */
const mostLines = 20 * importLimits.rows

/** Reads the components of iCalendar (RFC 5545): lines that are folded, properties with parameters. Values stay escaped. */
export function componentsOf(text: string, file: string): Component[] {
  const root: Component = { name: '', row: 1, properties: [], components: [] }
  const open = [root]
  for (const { line, row } of unfoldedLines(text, file)) {
    const property = propertyIn(line, row)
    const inner = open.at(-1) as Component
    if (!property) {
      // A calendar loses the item alone that has the line.
      const item = open[2] ?? inner
      item.unread ??= { row, line }
      continue
    }
    const { name, value } = property
    if (name === 'BEGIN') {
      if (open.length > importLimits.depth) throw new Refusal('too-deep', { file, row }, importLimits.depth)
      const component = { name: value.trim().toUpperCase(), row, properties: [], components: [] }
      inner.components.push(component)
      open.push(component)
    } else if (name === 'END') {
      if (open.length === 1 || inner.name !== value.trim().toUpperCase())
        throw new Refusal('component-not-closed', { file, row: inner.row }, shown(inner.name || value))
      open.pop()
    } else inner.properties.push(property)
  }
  const last = open.at(-1) as Component
  if (last !== root) throw new Refusal('component-not-closed', { file, row: last.row }, shown(last.name))
  return root.components
}

const shown = (name: string) => name.slice(0, 50)

function* unfoldedLines(text: string, file: string): Generator<{ line: string; row: number }> {
  let [line, first] = ['', 1]
  for (const { line: raw, row } of linesOf(text)) {
    if (row > mostLines) throw new Refusal('too-many-rows', { file, row }, mostLines)
    if (/^[ \t]/.test(raw)) line += raw.slice(1)
    else {
      if (line.trim() !== '') yield { line, row: first }
      ;[line, first] = [raw, row]
    }
  }
  if (line.trim() !== '') yield { line, row: first }
}

const nameAtStart = /^[\w-]{1,100}/
const paramAt = /;([\w-]{1,100})=("[^"]*"|[^",;:]*)((?:,(?:"[^"]*"|[^",;:]*))*)/y

function propertyIn(line: string, row: number): Property | undefined {
  const [name] = nameAtStart.exec(line) ?? []
  if (name === undefined) return undefined
  const params = new Map<string, string>()
  let at = name.length
  while (line[at] === ';') {
    paramAt.lastIndex = at
    const [whole, key = '', value = '', more = ''] = paramAt.exec(line) ?? []
    if (whole === undefined) return undefined
    params.set(key.toUpperCase(), (value + more).replaceAll('"', ''))
    at += whole.length
  }
  return line[at] === ':' ? { name: name.toUpperCase(), params, value: line.slice(at + 1), row } : undefined
}

export const propertiesOf = ({ properties }: Component, name: string): Property[] =>
  properties.filter((property) => property.name === name)

export const unescaped = (value: string): string =>
  value.replace(/\\([\\;,nN])/g, (_, character: string) =>
    character.toLowerCase() === 'n' ? '\n' : character,
  )

export const listOf = (value: string): string[] =>
  (value.match(/(?:\\.|[^,\\])+/g) ?? []).map((each) => unescaped(each).trim())

export type CalendarTimes = ReturnType<typeof timesOf>

/** Reads the times of a calendar in its zones: those that this program knows, and those that the file describes (VTIMEZONE). */
export function timesOf(calendar: Component, here: string) {
  const described = new Map(
    calendar.components
      .filter(({ name }) => name === 'VTIMEZONE')
      .map((zone) => [propertiesOf(zone, 'TZID')[0]?.value.trim() ?? '', offsetsOf(zone)]),
  )
  const known = new Map<string, string | undefined>()
  const nameOf = ({ params, value }: Property) =>
    /T.*Z$/i.test(value) ? '' : (params.get('TZID') ?? '').trim()

  /** The instant of a time whose zone is known or described. */
  function instantThere(property: Property): number | undefined {
    const name = nameOf(property)
    if (!known.has(name)) known.set(name, zoneNamed(name))
    const zone = known.get(name)
    if (zone !== undefined) return instantIn(property.value, zone)
    const said = wallClockIn(property.value, 'UTC')
    const offset = said && described.get(name)?.(said)
    return offset === undefined ? undefined : Number(instantIn(property.value, 'UTC')) - offset * 60_000
  }
  const instant = (property: Property | undefined) =>
    property && (instantThere(property) ?? instantIn(property.value, here))

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
      const hasTime = Boolean(wallClockIn(property.value, 'UTC')?.time)
      return hasTime && instantThere(property) === undefined ? nameOf(property) || undefined : undefined
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
    const onsets = sortedBy([...fixed, ...repeated], ({ at }) => at)
    byYear.set(year, onsets)
    return onsets
  }
  return ({ day, time }) => {
    const offset =
      onsetsIn(day.slice(0, 4)).findLast(({ at }) => at <= `${day}T${time ?? '00:00'}`)?.offset ?? before
    return Number.isNaN(offset) ? undefined : offset
  }
}

import type { Priority } from '#contract/task-fields.ts'
import { isZone, wallClockOf } from '#contract/zone-clock.ts'
import { minutesIn, reminderOf } from '../parsing/alarms.ts'
import type { ImportBuilder } from '../parsing/build-import.ts'
import {
  type Component,
  componentsOf,
  listOf,
  type Property,
  unescaped,
} from '../parsing/calendar-components.ts'
import {
  instantIn,
  minutesFrom,
  minutesLater,
  storedInstant,
  type WallClock,
  wallClockIn,
} from '../parsing/days.ts'
import type { Reader } from './reader.ts'

/** The tasks (VTODO) and journals of a calendar: Tasks.org, Nextcloud, Thunderbird, Apple Reminders. */
export const icalendar: Reader = {
  label: 'Calendar (ICS)',
  finds: (files) => files.filter(({ beginning = '' }) => /^\s*BEGIN:VCALENDAR/i.test(beginning)),
  async read(files, build) {
    for (const { path, ...file } of files)
      for (const calendar of componentsOf(await file.text(), path)) {
        const name = textOf(calendar, 'X-WR-CALNAME') || textOf(calendar, 'NAME')
        if (calendar.unread) leaveOut(calendar, calendar.unread.line, path, build)
        for (const component of calendar.components) addComponent(component, name, path, build)
      }
  },
}

const find = ({ properties }: Component, name: string) =>
  properties.find((property) => property.name === name)
const all = ({ properties }: Component, name: string) =>
  properties.filter((property) => property.name === name)
const textOf = (component: Component, name: string) => unescaped(find(component, name)?.value ?? '').trim()

/** Leaves out what has a line that is none of a calendar. */
function leaveOut(component: Component, text: string, file: string, build: ImportBuilder) {
  const place = { file, row: component.unread?.row ?? component.row }
  const { remarks } = build.row({ file, row: component.row }, text)
  remarks.push({ code: 'not-a-property', params: {}, place })
}

/** What else a task may have, as lines of its body. */
const otherTexts: [string, string][] = [
  ['URL', 'URL'],
  ['LOCATION', 'Location'],
  ['EXDATE', 'Except'],
]

function addComponent(component: Component, list: string, file: string, build: ImportBuilder) {
  const { zone } = build.options
  // Time zones are needed by other programs alone: their names are known.
  if (component.name === 'VTIMEZONE') return
  const title = textOf(component, 'SUMMARY')
  if (component.unread) {
    leaveOut(component, title || component.name, file, build)
    return
  }
  const at = build.row({ file, row: component.row }, title || component.name)
  const body = textOf(component, 'DESCRIPTION')
  const instant = (name: string) => storedInstant(instantOfProperty(find(component, name), zone))
  const createdAt = instant('CREATED') ?? instant('DTSTAMP')
  const [uid, occurrence] = [textOf(component, 'UID'), textOf(component, 'RECURRENCE-ID')]
  const common = {
    ...{ row: at, key: uid === '' ? undefined : `${uid} ${occurrence}`.trim(), title, list, createdAt },
    raw: component.properties.map(({ value }) => value).join('\n'),
    tags: all(component, 'CATEGORIES').flatMap(({ value }) => listOf(value)),
  }
  if (component.name === 'VJOURNAL') {
    build.addNote({ ...common, text: body, changedAt: instant('LAST-MODIFIED') })
    return
  }
  if (component.name !== 'VTODO') {
    build.remark(at, 'row-left-out', { reason: 'no task' })
    return
  }
  const filled = (name: string) => all(component, name).filter(({ value }) => value.trim() !== '')
  const texts = (name: string) => filled(name).map(({ value }) => unescaped(value).trim())
  const begin = find(component, 'DTSTART')
  const start = begin && wallClockOfProperty(begin, zone)
  const due = find(component, 'DUE') ?? begin
  const length = find(component, 'DUE') ? undefined : minutesIn(textOf(component, 'DURATION'))
  const day =
    start && length !== undefined ? minutesLater(start, length) : due && wallClockOfProperty(due, zone)
  const status = textOf(component, 'STATUS').toUpperCase()
  const percent = textOf(component, 'PERCENT-COMPLETE')
  const isDone = status === 'COMPLETED' || status === 'CANCELLED' || percent === '100'
  if (!['', '0', '100'].includes(percent)) build.leaveOut(at, 'PERCENT-COMPLETE', percent.slice(0, 100))
  const doneAt = instant('COMPLETED')
  if (status === 'CANCELLED') build.remark(at, 'wont-do', {})
  const parent = all(component, 'RELATED-TO').find(
    ({ params }) => (params.get('RELTYPE') ?? 'PARENT').toUpperCase() === 'PARENT',
  )
  build.addTask({
    ...common,
    body,
    parent: parent && (unescaped(parent.value).trim() || undefined),
    lines: [
      ...(start && day && start.day !== day.day ? [`Start: ${start.day}`] : []),
      ...otherTexts.flatMap(([name, label]) => texts(name).map((text) => `${label}: ${text}`)),
    ],
    comments: texts('COMMENT').map((text) => ({ heading: '', text })),
    attachments: filled('ATTACH').map(
      ({ params, value }) => params.get('FILENAME') ?? nameOfAttachment(value),
    ),
    dueDate: day?.day ?? null,
    dueTime: day?.time ?? null,
    dueText: due && !day ? due.value : undefined,
    repeat: find(component, 'RRULE')?.value,
    reminders: component.components
      .filter((alarm) => alarm.name === 'VALARM' && textOf(alarm, 'ACTION').toUpperCase() !== 'NONE')
      .flatMap((alarm) => alarmOf(find(alarm, 'TRIGGER'), { start: start ?? day, day }, zone)),
    priority: priorityOf(Number(textOf(component, 'PRIORITY'))),
    isDone: isDone || doneAt !== null,
    doneAt,
  })
}

/** 1 is the highest of nine, 0 is none. */
const priorityOf = (number: number): Priority =>
  number >= 1 && number <= 4 ? 'high' : number >= 6 && number <= 9 ? 'low' : 'medium'

/** An attachment may be its own content, in base64. */
const nameOfAttachment = (value: string) => (/^[a-z][a-z\d+.-]*:\S{1,300}$/i.test(value) ? value : 'file')

/** A zone may have a prefix of the program that wrote it: `/freeassociation.sourceforge.net/Europe/Berlin`. */
function zoneOf({ params }: Property): string | undefined {
  const name = params.get('TZID') ?? ''
  const parts = name.split('/')
  return [name, ...[3, 2].map((count) => parts.slice(-count).join('/'))].find(isZone)
}

const instantOfProperty = (property: Property | undefined, here: string): number | undefined =>
  property && instantIn(property.value, zoneOf(property) ?? here)

/** A time of a zone is converted. One without, or of a zone that is not known, stays as it is on the clock. */
function wallClockOfProperty(property: Property, here: string): WallClock | undefined {
  const said = wallClockIn(property.value, here)
  const zone = zoneOf(property)
  if (!said || said.time === null || /Z$/i.test(property.value.trim()) || zone === undefined) return said
  const instant = instantIn(property.value, zone)
  return instant === undefined ? said : wallClockOf(instant, here)
}

/** What an alarm counts from: its start, unless it says that it counts from its end. */
type Span = { start: WallClock | undefined; day: WallClock | undefined }

function alarmOf(trigger: Property | undefined, { start, day }: Span, zone: string): string[] {
  if (!trigger) return []
  const there = /^\d{8}T/.test(trigger.value) ? wallClockOfProperty(trigger, zone) : undefined
  if (there) return [`${there.day}T${there.time}`]
  const from = trigger.params.get('RELATED')?.toUpperCase() === 'END' ? day : start
  // Tasks.org has it in every task. A day without a time has no instant: the default reminder applies.
  if (from?.time == null && /^[+-]?PT?0[SMHD]$/i.test(trigger.value.trim())) return []
  return [reminderOf(trigger.value, day?.time != null, day && from && minutesFrom(day, from))]
}

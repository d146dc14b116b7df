import type { Priority } from '#contract/task-fields.ts'
import type { WallClock } from '../../engine/imported.ts'
import type { ImportBuilder } from '../parsing/build-import.ts'
import {
  type CalendarTimes,
  type Component,
  componentsOf,
  listOf,
  type Property,
  propertiesOf,
  timesOf,
  unescaped,
} from '../parsing/calendars.ts'
import {
  daysFrom,
  minutesFrom,
  minutesLater,
  remindersAt,
  storedInstant,
  wallClockIn,
} from '../parsing/days.ts'
import { beginningWith, eachText, type Reader } from '../parsing/entries.ts'
import { minutesIn, reminderOf } from '../parsing/task-values.ts'

/** The tasks (VTODO) and journals of a calendar: Tasks.org, Nextcloud, Thunderbird, Apple Reminders. */
export const icalendar: Reader = {
  label: 'Calendar (ICS)',
  finds: beginningWith(/^\s*BEGIN:VCALENDAR/i),
  read: eachText((text, path, build) => {
    for (const calendar of componentsOf(text, path)) {
      const name = textOf(calendar, 'X-WR-CALNAME') || textOf(calendar, 'NAME')
      if (calendar.unread) leaveOut(calendar, calendar.unread.line, path, build)
      const times = timesOf(calendar, build.options.zone)
      const context = { list: name, file: path, times, occurrences: occurrencesIn(calendar) }
      for (const component of calendar.components) addComponent(component, context, build)
    }
  }),
}

const find = (component: Component, name: string) => propertiesOf(component, name)[0]
const textOf = (component: Component, name: string) => unescaped(find(component, name)?.value ?? '').trim()

/** Leaves out what has a line that is none of a calendar. */
function leaveOut(component: Component, text: string, file: string, build: ImportBuilder) {
  const at = build.row({ file, row: component.row }, text)
  build.remark({ ...at, place: { file, row: component.unread?.row ?? component.row } }, 'not-a-property')
}

/** What else a task may have, as lines of its body. */
const otherTexts = Object.entries({ URL: 'URL', LOCATION: 'Location' })
const added = Object.entries({ EXDATE: 'Except', RDATE: 'Also', EXRULE: 'Except' })

/** The occurrences that have an item of their own, by the id of their series. */
const occurrencesIn = ({ components }: Component) =>
  Map.groupBy(
    components.filter((each) => !each.unread && textOf(each, 'UID') && find(each, 'RECURRENCE-ID')),
    (each) => textOf(each, 'UID'),
  )

type Context = {
  list: string
  file: string
  times: CalendarTimes
  occurrences: ReturnType<typeof occurrencesIn>
}

function addComponent(component: Component, context: Context, build: ImportBuilder) {
  const { list, file, times, occurrences } = context
  // Time zones are needed by other programs alone: their names are known.
  if (component.name === 'VTIMEZONE') return
  const title = textOf(component, 'SUMMARY')
  if (component.unread) return leaveOut(component, title || component.name, file, build)
  const at = build.row({ file, row: component.row }, title || component.name)
  const instant = (name: string) => storedInstant(times.instant(find(component, name)))
  const createdAt = instant('CREATED') ?? instant('DTSTAMP')
  const [uid, occurrence] = [textOf(component, 'UID'), textOf(component, 'RECURRENCE-ID')]
  const common = {
    ...{ row: at, key: uid && `${uid} ${occurrence}`.trim(), title, list, createdAt },
    body: textOf(component, 'DESCRIPTION'),
    raw: component.properties.map(({ value }) => value).join('\n'),
    tags: propertiesOf(component, 'CATEGORIES').flatMap(({ value }) => listOf(value)),
  }
  if (component.name === 'VJOURNAL')
    return build.add({ ...common, kind: 'note', changedAt: instant('LAST-MODIFIED') })
  if (component.name !== 'VTODO') return build.remark(at, 'no-item')
  const filled = (name: string) => propertiesOf(component, name).filter(({ value }) => value.trim() !== '')
  const texts = (name: string) => filled(name).map(({ value }) => unescaped(value).trim())
  const begin = find(component, 'DTSTART')
  const start = begin && times.clock(begin)
  const due = find(component, 'DUE') ?? begin
  const length = find(component, 'DUE') ? undefined : minutesIn(textOf(component, 'DURATION'))
  const day = start && length !== undefined ? minutesLater(start, length) : due && times.clock(due)
  const counted = begin ?? due
  const from = counted && times.clock(counted)
  const there = counted && wallClockIn(counted.value.trim().replace(/Z$/i, ''), 'UTC')
  for (const zone of new Set([begin, due].map((property) => property && times.unknownZone(property))))
    if (zone !== undefined) build.remark(at, 'unknown-zone', zone.slice(0, 100))
  /** The due days of the occurrences on these days. */
  const dueDays = (days: Property[]) =>
    days.flatMap((property) => {
      const there = times.clock(property)
      const moved =
        there && day && from && minutesLater({ ...there, time: null }, daysFrom(from.day, day.day) * 1440)
      return moved?.day ?? []
    })
  const status = textOf(component, 'STATUS').toUpperCase()
  const percent = textOf(component, 'PERCENT-COMPLETE')
  const isDone = status === 'COMPLETED' || status === 'CANCELLED' || percent === '100'
  if (!['', '0', '100'].includes(percent))
    build.remark(at, 'value-left-out', 'PERCENT-COMPLETE', percent.slice(0, 100))
  const doneAt = instant('COMPLETED')
  if (status === 'CANCELLED') build.remark(at, 'wont-do')
  const parent = propertiesOf(component, 'RELATED-TO').find(
    ({ params }) => (params.get('RELTYPE') ?? 'PARENT').toUpperCase() === 'PARENT',
  )
  // One series of an id has them: a file can repeat it many times.
  const own = occurrence === '' ? (occurrences.get(uid) ?? []) : []
  if (occurrence === '') occurrences.delete(uid)
  build.add({
    ...common,
    parent: parent && unescaped(parent.value).trim(),
    lines: [
      ...(start && day && start.day !== day.day ? [`Start: ${start.day}`] : []),
      ...otherTexts.flatMap(([name, label]) => texts(name).map((text) => `${label}: ${text}`)),
    ],
    comments: texts('COMMENT').map((text) => ({ heading: '', text })),
    attachments: filled('ATTACH').map(
      ({ params, value }) => params.get('FILENAME') ?? nameOfAttachment(value),
    ),
    due: day ?? due?.value,
    repeat: [
      ...filled('RRULE').map(({ value }, index) => (index === 0 ? value : `RRULE:${value}`)),
      ...added.flatMap(([name, label]) => filled(name).map(({ value }) => `${label}: ${value}`)),
    ].join('\n'),
    ruleStart: from && { day: there?.day ?? from.day, here: from },
    gone: dueDays(
      filled('EXDATE').flatMap((property) =>
        property.value.split(',').map((value) => ({ ...property, value })),
      ),
    ),
    own: dueDays(own.flatMap((each) => find(each, 'RECURRENCE-ID') ?? [])),
    reminders: component.components
      .filter((alarm) => alarm.name === 'VALARM' && textOf(alarm, 'ACTION').toUpperCase() !== 'NONE')
      .flatMap((alarm) => find(alarm, 'TRIGGER') ?? [])
      .flatMap((trigger) => alarmOf(trigger, { start: start ?? day, due: day }, times)),
    priority: priorityOf(Number(textOf(component, 'PRIORITY'))),
    done: doneAt ?? isDone,
  })
}

/** 1 is the highest of nine, 0 is none. */
const priorityOf = (number: number): Priority =>
  number >= 1 && number <= 4 ? 'high' : number >= 6 && number <= 9 ? 'low' : 'medium'

/** An attachment may be its own content, in base64. */
const nameOfAttachment = (value: string) => (/^[a-z][a-z\d+.-]*:\S{1,300}$/i.test(value) ? value : 'file')

type Span = { start: WallClock | undefined; due: WallClock | undefined }

/** An alarm counts from the start, unless it says that it counts from the end. */
function alarmOf(trigger: Property, { start, due }: Span, times: CalendarTimes): string[] {
  const there = /^\d{8}T/.test(trigger.value) ? times.clock(trigger) : undefined
  if (there) return remindersAt(there)
  const from = trigger.params.get('RELATED')?.toUpperCase() === 'END' ? due : start
  // Tasks.org has it in every task. A day without a time has no instant: the default reminder applies.
  if (from?.time == null && /^[+-]?PT?0[SMHD]$/i.test(trigger.value.trim())) return []
  return [reminderOf(trigger.value, due?.time != null, due && from && minutesFrom(due, from))]
}

import { type Repeat, skippedRepeat } from '#contract/repeats.ts'
import { inTurns } from '../fairness/turns.ts'
import { calendarRules } from './calendar-rules.ts'

// An iCalendar file (RFC 5545) of tasks. Its days and times are floating, as those of tasks are.

export type CalendarTask = Repeat & {
  id: string
  version: number
  title: string
  dueDate: string
  dueTime: string | null
  priority: 'high' | 'medium' | 'low'
  isDone: boolean
  /** When it was completed, or created. */
  at: number
}

type About = { name: string; description: string }

/** The accent of the page: the closest name of a colour for `COLOR` (RFC 7986), and its value for Apple's programs. */
const colors = { name: 'teal', value: '#0D5B76' }

const priorities = { high: 1, medium: 5, low: 9 }

/**
 * Returns the text of a calendar with an event for each task, the same text for the same tasks. The search for the next day of a repeat
 * can take milliseconds.
 */
export async function calendarOf(tasks: CalendarTask[], { name, description }: About): Promise<string> {
  const events = await inTurns(tasks, (task) => eventsOf(task).map(folded).join('\r\n'))
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Daymark//Daymark//EN',
    'CALSCALE:GREGORIAN',
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    `DESCRIPTION:${escaped(description)}`,
    `X-WR-CALDESC:${escaped(description)}`,
    `COLOR:${colors.name}`,
    `X-APPLE-CALENDAR-COLOR:${colors.value}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
  ]
  return [...lines.map(folded), ...events, 'END:VCALENDAR', ''].join('\r\n')
}

/**
 * The events of a task. A repeat whose day is on its grid is an event with its rule, for some rules two. If the day was moved, the rule
 * begins in a second event, at the next day of the grid. The later days of a repeat that counts from its completion are not known.
 */
function eventsOf(task: CalendarTask): string[] {
  const { id, dueDate, repeat, repeatDay } = task
  if (task.isDone || repeat === null || task.repeatFrom === 'done') return eventOf(task, { id, day: dueDate })
  const repeated = (from: Repeat, id: string) =>
    calendarRules(from).flatMap(({ name, day, rule }) => eventOf(task, { id: `${id}${name}`, day, rule }))
  if (dueDate === repeatDay) return repeated(task, id)
  const next = skippedRepeat(task)
  return [...eventOf(task, { id, day: dueDate }), ...(next ? repeated(next, `${id}-next`) : [])]
}

type Occurrence = { id: string; day: string; rule?: string }

function eventOf(task: CalendarTask, { id, day, rule }: Occurrence): string[] {
  const { title, dueTime, priority, version, isDone, at } = task
  return [
    'BEGIN:VEVENT',
    `UID:${id}`,
    `DTSTAMP:${basic(new Date(at).toISOString().slice(0, 19))}Z`,
    `SEQUENCE:${version}`,
    ...(dueTime
      ? [`DTSTART:${basic(`${day}T${dueTime}:00`)}`, 'DURATION:PT30M']
      : [`DTSTART;VALUE=DATE:${basic(day)}`]),
    // The end of a rule is of the type of its start.
    ...(rule ? [`RRULE:${dueTime ? rule.replace(/UNTIL=\d{8}/, '$&T235959') : rule}`] : []),
    `SUMMARY:${isDone ? '✓ ' : ''}${escaped(title)}`,
    `PRIORITY:${priorities[priority]}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

const basic = (text: string) => text.replace(/[-:]/g, '')

/** A text as a value. Control characters are not allowed there. */
const escaped = (text: string) =>
  /[\\;,\p{Cc}]/u.test(text)
    ? text
        .replace(/[\\;,]/g, '\\$&')
        .replace(/\r\n|[\r\n]/g, '\\n')
        .replace(/\p{Cc}/gu, ' ')
    : text

const lineBytes = 75

/** Divides a line into pieces of at most 75 bytes, between characters (RFC 5545, 3.1). */
function folded(line: string): string {
  if (line.length * 3 <= lineBytes || Buffer.byteLength(line) <= lineBytes) return line
  const bytes = Buffer.from(line)
  const pieces: string[] = []
  for (let [from, to] = [0, lineBytes]; from < bytes.length; [from, to] = [to, to + lineBytes - 1]) {
    while (((bytes[to] ?? 0) & 0xc0) === 0x80) to--
    pieces.push(bytes.toString('utf8', from, to))
  }
  return pieces.join('\r\n ')
}

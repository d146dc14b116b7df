import { isBlank } from '../blank.ts'
import type { Priority } from '../task-fields.ts'

type Place = {
  start: number
  end: number
  /** Its words may mean something else: they count when they are chosen. */
  isOffer?: boolean
}

/** The reader's day and time, `YYYY-MM-DD` and `HH:MM`. */
export type Now = { today: string; time: string }

/** A rule of RFC 5545 without DTSTART, and whether its days count from the due day or from the completion. */
type Repeat = { repeat?: string; repeatFrom?: 'due' | 'done' }

/** A day, or null for none, with its time if one is named, and what was assumed because the words do not say it. */
export type When = {
  day: string | null
  time?: string | null
  assumed?: ('tomorrow' | 'afternoon' | 'midnight')[] | undefined
} & Repeat

/** Words that name a day may be in several places: "tomorrow call Ann at 5pm". */
type DayPlace = Place & { also?: Place[] }

/**
 * Words that say when to remind, and their meaning next to the day that the text names elsewhere. It is undefined if they cannot be
 * true of that day: "1 hour before" without a time.
 */
export type ReminderWords = Place & {
  meaning: (due: When | undefined) => { value: string; assumed?: When['assumed'] } | undefined
}

/** The words of a text that name a day or a time from now on, in their order, and those that say when to remind. */
export type DateWords = (
  text: string,
  now: Now,
) => { days: (DayPlace & When)[]; reminder?: ReminderWords | undefined }

/** Words of a task's text that set fields. */
export type Mark = DayPlace & { words: string } & (
    | ({ field: 'dueDate'; value: string | null; time?: string | null; assumed?: When['assumed'] } & Repeat)
    | { field: 'priority'; value: Priority }
    | { field: 'reminders'; value: string; assumed?: When['assumed'] }
  )

export type DueMark = Extract<Mark, { field: 'dueDate' }>

/** `set`: the fields that the words name. `offer`: words that name a day if the reader says so. */
type TaskText = {
  title: string
  set: { dueDate?: string | null; dueTime?: string | null; priority?: Priority; reminders?: string } & Repeat
  marks: Mark[]
  offer?: Mark | undefined
}

type Given = {
  now: Now
  /** Words that the reader has turned back into text. */
  dismissed?: readonly string[]
  /** Offered words that the reader has chosen. */
  chosen?: readonly string[]
  /** Absent until its chunk has loaded. */
  findDates: DateWords | undefined
}

const priorityWord = /(?<!\S)(?:!(?<level>high|medium|med|low|[1-3])|p(?<number>[1-4]))(?!\S)/gi
/** p4 is the lowest of four in other programs. */
const priorityOf: Record<string, Priority> = {
  high: 'high',
  1: 'high',
  medium: 'medium',
  med: 'medium',
  2: 'medium',
  low: 'low',
  3: 'low',
  4: 'low',
}
/** More than any title may have. A longer text is not searched. */
const longestText = 1000

/** An apostrophe closes no quotation: a letter follows. */
const quoted =
  /"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|»[^«]*«|‹[^›]*›|›[^‹]*‹|`[^`]*`|(?<![\p{L}\p{N}])'[^']+'(?![\p{L}\p{N}])|‘(?:[^‘’]|’(?=\p{L}))*’|‚(?:[^‚‘’]|[‘’](?=\p{L}))*[‘’]|「[^」]*」|『[^』]*』/gu

/** Splits a typed line into a title and the values of other fields that its words name. Quoted text stays in the title. */
export function readTaskText(text: string, { now, dismissed = [], chosen = [], findDates }: Given): TaskText {
  if (text.length > longestText) return { title: text.trim(), set: {}, marks: [] }
  const isKept = ({ words }: Mark) => !dismissed.includes(words.toLowerCase())
  // Places stay the same: quotes become characters that belong to no word, priorities become space.
  const unquoted = text.replace(quoted, (match) => '\uFFFC'.repeat(match.length))
  const priorities = prioritiesIn(unquoted).filter(isKept)
  const undecided = priorities.reduce(
    (rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end),
    unquoted,
  )
  const words = findDates?.(undecided, now)
  const days = (words?.days ?? [])
    .map(({ day, ...place }): DueMark => {
      const words = [place.also ?? [], place].flat().map(({ start, end }) => text.slice(start, end))
      return { ...place, field: 'dueDate', value: day, words: words.join(' … ') }
    })
    .filter(isKept)
  const isTaken = ({ isOffer, words }: Mark) => !isOffer || chosen.includes(words.toLowerCase())
  const taken = days.findLast(isTaken)
  const reminder = words?.reminder && reminderOf(words.reminder, text, taken)
  // What belongs together is read as a whole, or not at all.
  const isText = reminder && !reminder.value && isKept(reminder)
  const day = isText ? undefined : taken
  const marks = [
    day && { ...day, isOffer: false },
    reminder?.value && isKept(reminder) ? reminder : undefined,
    priorities.at(-1),
  ].filter((mark) => mark !== undefined)
  const title = without(text, marks)
  if (isBlank(title)) return { title: text.trim(), set: {}, marks: [] }
  const set = Object.fromEntries(
    marks.flatMap((mark) => [
      [mark.field, mark.value],
      ...(mark.field === 'dueDate' && mark.time !== undefined ? [['dueTime', mark.time]] : []),
      ...(mark.field === 'dueDate' && mark.repeat
        ? [
            ['repeat', mark.repeat],
            ['repeatFrom', mark.repeatFrom],
          ]
        : []),
    ]),
  )
  const offer = taken ? undefined : days.find((mark) => !isBlank(without(text, [mark])))
  return { title, set, marks, offer }
}

function reminderOf({ meaning, start, end }: ReminderWords, text: string, due: DueMark | undefined): Mark {
  const words = text.slice(start, end)
  return { start, end, words, field: 'reminders', value: '', ...meaning(due && { ...due, day: due.value }) }
}

const prioritiesIn = (text: string): Mark[] =>
  [...text.matchAll(priorityWord)].map(({ 0: words, index, groups }) => ({
    field: 'priority',
    value: priorityOf[(groups?.level ?? groups?.number ?? '').toLowerCase()] as Priority,
    start: index,
    end: index + words.length,
    words,
  }))

/** The text without the words of these marks, and without the space, commas, colons and brackets that they leave. */
function without(text: string, marks: Mark[]): string {
  // Words of a priority may be within those of a day.
  const places = marks.flatMap((mark) => [mark.also ?? [], mark].flat())
  const outer = places.filter(
    ({ start, end }) => !places.some((other) => other.start <= start && other.end > end),
  )
  const rest = outer
    .sort((one, other) => other.start - one.start)
    .reduce((rest, { start, end }) => {
      const [before, after] = withoutBrackets(rest.slice(0, start).trimEnd(), rest.slice(end))
      if (after.trim() === '') return before.replace(/[\s,;]+$/, '')
      if (before === '') return after.replace(/^[\s,:]+/, '')
      return /^[.,;:!?]/.test(after) ? before + after : `${before} ${after.trimStart()}`
    }, text)
    .trim()
  return hasWords.test(rest) ? rest : ''
}

/** Whether a title is more than punctuation. */
const hasWords = /[\p{L}\p{N}\p{So}\p{Sc}\p{M}]/u

function withoutBrackets(before: string, after: string): [string, string] {
  // "(friday!)": the punctuation goes with its words.
  const [closing] = /^[\s.,;:!?]*[)\]}]/.exec(after) ?? []
  return closing && /[([{]$/.test(before)
    ? [before.slice(0, -1).trimEnd(), after.slice(closing.length)]
    : [before, after]
}

import type { Priority } from '#contract/tasks.ts'

/** The words of a text that name a day from `today` on. */
export type DateWords = (
  text: string,
  today: string,
) => { start: number; end: number; day: string; staysInTitle: boolean }[]

/** Words of the quick line that set a field. */
export type Mark = { start: number; end: number; words: string; staysInTitle: boolean } & (
  | { field: 'dueDate'; value: string }
  | { field: 'priority'; value: Priority }
)

export type QuickText = { title: string; marks: Mark[] }

type Given = {
  today: string
  /** Words that the reader has turned back into text. */
  dismissed: readonly string[]
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
const quoted = /"[^"]*"|“[^”]*”|„[^“”]*[“”]/g

/** Splits a typed line into a title and what its words say about the other fields. What is in quotes stays as it is. */
export function readQuickText(text: string, { today, dismissed, findDates }: Given): QuickText {
  const isKept = ({ words }: Mark) => !dismissed.includes(words.toLowerCase())
  // Places stay the same: quotes become characters that belong to no word, priorities become space.
  const unquoted = text.replace(quoted, (match) => '\uFFFC'.repeat(match.length))
  const priorities = prioritiesIn(unquoted).filter(isKept)
  const undecided = priorities.reduce(
    (rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end),
    unquoted,
  )
  const days = (findDates?.(undecided, today) ?? [])
    .map(
      ({ start, end, day, staysInTitle }): Mark => ({
        field: 'dueDate',
        value: day,
        start,
        end,
        words: text.slice(start, end),
        staysInTitle,
      }),
    )
    .filter(isKept)
  const marks = [days.at(-1), priorities.at(-1)].filter((mark) => mark !== undefined)
  const title = without(text, marks)
  return title === '' ? { title: text.trim(), marks: [] } : { title, marks }
}

const prioritiesIn = (text: string): Mark[] =>
  [...text.matchAll(priorityWord)].map(({ 0: words, index, groups }) => ({
    field: 'priority',
    value: priorityOf[(groups?.level ?? groups?.number ?? '').toLowerCase()] as Priority,
    start: index,
    end: index + words.length,
    words,
    staysInTitle: false,
  }))

/** The text without the words of these marks, and without the space and the commas that they leave. */
function without(text: string, marks: Mark[]): string {
  const removed = marks.filter((mark) => !mark.staysInTitle).sort((one, other) => other.start - one.start)
  return removed
    .reduce((rest, { start, end }) => {
      const [before, after] = [rest.slice(0, start).trimEnd(), rest.slice(end).trimStart()]
      return after === '' ? before.replace(/[\s,;]+$/, '') : `${before} ${after}`
    }, text)
    .trim()
}

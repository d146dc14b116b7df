import type { Priority } from '#contract/task-fields.ts'
import type { ImportedRow } from '../../engine/imported.ts'
import type { WallClock } from './days.ts'

/** What a rule counts from: the day in its own zone, for its weekdays and dates, and the same day and time on the clock here. */
export type RuleStart = { day: string; here: WallClock }

export type SourceItem = {
  row: ImportedRow
  parts?: ImportedRow[]
  /** The id in the source. Without it, the id follows from the content. */
  key?: string | undefined
  /** The content as the file has it, if what is made of it depends on the day, the zone or the chosen columns. */
  raw?: string | undefined
  list?: string | null | undefined
  tags?: string[] | undefined
  createdAt?: string | null | undefined
}

/** A task as its source has it. What does not fit is listed and becomes text. */
export type SourceTask = SourceItem & {
  /** By what its parts name it, if that is not its id. */
  ref?: string | undefined
  /** The task whose checkbox this one becomes. */
  parent?: string | undefined
  title: string
  body?: string | undefined
  checklist?: { text: string; isDone: boolean }[] | undefined
  comments?: { heading: string; text: string }[] | undefined
  attachments?: string[] | undefined
  dueDate?: string | null | undefined
  dueTime?: string | null | undefined
  /** What the source says about the day, if it cannot be read. */
  dueText?: string | undefined
  /** More lines of the body. */
  lines?: string[] | undefined
  /** A rule of RFC 5545, or the words of the source. More lines are what the source adds to it. */
  repeat?: string | undefined
  /** Without it, the rule counts from the due day. */
  ruleStart?: RuleStart | undefined
  /** The due days of the series that have an item of their own or were removed. */
  gone?: string[] | undefined
  repeatFrom?: 'due' | 'done' | undefined
  /** Reminders of `reminder-times.ts`, or what the source says instead. */
  reminders?: string[] | undefined
  priority?: Priority | undefined
  isDone?: boolean | undefined
  doneAt?: string | null | undefined
}

/** A note as its source has it. Without a title, the first line of its text is the title. */
export type SourceNote = SourceItem & {
  title?: string | undefined
  text: string
  pinned?: boolean | undefined
  changedAt?: string | null | undefined
}

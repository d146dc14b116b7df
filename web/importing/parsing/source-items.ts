import type { ImportedNote, ImportedRow, ImportedTask } from '../../engine/imported.ts'
import type { WallClock } from './days.ts'

/** What a rule counts from: the day in its own zone, for its weekdays and dates, and the same day and time on the clock here. */
export type RuleStart = { day: string; here: WallClock }

type Known = Pick<ImportedTask, 'body' | 'priority' | 'repeatFrom' | 'tags'> & Pick<ImportedNote, 'pinned'>

type Said = Known & {
  /** What it is if that is no task. */
  kind: 'task' | 'note'
  /** Without it, the first line of a note and the beginning of a body are the title. */
  title: string
  list: string | null
  /** The id in the source. Without it, the id follows from the content. */
  key: string
  /** The content as the file has it, if what is made of it depends on the day, the zone or the chosen columns. */
  raw: string
  /** By what its parts name it, if that is not its id. */
  ref: string
  /** The task whose checkbox this one becomes. */
  parent: string
  /** Other rows that became text of it. */
  parts: ImportedRow[]
  createdAt: string | null
  changedAt: string | null
  due: WallClock
  /** What the source says about the day, which matters if it cannot be read. */
  dueText: string
  /** When it was done, or whether. */
  done: string | boolean | null
  /** A rule of RFC 5545, or the words of the source. More lines are what the source adds to it. */
  repeat: string
  /** Without it, the rule counts from the due day. */
  ruleStart: RuleStart
  /** The due days of the series that have an item of their own or were removed. */
  gone: string[]
  /** Reminders of `reminder-times.ts`, or what the source says instead. */
  reminders: string[]
  /** More lines of the body, then its checkboxes, files and comments. */
  lines: string[]
  checklist: { text: string; isDone: boolean }[]
  attachments: string[]
  comments: { heading: string; text: string }[]
}

/** A task or a note as its source has it. What does not fit is listed and becomes text. An empty text says nothing. */
export type SourceItem = { row: ImportedRow } & { [Name in keyof Said]?: Said[Name] | undefined }

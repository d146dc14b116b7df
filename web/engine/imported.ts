import type { ImportRoom } from '#contract/imports.ts'
import type { Note } from '#contract/notes.ts'
import type { Settings } from '#contract/settings.ts'
import type { Priority } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'

/** `path`: with the folders that contain the file. */
export type ImportFile = { path: string; content: Blob }

/** Rows and columns count from 1. A column with a name is called by it. */
export type SourcePlace = { file: string; row?: number; column?: string }

export type ImportedRow = {
  place: SourcePlace
  text: string
  /** A checkbox, a comment and a text are parts of an item. */
  becomes: 'task' | 'note' | 'checkbox' | 'comment' | 'text' | 'list' | 'setting' | 'version' | 'nothing'
  item: string | null
  remarks: string[]
}

type Sorted = { list: string | null; tags: string[] }

/** A task as the server stores it, without its tags. The same file always gives the same id. */
export type ImportedTask = Omit<Task, 'version'> & Sorted

export type ImportedNote = Omit<Note, 'version'> & Sorted

export type ImportedVersion = { note: string; at: string; by: string; text: string }

export type WallClock = { day: string; time: string | null }

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
  /** If it cannot be read, what the source says. */
  due: WallClock | string
  /** When it was done, or whether. */
  done: string | boolean | null
  /** A rule of RFC 5545, or the words of the source. More lines are what the source adds to it. */
  repeat: string
  /** Without it, the rule counts from the due day. */
  ruleStart: RuleStart
  /** The due days of the series that were removed, and those that have an item of their own. */
  gone: string[]
  own: string[]
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

/** What a column of a table can be, with its label. */
export const columnLabels = {
  id: 'Id',
  title: 'Title',
  body: 'Body',
  dueDate: 'Due Date',
  dueTime: 'Time',
  priority: 'Priority',
  tags: 'Tags',
  list: 'Project or list',
  repeat: 'Repeat',
  createdAt: 'Created',
  doneAt: 'Done',
}
export type ColumnField = keyof typeof columnLabels
export const columnFields = Object.keys(columnLabels) as ColumnField[]

/** The column of each field, by its position from 0. A field without a column is not read. */
export type Columns = { [Field in ColumnField]?: number }

/** What was read and is not sent yet. */
export type Imported = {
  /** The reader, and the name of its program or format. */
  source: string
  label: string
  tasks: ImportedTask[]
  notes: ImportedNote[]
  versions: ImportedVersion[]
  settings: object | null
  rows: ImportedRow[]
  /** For a table whose columns can be chosen: their names, and the columns that were read. */
  table: { names: string[]; columns: Columns } | null
  /** Whether there were days such as 3/4/2026: either number can be the month. */
  hasUnclearDays: boolean
  isDayFirst: boolean
}

export type ImportOptions = {
  /** The same file gives other ids in another account. */
  account: string
  zone: string
  /** The time of creation or completion of a task whose file has none. */
  now: Date
  /** Whether the day precedes the month in 3/4/2026. If undefined, other days of the file decide. */
  isDayFirst?: boolean
  /** The order of the region, if neither the person nor the file decides. */
  isDayFirstHere?: boolean
  /** The columns of a table. If undefined, they are guessed. */
  columns?: Columns
}

/** What the person has changed in the preview. Ids do not depend on it. */
export type Corrections = {
  /** The tag of each list, project or notebook, or '' for none. Without an entry, the tag is its own name. */
  tags: ReadonlyMap<string, string>
  priorities: { readonly [Each in Priority]: Priority }
}

export type ImportEntry = { list: 'tasks' | 'notes' | 'versions'; value: object }

export type Progress = {
  done: number
  counts: { added: number; existing: number; restored: number }
  refused: { title: string; reason: string }[]
}

/** The last import of this browser, to continue it after an interruption and to undo it. */
export type LastImport = {
  id: string
  /** A value that identifies the items of the files. */
  items: string
  at: number
  changed: number
  /** Whether all was sent. Then the same files begin another import. */
  isEnded: boolean
  /** The changed settings before the import, and as it has set them. */
  settings?: { before: Partial<Settings>; taken: Partial<Settings> } | undefined
}

/** An import that was begun. After a failure or Cancel it continues from here. */
export type SentImport = Progress & {
  last: LastImport
  entries: readonly ImportEntry[]
  running: AbortController | undefined
  waitsFor: string
  failure: string
}

export type Undoing = {
  last: LastImport
  removed: number
  kept: number
  /** The position at which it continues; null when all is undone. */
  next: number | null | undefined
  isRunning: boolean
  failure: string
}

/** The import of this visit. It stays while its dialog is closed. */
export type ImportState = {
  files: readonly ImportFile[]
  choices: Pick<ImportOptions, 'isDayFirst' | 'columns'>
  reading: AbortController | undefined
  /** The last result. It stays visible while the files are read again with other choices. */
  imported: Imported | undefined
  corrections: Corrections
  isSettingsTaken: boolean
  failure: string
  /** Undefined until the server has answered. */
  room: ImportRoom | undefined
  /** Whether files were dropped during an import or an undo, and so not read. */
  isDeclined: boolean
  sent: SentImport | undefined
  undoing: Undoing | undefined
}

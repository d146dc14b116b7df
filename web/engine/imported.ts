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

type Sorted = {
  list: string | null
  tags: string[]
}

/** A task as the server stores it, without its tags. The same file always gives the same id. */
export type ImportedTask = Omit<Task, 'version'> & Sorted

export type ImportedNote = Omit<Note, 'version'> & Sorted

export type ImportedVersion = { note: string; at: string; by: string; text: string }

export const columnFields = [
  'id',
  'title',
  'body',
  'dueDate',
  'dueTime',
  'priority',
  'tags',
  'list',
  'repeat',
  'createdAt',
  'doneAt',
] as const

/** The column of each field, by its position from 0. A field without a column is not read. */
export type Columns = { [Field in (typeof columnFields)[number]]?: number }

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

import type { ImportRoom } from '#contract/imports.ts'
import type { Settings } from '#contract/settings.ts'
import type { Priority } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'

/** A file of an import: its path, with the folders that contain it, and its bytes. */
export type ImportFile = { path: string; content: Blob }

/** A place in a file. Rows and columns count from 1; a column that has a name is called by it. */
export type SourcePlace = { file: string; row?: number; column?: string }

/** What the table of the preview shows of a row, a component or a file. */
export type ImportedRow = {
  place: SourcePlace
  /** The beginning of what it says. */
  text: string
  /** What became of it. A checkbox, a comment and a text are parts of the item. */
  becomes: 'task' | 'note' | 'checkbox' | 'comment' | 'text' | 'list' | 'setting' | 'version' | 'nothing'
  /** The id of the item that it became or belongs to. */
  item: string | null
  /** What was left out or changed, in sentences. */
  remarks: string[]
}

/** What the source says about where an item belongs. The page makes tags of both (`withTags`). */
type Sorted = {
  /** The project, list, notebook or folder of the item. */
  list: string | null
  /** The names of its labels, as the source has them. */
  tags: string[]
}

/** A task with the values that the server stores, but for its tags. Its id is the same whenever the same file is read. */
export type ImportedTask = Omit<Task, 'version'> & Sorted

export type ImportedNote = {
  _id: string
  text: string
  pinned: boolean
  createdAt: string
  changedAt: string
  deletedAt: string | null
} & Sorted

/** An earlier text of a note. */
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

/** Which column, by its position from 0, has each field. A field without a column is not read. */
export type Columns = { [Field in (typeof columnFields)[number]]?: number }

/** What a reader gives. Nothing of it was sent. */
export type Imported = {
  tasks: ImportedTask[]
  notes: ImportedNote[]
  versions: ImportedVersion[]
  settings: object | null
  rows: ImportedRow[]
  /** The names of the columns of a table whose columns can be chosen, and the columns that were read. */
  table: { names: string[]; columns: Columns } | null
  /** Whether days such as 3/4/2026 were read, in which either number can be the month. */
  hasUnclearDays: boolean
  /** How such days were read. */
  isDayFirst: boolean
}

export type ImportOptions = {
  /** The id of the account, so that the same file makes other ids in another account. */
  account: string
  /** The time zone in which instants become days and times. */
  zone: string
  /** The time of the import, with which a task is created or done whose file does not say when. */
  now: Date
  /** Whether the day precedes the month in 3/4/2026. Without it, other days of the file decide. */
  isDayFirst?: boolean
  /** What decides if neither the person nor the file does: the order of the region. */
  isDayFirstHere?: boolean
  /** The columns of a table. Without them, they are guessed. */
  columns?: Columns
}

/** What was read. `label`: the name of the program or format, whose reader is `source`. */
export type ReadImport = Imported & { source: string; label: string }

/** What the person has changed in the preview. Ids do not depend on it. */
export type Corrections = {
  /** What each list, project or notebook is called as a tag. Nothing if it becomes none. Without an entry its own name is the tag. */
  tags: ReadonlyMap<string, string>
  /** The priority that each priority of the file becomes. */
  priorities: { readonly [Each in Priority]: Priority }
}

/** A task, a note or a version as it is sent, in the list of the call to which it belongs. */
export type ImportEntry = { list: 'tasks' | 'notes' | 'versions'; value: object }

export type Progress = {
  /** How many entries were sent. */
  done: number
  counts: { added: number; existing: number; restored: number }
  /** What the server did not take, and why. */
  refused: { title: string; reason: string }[]
}

/** The import that began last in this browser, by which it goes on after an interruption, and is undone. */
export type LastImport = {
  id: string
  /** Follows from the items of the files. */
  items: string
  at: number
  /** How many items it has added or restored. */
  changed: number
  /** Whether all of it was sent: then the same files begin another import. */
  isEnded: boolean
  /** The settings that it has changed: what they were, and what it made of them. */
  settings?: { before: Partial<Settings>; taken: Partial<Settings> } | undefined
}

/** An import that was begun. It goes on from where it is after a failure or Cancel. */
export type SentImport = Progress & {
  last: LastImport
  entries: readonly ImportEntry[]
  /** Ends it while it runs. What was sent stays. */
  running: AbortController | undefined
  /** Why a call is sent again later. */
  waitsFor: string
  failure: string
}

/** The undo of an import. */
export type Undoing = {
  last: LastImport
  removed: number
  kept: number
  /** Where it goes on; null once all of it is undone. */
  next: number | null | undefined
  isRunning: boolean
  failure: string
}

/** The import of this visit: the files, what is shown of them, and what became of them. It stays while its dialog is closed. */
export type ImportState = {
  files: readonly ImportFile[]
  /** What the person has chosen about the reading of the files. */
  choices: Pick<ImportOptions, 'isDayFirst' | 'columns'>
  /** Ends the reading that runs. */
  reading: AbortController | undefined
  /** What was read last. It stays on show while the same files are read with other choices. */
  imported: ReadImport | undefined
  corrections: Corrections
  isSettingsTaken: boolean
  /** Why the files cannot be read. */
  failure: string
  /** What the account stores and may store, once the server has said so. */
  room: ImportRoom | undefined
  /** Whether files came while an import or an undo ran, and were not read. */
  isDeclined: boolean
  sent: SentImport | undefined
  undoing: Undoing | undefined
}

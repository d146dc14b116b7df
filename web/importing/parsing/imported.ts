import type { Task } from '#contract/tasks.ts'
import type { Code, ParamsOf, SourcePlace } from './import-codes.ts'

/** A file of an import: its path, with the folders that contain it, and its bytes. */
export type ImportFile = { path: string; content: Blob }

/** What was left out or changed, and where. `import-codes.ts` has its sentence. */
export type Remark = { [Each in Code]: { code: Each; params: ParamsOf<Each>; place: SourcePlace } }[Code]

/** What the table of the preview shows of a row, a component or a file. */
export type ImportedRow = {
  place: SourcePlace
  /** The beginning of what it says. */
  text: string
  /** What became of it. A checkbox, a comment and a text are parts of the item. */
  becomes: 'task' | 'note' | 'checkbox' | 'comment' | 'text' | 'list' | 'setting' | 'version' | 'nothing'
  /** The id of the item that it became or belongs to. */
  item: string | null
  remarks: Remark[]
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

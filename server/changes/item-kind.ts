import type { XStatic } from 'typebox/schema'
import type { ChangeBatch, ChangeResults } from '#contract/changes.ts'
import type { Db, Schema } from '../database/schema.ts'

type Call = XStatic<typeof ChangeBatch>['changes'][number]

/** New values of an item's fields. For `done` and `deleted` the server sets the current time, or null. */
export type ItemSet = Call['set']
export type KindName = NonNullable<Call['kind']>

/** The columns whose changes are logged. */
export type TaskColumn = 'title' | 'body' | 'due_date' | 'priority' | 'done_at' | 'deleted_at'
export type NoteColumn = 'text' | 'pinned' | 'deleted_at'
export type LoggedColumn = TaskColumn | NoteColumn

/** New or old values of some logged columns. */
export type Values = Partial<Pick<Schema['tasks'], TaskColumn> & Pick<Schema['notes'], NoteColumn>>

/** A stored item of any kind, without its owner. */
export type ItemRow = Values & { id: string; version: number; created_at: number; deleted_at: number | null }

/** Who makes a change, and when. `seq`: its number. `isStep`: whether it can be undone on its own. */
export type Edit = { seq: number; now: number; device: string; isStep: boolean }

/** An earlier text that an edit replaced and that is kept. */
export type Version = Omit<Schema['versions'], 'user_id'>

/** What the log must know of one kind of items. */
export type Kind<Row extends ItemRow = ItemRow> = {
  name: KindName
  table: 'tasks' | 'notes'
  columns: readonly LoggedColumn[]
  /** The fields that a mutation may set. */
  fields: readonly (keyof ItemSet)[]
  /** The bytes of an item that count towards its owner's `stored_bytes`. */
  bytesOf(row: Row): number
  sizeOf(db: Db, owner: string, ids: string[]): Promise<number>
  /** Returns the owner's items with these ids, deleted or not. */
  select(db: Db, owner: string, ids: string[]): Promise<Row[]>
  insert(db: Db, owner: string, rows: Row[]): Promise<unknown>
  /** Stores an edited row, of which these columns were edited. */
  update(db: Db, owner: string, row: Row, edited: ReadonlySet<LoggedColumn>): Promise<unknown>
  /** Returns a new item, or undefined if a required field is missing. */
  create(id: string, set: ItemSet, edit: Edit): Row | undefined
  /** The values that a mutation sets. An item that is already done or deleted keeps its instant. */
  valuesOf(set: ItemSet, row: Row, now: number): Values
  /** Changes the row. Returns the old values as they are logged, and the earlier text, if it is kept. */
  edit(
    row: Row,
    fields: readonly LoggedColumn[],
    values: Values,
    edit: Edit,
  ): { before: object; version?: Version }
  /** Returns the values to which an undo sets the row, given what was logged; undefined if they are no longer kept. */
  valuesBefore(db: Db, owner: string, before: object): Promise<Values | undefined>
  /** The part of a response that contains the item. */
  toResult(row: Row | undefined): Pick<ChangeResults['results'][number], 'task' | 'note'>
}

/** The instant of a field such as `deleted`, which is null if the field is false. */
export const instantOf = (is: boolean, at: number | null, now: number) => (is ? (at ?? now) : null)

/** The bytes of a change besides its old values that count too: its row and its index entries. */
export const changeBytes = 256
export const bytesOfOld = (before: string | null) =>
  before === null ? 0 : changeBytes + Buffer.byteLength(before)

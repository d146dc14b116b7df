import type { FieldCode } from '#contract/field-codes.ts'
import { type Field, type Fields, searchedTexts, setName, toInstant } from '#contract/fields.ts'
import type { ItemSet as AnySet } from '#contract/kinds.ts'
import { rowBytes } from '#contract/limits.ts'
import type { Db } from '../database/schema.ts'
import type { HttpError } from '../errors.ts'
import { type ItemRow, instantOf, type Stored, toJson, toStored, type Values } from './field-values.ts'
import type { Limit } from './locked-account.ts'
import { storedItems } from './stored-items.ts'

export type ItemSet = AnySet & Record<string, unknown>

/** An item as clients see it. */
export type Item = { _id: string; version: number; [field: string]: unknown }

/** Who makes a change, and when. `seq`: its number. `isStep`: whether it can be undone on its own. */
export type Edit = { seq: number; now: number; device: string; by: string; isStep: boolean }

/** Old values that a kind keeps apart from the log: their bytes, and how they are stored. */
export type Kept = { bytes: number; store(db: Db, owner: string): Promise<unknown> }

type Declaration = {
  name: string
  table: string
  fields: Fields
  /** Its columns besides those of its fields. They are written together with texts. */
  ownColumns?: readonly string[]
  /** The values of `ownColumns` of a new item. */
  create?(row: ItemRow, edit: Edit): object
  /** The texts that searches look in, the title first. */
  textsOf?(row: ItemRow): (string | null)[]
  /** Changes the row. Returns the old values as they are logged, and those that are kept elsewhere. */
  edit?(row: ItemRow, fields: readonly string[], values: Values, edit: Edit): { before: Values; kept?: Kept }
  /** The name under which old values of a column are logged, if they are kept elsewhere. */
  loggedAs?: Record<string, string>
  /**
   * Returns the values that were logged, completed by values that are kept elsewhere. Returns undefined if the values kept
   * elsewhere were removed.
   */
  valuesBefore?(db: Db, owner: string, before: Values): Promise<Values | undefined>
  /** Removes a part of the values of an item that are kept elsewhere. */
  removeKept?(db: Db, owner: string, id: string): Promise<{ bytes: number; isLast: boolean }>
  /** The properties that clients see of an item besides its fields. */
  more?(row: ItemRow): object
  /** The summary of an item in deltas, if they do not contain the whole item. None of the columns is long. */
  summary?: { columns: readonly string[]; toItem(row: ItemRow): Item }
  /**
   * Completes the values that a change gives a row by those that follow from them. Returns undefined if they do not fit the row any
   * more. `reject` makes the error of a field.
   */
  derive?(values: Values, before: ItemRow | undefined, reject: Reject): Values | undefined
  /** The new values of a stored item as far as they fit it: other devices may have changed it since they were chosen. */
  fitting?(set: ItemSet, row: ItemRow): ItemSet
  /** What the kind adds by itself after a change: the successor of an item. */
  successor?: {
    /** Its id. */
    idOf(row: ItemRow): string | undefined
    /** Whether a row was made as one. */
    isMade(row: Values): boolean
    /** Whether it was deleted before another one followed it. */
    isLost(row: Values): boolean
    /** Whether the change from one row to the other asks for it. */
    isDue(before: Values | undefined, row: Values): boolean
    /** Whether an undo from one row to the other takes it back. */
    isReopened(before: Values, row: Values): boolean
    /** Its values, of a change made on `day`. Undefined if there is none. */
    make(row: ItemRow, day: string): ItemSet | undefined
  }
  /** Stores what depends on stored rows, in their transaction. A new row has no edited columns. */
  follow?(
    db: Db,
    owner: string,
    stored: { row: ItemRow; edited?: ReadonlySet<string> }[],
    now: number,
  ): Promise<void>
  limit: Limit
}
export type Reject = (field: string, code: FieldCode, message: string) => HttpError

export type Kind = ReturnType<typeof kindOf>
export type Kinds = readonly Kind[]

/** Derives everything else about a kind from its declaration. */
export function kindOf(declaration: Declaration) {
  const { fields, ownColumns = [], more, create: createOwn } = declaration
  const all = Object.entries(fields)
  const logged = all.map(([, { column }]) => column)
  const texts = all.flatMap(([, { type, column }]) => (type === 'text' ? [column] : []))
  const short = logged.filter((column) => !texts.includes(column))
  const frame = ['id', 'version', 'created_at']
  /** The columns that are null where another one is. */
  const dependent = all.flatMap(([, { column, needs, storedNull = null }]) => {
    const needed = needs === undefined ? undefined : fields[needs]
    return needed
      ? [{ column, storedNull, needed: { column: needed.column, storedNull: needed.storedNull ?? null } }]
      : []
  })
  const textsOf =
    declaration.textsOf ??
    ((row: ItemRow) =>
      searchedTexts(fields, Object.fromEntries(all.map(([name, { column }]) => [name, row[column]]))))
  const columns = [...frame, ...short, ...ownColumns, ...texts]

  return {
    edit(
      row: ItemRow,
      edited: readonly string[],
      values: Values,
      _edit: Edit,
    ): { before: Values; kept?: Kept } {
      const before = Object.fromEntries(edited.map((column) => [column, row[column] as Stored]))
      for (const column of edited) Object.assign(row, { [column]: values[column] })
      return { before }
    },
    valuesBefore: async (_db: Db, _owner: string, before: Values): Promise<Values | undefined> => before,
    ...declaration,
    ...storedItems({ table: declaration.table, columns, texts, logged, textsOf }),
    textsOf,
    columns,
    /** The columns of texts, which may be long. */
    texts,
    /** The columns whose changes are logged. */
    logged,
    /** The names of its fields in a change. */
    setNames: all.flatMap(([name, field]) => (field.isDerived ? [] : [setName(name, field)])),
    /** The bytes of an item that count towards its owner's `stored_bytes`. */
    bytesOf: (row: Values) =>
      texts.reduce((sum, column) => sum + Buffer.byteLength((row[column] as string | null) ?? ''), 0),

    /** The values that follow from other ones of a row: null where a field lacks the one that it needs. */
    following: (row: Values): Values =>
      Object.fromEntries(
        dependent.flatMap(({ column, storedNull, needed }) =>
          row[needed.column] === needed.storedNull ? [[column, storedNull]] : [],
        ),
      ),

    create(id: string, set: ItemSet, edit: Edit, at = edit.now): ItemRow | undefined {
      const row: ItemRow = { id, version: 0, created_at: at, deleted_at: null }
      for (const [name, field] of all) {
        const given = set[setName(name, field)]
        const value = given === undefined ? field.default : given
        if (value === undefined) return undefined
        row[field.column] = storedOf(field, value, null, at)
      }
      // A separate change deletes it.
      return Object.assign(row, this.following(row), { deleted_at: null }, createOwn?.(row, edit))
    },

    /** The first field that is set without the one that it needs, which this change or the stored row would have. */
    withoutNeeded(set: ItemSet, row?: Values): string | undefined {
      return all.find(([name, { needs }]) => {
        if (needs === undefined || set[name] == null) return false
        const needed = fields[needs] as Field
        return (set[needs] === undefined && row ? toJson(needed, row[needed.column]) : set[needs]) === null
      })?.[0]
    },

    /**
     * The values that a change of the instant `at` sets. An item that is already done or deleted keeps its instant. A deletion
     * is of `now`, because the item is kept for 30 days from then.
     */
    valuesOf(set: ItemSet, row: ItemRow, { now, at }: { now: number; at: number }): Values {
      const values: Values = {}
      for (const [name, field] of all) {
        const value = set[setName(name, field)]
        const instant = name === 'deletedAt' ? now : at
        if (value !== undefined) values[field.column] = storedOf(field, value, row[field.column], instant)
      }
      return values
    },

    toItem(row: ItemRow): Item {
      const frame = { _id: row.id, createdAt: toInstant(row.created_at), version: row.version }
      return { ...frame, ...jsonOf(fields, row), ...more?.(row) }
    },
  }
}

/** The fields of an item as clients see them. */
export const jsonOf = (fields: Fields, row: Values) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, toJson(field, row[field.column])]))

const storedOf = (field: Field, value: unknown, stored: Stored | undefined, now: number) =>
  field.type === 'instant' ? instantOf(value === true, stored, now) : toStored(field, value)

/** The bytes of a row of the log that count towards its owner's `stored_bytes`. Every log has one `start`, which does not. */
export const bytesOfChange = ({ kind, before }: { kind: string; before: string | null }) =>
  kind === 'start' ? 0 : rowBytes + Buffer.byteLength(before ?? '')

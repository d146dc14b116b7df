import { sql } from 'kysely'
import { type Field, toInstant } from '#contract/fields.ts'
import { everyField, type KindName } from '#contract/kinds.ts'
import { rowBytes } from '#contract/limits.ts'
import { type ItemRow, toJson, type Values } from '../changes/field-values.ts'
import { readInOrder } from '../changes/fitting-rows.ts'
import { bytesOfChange, type Kind } from '../changes/item-kind.ts'
import { changesOf, itemsOf } from '../changes/stored-items.ts'
import type { Db, Schema } from '../database/schema.ts'
import { firstId } from '../new-id.ts'
import { textBytes, versionsOf } from '../notes/note-versions.ts'
import { type Rows, rowsPerPage } from './row-pages.ts'

/** A line of a file, and the bytes of its row that count towards its owner's `stored_bytes`. */
export type Line = { value: object; stored: number }

export const itemRows = (db: Db, owner: string, kind: Kind, deleted: boolean): Rows<string, ItemRow> => ({
  first: firstId,
  async keys(after) {
    const found = await itemsOf(db, kind.table, owner)
      .select(['id', 'deleted_at'])
      .select(kind.storedBytes.as('bytes'))
      .where('id', '>', after)
      .orderBy('id')
      .limit(rowsPerPage)
      .execute()
    return found.map(({ id, deleted_at, bytes }) => ({
      key: id as string,
      bytes: (deleted_at !== null) === deleted ? Number(bytes) : undefined,
    }))
  },
  read: (ids) => readInOrder(db, kind, owner, ids),
})

/** An item as calls answer it, without the number of its newest change, which another server would number differently. */
export function itemLine(kind: Kind, row: ItemRow): Line {
  const { version: _, ...value } = kind.toItem(row)
  return { value, stored: kind.bytesOf(row) }
}

type Version = Pick<Schema['versions'], 'seq' | 'note_id' | 'at' | 'by' | 'text'>

/** The earlier texts of the owner's notes, in the order in which they were saved. */
export const versionRows = (db: Db, owner: string): Rows<number, Version> => ({
  first: -1,
  keys: (after) =>
    versionsOf(db, owner)
      .select(['seq as key', textBytes.as('bytes')])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(rowsPerPage)
      .execute(),
  read: (numbers) =>
    versionsOf(db, owner)
      .select(['seq', 'note_id', 'at', 'by', 'text'])
      .where('seq', 'in', numbers)
      .orderBy('seq')
      .execute(),
})

export const versionLine = ({ note_id: note, at, by, text }: Version): Line => ({
  value: { note, at: toInstant(at), by, text },
  stored: Buffer.byteLength(text) + rowBytes,
})

type Change = Pick<
  Schema['changes'],
  'seq' | 'at' | 'by' | 'kind' | 'item' | 'group_id' | 'undoes' | 'fields' | 'before'
>

/** The owner's changes that are kept, without those that changed nothing. */
export const changeRows = (db: Db, owner: string): Rows<number, Change> => ({
  first: -1,
  async keys(after) {
    const found = await changesOf(db, owner)
      .select(['seq', 'kind', sql<number>`coalesce(octet_length(before), 0)`.as('bytes')])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(rowsPerPage)
      .execute()
    return found.map(({ seq, kind, bytes }) => ({
      key: seq,
      bytes: kind === 'start' || kind === 'same' ? undefined : bytes,
    }))
  },
  read: (numbers) =>
    changesOf(db, owner)
      .select(['seq', 'at', 'by', 'kind', 'item', 'group_id', 'undoes', 'fields', 'before'])
      .where('seq', 'in', numbers)
      .orderBy('seq')
      .execute(),
})

/** A field has the same name and column in every kind. */
const fieldsByColumn = new Map<string, [name: string, field: Field]>(
  Object.entries(everyField).map(([name, field]) => [field.column, [name, field]]),
)

/** A change as people read it. The text of a note before it is among the versions. */
export function changeLine(change: Change): Line {
  const { seq, at, by, item, kind, before, fields } = change
  const isRemoval = kind === 'purge'
  const isAddition = before === null && kind !== 'blank' && !isRemoval
  const names = fields.split(' ').flatMap((column) => fieldsByColumn.get(column)?.[0] ?? [])
  const value = {
    ...{ seq, at: toInstant(at), by, change: isRemoval ? 'removed' : isAddition ? 'added' : 'edited', item },
    ...(kind !== 'blank' && { kind: (isRemoval ? fields : kind) as KindName }),
    ...(!isRemoval && !isAddition && { fields: names }),
    ...(before !== null && { before: namedValues(JSON.parse(before)) }),
    ...(change.group_id !== null && { group: change.group_id }),
    ...(change.undoes !== null && { undoes: change.undoes }),
  }
  return { value, stored: bytesOfChange(change) }
}

const namedValues = (values: Values) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([column, value]) => {
      const [name, field] = fieldsByColumn.get(column) ?? []
      return name && field ? [[name, toJson(field, value)]] : []
    }),
  )

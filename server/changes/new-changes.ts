import { randomUUID } from 'node:crypto'
import { chunksOf } from '../database/chunks.ts'
import { columnsOf, compiledQuery } from '../database/compiled-query.ts'
import { type Db, rules, type Schema } from '../database/schema.ts'
import type { ItemRow } from './field-values.ts'
import type { Edit, Kind } from './item-kind.ts'
import type { Author } from './locked-account.ts'
import { asEvent, noContent } from './log-rows.ts'

type ChangeRow = Omit<Schema['changes'], 'rules'>

export type Origin = { mutation?: string | null; group?: string | null; undoes?: number | null }

export type StoredItem = { kind: Kind; row: ItemRow }

/** Building a statement takes as long as running it, and other work waits for both. */
const rowsPerInsert = 100

/** The changes that a transaction adds to a log whose newest one has the number `newest`. */
export function newChanges({ userId, device, by }: Author, newest: number, now: number) {
  const rows: ChangeRow[] = []
  const nextSeq = () => newest + rows.length + 1

  function push(row: Omit<ChangeRow, 'user_id' | 'seq' | 'id' | 'at' | 'device' | 'by'>) {
    rows.push({ user_id: userId, seq: nextSeq(), id: randomUUID(), at: now, device, by, ...row })
  }

  return {
    rows,
    nextEdit: ({ group, undoes }: Origin): Edit => ({
      seq: nextSeq(),
      now,
      device,
      by,
      isStep: Boolean(group ?? undoes),
    }),

    append({ kind, row }: StoredItem, fields: readonly string[], before: object | null, origin: Origin) {
      const { mutation = null, group = null, undoes = null } = origin
      const previous = before ? row.version || null : 0
      row.version = nextSeq()
      push({
        kind: kind.name,
        event: null,
        item: row.id,
        mutation,
        group_id: group,
        undoes,
        fields: fields.join(' '),
        before: before && JSON.stringify(before),
        previous,
      })
    },

    /** Appends a mutation that changed no value, or a row without one. Returns its number. */
    appendSame(item: string, mutation: string | null): number {
      push({ ...noContent, ...asEvent('same'), item, mutation, before: '{}', previous: 0 })
      return newest + rows.length
    },
  }
}

export async function insertChanges(db: Db, changes: ChangeRow[]) {
  const [only] = changes
  if (only && changes.length === 1) return void (await insertChange(db, only))
  for (const some of chunksOf(changes, rowsPerInsert))
    await db
      .insertInto('changes')
      .values(some.map((row) => ({ ...row, rules })))
      .execute()
}

const columns = [
  ...(['user_id', 'seq', 'id', 'at', 'device', 'by', 'kind', 'event', 'item', 'mutation'] as const),
  ...(['group_id', 'undoes', 'fields', 'before', 'previous'] as const),
]

export const insertChange = compiledQuery((db, row: ChangeRow) =>
  db.insertInto('changes').values({ ...columnsOf(row, columns), rules }),
)

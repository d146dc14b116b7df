import type { Db } from '../database/schema.ts'
import type { HttpError } from '../errors.ts'
import type { ItemRow, Values } from './field-values.ts'
import type { Kinds } from './item-kind.ts'
import { bytesPerCall, findCreation, type Read, searchLog } from './later-changes.ts'
import type { StoredItem } from './new-changes.ts'

/** The items that a transaction changes in memory, and their rows as it has found or made them. */
export function loadedItems(db: Db, kinds: Kinds, owner: string) {
  const items = new Map<string, StoredItem>()
  const originals = new Map<string, ItemRow>()
  const creations = new Map<string, number>()
  const search = searchLog(db, owner)

  return {
    /** Reads these items; `find` finds them from then on. Throws `tooLarge()` if they exceed `bytesPerCall`. */
    async load(wanted: { id: string; kind: string }[], tooLarge: () => HttpError) {
      let bytes = 0
      for (const kind of kinds) {
        const ids = [...new Set(wanted.filter((each) => each.kind === kind.name).map(({ id }) => id))]
        if (ids.length === 0) continue
        if (wanted.length > 1) bytes += await kind.sizeOf(db, owner, ids)
        if (bytes > bytesPerCall) throw tooLarge()
        for (const row of await kind.select(db, owner, ids)) {
          items.set(row.id, { kind, row })
          originals.set(row.id, { ...row })
        }
      }
    },

    add: (item: StoredItem) => void items.set(item.row.id, item),

    /** A later change of the same transaction may be based on an added item as it is now. */
    keep({ row }: StoredItem) {
      originals.set(row.id, { ...row })
      creations.set(row.id, row.version)
    },

    find: (id: string) => items.get(id),

    /**
     * Returns the values that fields of a loaded item had after change number `seq`, as they are logged, or undefined if
     * the log does not contain them. The changes of this transaction are later. `read`: the part of the log that the caller has read.
     */
    async valuesAt(
      id: string,
      seq: number,
      fields: readonly string[],
      read?: Read,
    ): Promise<Values | undefined> {
      const [item, row] = [items.get(id), originals.get(id)]
      return item && row && (await search({ ...item, row }, seq, fields, read))
    },

    async creationOf(id: string): Promise<number | undefined> {
      const row = originals.get(id)
      if (row && !creations.has(id)) creations.set(id, await findCreation(db, owner, row))
      return creations.get(id)
    },
  }
}

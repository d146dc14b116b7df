import { setName } from '#contract/fields.ts'
import type { ImportOutcomes } from '#contract/imports.ts'
import { expectUnused, idTaken, needsDate } from '../changes/change.ts'
import type { Log } from '../changes/change-log.ts'
import type { ItemSet, Kind, Kinds, Reject } from '../changes/item-kind.ts'
import type { Origin } from '../changes/new-changes.ts'
import { changesOf, itemTables } from '../changes/stored-items.ts'
import type { Db } from '../database/schema.ts'
import { badRequest } from '../errors.ts'
import { inTurns } from '../turns/turns.ts'

export type Outcome = ImportOutcomes['tasks'][number]

type SentItem = { _id: string; createdAt: string; changedAt?: string; deletedAt?: string | null }

/** The items of a kind, and the name of their list in the call. */
type SentItems = { kind: Kind; list: string; items: readonly SentItem[] }

type Sent = { kind: Kind; list: string; item: SentItem; field: string }

/** The instant of a text; in the future, it is now. */
export const instantIn = (text: string, now: number) => Math.min(now, Math.max(0, Date.parse(text)))

/** Adds items that do not exist, and restores those that are deleted. Returns what became of each, by their lists. */
export async function addItems(
  db: Db,
  owner: string,
  log: Log,
  lists: readonly SentItems[],
  { kinds, group, now }: { kinds: Kinds; group: string; now: number },
): Promise<Record<string, Outcome[]>> {
  const sent: Sent[] = lists.flatMap(({ kind, list, items }) =>
    items.map((item, index) => ({ kind, item, field: `${list}/${index}/`, list })),
  )
  const known = await findKnown(db, owner, group, lists)
  const restored = sent.filter(({ item }) => isRestored(item, known.get(item._id)))
  const wanted = restored.map(({ item, kind }) => ({ id: item._id, kind: kind.name }))
  await log.load(wanted, tooLong)
  const added = sent.filter(({ item }) => !known.has(item._id))
  const ids = added.map(({ item, kind }) => ({ item: item._id, kind: kind.name }))
  const fieldOf = (id: string) => added.find(({ item }) => item._id === id)?.field
  await expectUnused(db, kinds, owner, ids, (id) => idTaken(`${fieldOf(id)}_id`))
  const outcomes: Record<string, Outcome[]> = {}
  for await (const each of inTurns(sent)) {
    const { kind, item, field, list } = each
    const stored = log.find(item._id)
    if (stored && stored.kind !== kind) throw idTaken(`${field}_id`)
    const before = known.get(item._id)
    let outcome: Outcome = before?.outcome ?? 'existing'
    if (!before && !stored) {
      create(log, each, { group }, now)
      outcome = 'added'
    } else if (stored && isRestored(item, before)) {
      log.edit(stored, { deleted_at: null }, { group })
      outcome = 'restored'
    }
    outcomes[list] = [...(outcomes[list] ?? []), outcome]
  }
  return outcomes
}

const tooLong = () =>
  badRequest('request body', 'too-long', 'must have fewer entries: what it restores is too long for one call')

/** `outcome`: what the same import has done to the item, if nothing has changed it since. */
type Known = { deletedAt: number | null; outcome: Outcome }

const isRestored = ({ deletedAt = null }: SentItem, known: Known | undefined) =>
  known !== undefined && known.deletedAt !== null && deletedAt === null

/** Returns those of the items that exist, deleted or not. */
async function findKnown(db: Db, owner: string, group: string, lists: readonly SentItems[]) {
  const found = []
  for (const { kind, items } of lists) {
    const ids = items.map(({ _id }) => _id)
    if (ids.length === 0) continue
    const rows = itemTables(db).selectFrom(kind.table).select(['id', 'version', 'deleted_at'])
    found.push(...(await rows.where('user_id', '=', owner).where('id', 'in', ids).execute()))
  }
  const versions = found.map(({ version }) => version as number)
  const own = await findOwnChanges(db, owner, group, versions)
  return new Map(
    found.map(({ id, version, deleted_at }): [string, Known] => {
      const previous = own.get(version as number)
      const outcome =
        previous === undefined ? 'existing' : previous === 0 || deleted_at !== null ? 'added' : 'restored'
      return [id as string, { deletedAt: deleted_at as number | null, outcome }]
    }),
  )
}

/** Returns those of these changes that an import has made, with the number of the change before each. */
export async function findOwnChanges(db: Db, owner: string, group: string, numbers: number[]) {
  if (numbers.length === 0) return new Map<number, number | null>()
  const rows = await changesOf(db, owner)
    .select(['seq', 'previous', 'group_id', 'device'])
    .where('seq', 'in', numbers)
    .execute()
  // Not in the query: SQLite would read the whole group. A client may have grouped changes of its own under this id.
  const own = rows.filter(({ group_id, device }) => group_id === group && device === '')
  return new Map(own.map(({ seq, previous }) => [seq, previous]))
}

function create(log: Log, { kind, item, field }: Sent, origin: Origin, now: number) {
  const reject: Reject = (name, code, message) => badRequest(field + name, code, message)
  const values = item as SentItem & Record<string, unknown>
  const fields = Object.entries(kind.fields)
  const set = Object.fromEntries(
    fields.flatMap(([name, field]) => {
      const value = values[name]
      return value === undefined ? [] : [[setName(name, field), field.setBy ? value !== null : value]]
    }),
  ) as ItemSet
  const lacking = kind.withoutNeeded(set)
  if (lacking) throw needsDate(field + lacking)
  const created = log.create(kind, item._id, set, origin, instantIn(item.createdAt, now))
  // The schema has the required fields.
  if (!created) throw new Error(`an imported ${kind.name} lacks a field`)
  const { row } = created
  for (const [name, { type, column }] of fields)
    if (type === 'instant' && row[column] !== null) row[column] = instantIn(String(values[name]), now)
  if (item.changedAt !== undefined) row.changed_at = instantIn(item.changedAt, now)
  if (values.series == null || values.repeatDay == null)
    Object.assign(row, kind.derive?.({ ...row }, undefined, reject))
  // As in `change.ts`, two changes.
  if (item.deletedAt != null) log.edit(created, { deleted_at: instantIn(item.deletedAt, now) }, origin)
}

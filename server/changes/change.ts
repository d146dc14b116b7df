import type { ChangeResults } from '#contract/changes.ts'
import type { Db } from '../database/schema.ts'
import { badRequest } from '../errors.ts'
import type { Author } from './account.ts'
import { type Log, openLog } from './change-log.ts'
import type { ItemSet, KindName } from './item-kind.ts'
import { allKinds, kinds } from './item-kinds.ts'
import { bytesPerCall } from './later-changes.ts'
import { merge } from './merging.ts'

export type Mutation = {
  /** The client's id of this mutation: a mutation that is sent again is not applied again. */
  mutation?: string
  item: string
  /** A task if it is absent. */
  kind?: KindName
  /** The version of the item that the client edited. Without it, the last write wins. */
  base?: number
  set: ItemSet
  /** Whether the item must exist and not be deleted; otherwise it is a conflict. */
  existing?: boolean
  /** Changes with the same group can be undone together. */
  group?: string
}

/** `changed`: whether the mutation changed any value. */
export type Result = ChangeResults['results'][number] & { changed: boolean }
export type Outcome = Result['outcome']

export type Limits = { quota: number; now: number }

/**
 * Applies the mutations in order, in the caller's transaction. Each is applied as a whole or not at all, and every
 * applied mutation is logged. Returns their results and the cursor after them.
 */
export async function change(
  db: Db,
  author: Author,
  mutations: readonly Mutation[],
  { quota, now }: Limits,
): Promise<{ results: Result[]; cursor: string }> {
  for (const [index, mutation] of mutations.entries()) expectFields(mutation, index)
  const log = await openLog(db, author, now)
  await log.load(
    mutations.map(({ item, kind = 'task' }) => ({ id: item, kind })),
    tooLong,
  )
  await expectUnused(db, author.userId, log, mutations)
  const seen = await findSeen(db, author.userId, mutations)
  const results: Result[] = []
  let bytes = 0
  for (const [index, mutation] of mutations.entries()) {
    const kind = kinds[mutation.kind ?? 'task']
    const stored = log.find(mutation.item)
    if (stored && stored.kind !== kind) throw otherKind(index)
    const { outcome, changed } = await apply(log, mutation, { seen, now })
    const row = log.find(mutation.item)?.row
    bytes += row ? kind.bytesOf(row) : 0
    if (bytes > bytesPerCall) throw tooLong()
    results.push({ outcome, changed, ...kind.toResult(row) })
  }
  return { results, cursor: await log.save(quota) }
}

async function apply(
  log: Log,
  mutation: Mutation,
  { seen, now }: { seen: Set<string>; now: number },
): Promise<{ outcome: Outcome; changed: boolean }> {
  const key = mutation.mutation && keyOf(mutation.mutation, mutation.item)
  if (key && seen.has(key)) return { outcome: 'duplicate', changed: false }
  const result = await applyNew(log, mutation, now)
  if (key && result.outcome !== 'conflict') seen.add(key)
  return result
}

async function applyNew(
  log: Log,
  { mutation, item: id, kind = 'task', base, set, existing, group }: Mutation,
  now: number,
): Promise<{ outcome: Outcome; changed: boolean }> {
  const origin = { mutation: mutation ?? null, group: group ?? null }
  const item = log.find(id)
  if (existing && item?.row.deleted_at !== null) return conflict
  if (!item) {
    const created = log.create(kinds[kind], id, set, origin)
    if (!created) return conflict
    // Two changes, so that an item that is created as deleted counts like any deleted one.
    if (set.deleted) log.edit(created, { deleted_at: now }, { ...origin, mutation: null })
    return { outcome: 'applied', changed: true }
  }
  const outcome = base === undefined || base === item.row.version ? 'applied' : 'merged'
  const values = await merge(log, item, item.kind.valuesOf(set, item.row, now), base)
  return values ? { outcome, changed: log.edit(item, values, origin) } : conflict
}

const conflict = { outcome: 'conflict', changed: false } as const

const tooLong = () =>
  badRequest('changes', 'too-long', 'must be fewer: the items that they change are too long for one call')

const keyOf = (mutation: string, item: string) => `${mutation} ${item}`

async function findSeen(db: Db, owner: string, mutations: readonly Mutation[]): Promise<Set<string>> {
  const ids = mutations.flatMap(({ mutation }) => mutation ?? [])
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('changes')
    .select(['mutation', 'item'])
    .where('user_id', '=', owner)
    .where('mutation', 'in', ids)
    .execute()
  return new Set(rows.map(({ mutation, item }) => keyOf(String(mutation), String(item))))
}

/** Throws a 400 for a field of another kind, and for a text without the version that it was made from. */
function expectFields({ kind = 'task', set, base }: Mutation, index: number) {
  for (const other of allKinds)
    for (const field of other.fields)
      if (set[field] !== undefined && !kinds[kind].fields.includes(field))
        throw badRequest(`changes/${index}/set/${field}`, 'other-kind', `is not a field of a ${kind}`)
  if (set.text !== undefined && base === undefined)
    throw badRequest(
      `changes/${index}/base`,
      'required',
      'is missing: a text requires the version that was edited, or 0',
    )
}

/** Throws a 400 if the id of a new item belongs to an item of another kind. */
async function expectUnused(db: Db, owner: string, log: Log, mutations: readonly Mutation[]) {
  const isNew = ({ item, existing }: Mutation) => !existing && !log.find(item)
  for (const { name, table } of allKinds) {
    const ids = mutations
      .filter((each) => isNew(each) && (each.kind ?? 'task') !== name)
      .map(({ item }) => item)
    if (ids.length === 0) continue
    const items = db.selectFrom(table).select('id').where('user_id', '=', owner)
    const [taken] = await items.where('id', 'in', ids).limit(1).execute()
    if (taken) throw otherKind(mutations.findIndex(({ item }) => item === taken.id))
  }
}

const otherKind = (index: number) =>
  badRequest(`changes/${index}/item`, 'other-kind', 'must not be the id of an item of another kind')

import { sql } from 'kysely'
import type { Call } from '#contract/api.ts'
import type { ChangeResults } from '#contract/changes.ts'
import { keptFor } from '#contract/limits.ts'
import type { Db } from '../database/schema.ts'
import { badRequest, type HttpError } from '../errors.ts'
import { turn } from '../fairness/turns.ts'
import type { Account } from '../sessions/account-state.ts'
import { type Cursors, type Log, openLog } from './change-log.ts'
import type { Values } from './field-values.ts'
import type { Item, ItemSet, Kind, Kinds, Reject } from './item-kind.ts'
import { bytesPerCall, isEdit } from './later-changes.ts'
import type { Author } from './locked-account.ts'
import { merge } from './merging.ts'
import type { StoredItem } from './new-changes.ts'
import { changesOf, itemsOf } from './stored-items.ts'

type Sent = Call<'POST /changes'>['body']['changes'][number]

/** A change as clients send it. The specified calls make changes without an id; a kind need not be of the contract. */
export type Mutation = Omit<Sent, 'mutation' | 'kind' | 'set'> & {
  mutation?: string
  kind: string
  set: ItemSet
}

/** `changed`: whether the mutation changed any value. `seq`: the number of the change, if it did so now or before. */
export type Result = { kind: string; item: Item | null; outcome: Outcome; changed: boolean; seq?: number }
type Outcome = ChangeResults['items'][number]['outcome']

/** What only the server knows about a write. */
export type Scope = {
  /** Those that the account may have. */
  kinds: Kinds
  quota: number
  now: number
  /** The author's account, if its row is locked already. */
  account?: Account | undefined
  /**
   * `new`: no item has the ids, and the mutations were not applied before. `existing`: an item that does not exist or is deleted is
   * a conflict.
   */
  items?: 'new' | 'existing'
  /** The field with the id of the item, and the path of the fields of `set`, if the client has sent no mutation. */
  itemField?: string
  setFields?: string
  today?: string
}

/**
 * Applies the mutations in order, in the caller's transaction. Each is applied as a whole or not at all, and every
 * applied mutation is logged. Returns the item of each as it is then, and the cursors around them.
 */
export async function change(
  db: Db,
  author: Author,
  mutations: readonly Mutation[],
  scope: Scope,
): Promise<{ items: Result[] } & Cursors> {
  const { kinds, quota, now, account } = scope
  const kindOf = ({ kind }: Mutation) => kinds.find(({ name }) => name === kind) as Kind
  for (const [index, mutation] of mutations.entries()) expectFields(kinds, kindOf(mutation), mutation, index)
  const log = await openLog(db, kinds, author, now, account)
  const known = scope.items === 'new' ? [] : mutations
  await log.load(
    known.map(({ item, kind }) => ({ id: item, kind })),
    tooLong,
  )
  if (scope.items === undefined) {
    const unknown = mutations.filter(({ item }) => !log.find(item))
    const indexOf = (id: string) => mutations.findIndex(({ item }) => item === id)
    await expectUnused(db, kinds, author.userId, unknown, (id) => otherKind(scope, indexOf(id)))
  }
  const seen = await findSeen(db, author.userId, known)
  const items: Result[] = []
  let bytes = 0
  for (const [index, mutation] of mutations.entries()) {
    const wait = turn()
    if (wait) await wait
    const kind = kindOf(mutation)
    const stored = log.find(mutation.item)
    if (stored && stored.kind !== kind) throw otherKind(scope, index)
    const { setFields = `changes/${index}/set/` } = scope
    const { outcome, changed, ...first } = await apply(log, kind, mutation, seen, { ...scope, setFields })
    const row = log.find(mutation.item)?.row
    const seq = changed ? row?.version : first.seq
    bytes += row ? kind.bytesOf(row) : 0
    if (bytes > bytesPerCall) throw tooLong()
    const item = row ? kind.toItem(row) : null
    items.push({ kind: kind.name, item, outcome, changed, ...(seq !== undefined && { seq }) })
  }
  // A response has the items as they are now: a long text as many times as it was changed.
  const changedItems = mutations.flatMap(({ item }) => log.find(item) ?? [])
  if (changedItems.reduce((sum, { kind, row }) => sum + kind.bytesOf(row), 0) > bytesPerCall) throw tooLong()
  return { items, ...(await log.save(quota)) }
}

async function apply(
  log: Log,
  kind: Kind,
  mutation: Mutation,
  seen: Map<string, number | undefined>,
  scope: Scope,
): Promise<Pick<Result, 'outcome' | 'changed' | 'seq'>> {
  const key = mutation.mutation && keyOf(mutation.mutation, mutation.item)
  if (key && seen.has(key)) {
    const seq = seen.get(key)
    return { outcome: 'duplicate', changed: false, ...(seq !== undefined && { seq }) }
  }
  const result = await applyNew(log, kind, mutation, scope)
  const seq = result.changed ? log.find(mutation.item)?.row.version : undefined
  if (key && result.outcome !== 'conflict') seen.set(key, seq)
  return result
}

async function applyNew(
  log: Log,
  kind: Kind,
  { mutation, item: id, base, set: given, group, at: claimed, day: claimedDay }: Mutation,
  { now, items, setFields, today }: Scope,
): Promise<{ outcome: Outcome; changed: boolean }> {
  const at = claimed === undefined ? now : Math.min(now, Math.max(now - keptFor, Date.parse(claimed)))
  const origin = { mutation: mutation ?? null, group: group ?? null }
  const day = isNear(claimedDay, at) ? claimedDay : (today ?? utcDay(at))
  const reject: Reject = (field, code, message) => badRequest(`${setFields}${field}`, code, message)
  const item = log.find(id)
  if (items === 'existing' && item?.row.deleted_at !== null) return conflict
  const set = (item && kind.fitting?.(given, item.row)) ?? given
  // Where others have removed the date since, the other field is removed too.
  const field =
    !item || base === undefined || base === item.row.version ? kind.withoutNeeded(set, item?.row) : undefined
  if (field) throw needsDate(`${setFields}${field}`)
  if (!item) {
    // Two changes, so that an item that is created as deleted counts like any deleted one. The mutation is the second.
    const created = log.create(kind, id, set, set.deleted ? { ...origin, mutation: null } : origin, at)
    if (!created) return conflict
    Object.assign(created.row, kind.derive?.({ ...created.row }, undefined, reject))
    if (set.deleted) log.edit(created, { deleted_at: now }, origin)
    await addSuccessor(log, created, undefined, day)
    return { outcome: 'applied', changed: true }
  }
  const outcome = base === undefined || base === item.row.version ? 'applied' : 'merged'
  const values = await merge(log, item, item.kind.valuesOf(set, item.row, { now, at }), base)
  const derived = values && item.kind.derive ? item.kind.derive(values, item.row, reject) : values
  if (!derived) return conflict
  const before = { ...item.row }
  const changed = log.edit(item, derived, origin)
  await addSuccessor(log, item, before, day)
  return { outcome, changed }
}

/** Adds the successor of an item if the change since `before` asks for it. One that was deleted is restored as it would be added. */
export async function addSuccessor(
  log: Log,
  { kind, row }: StoredItem,
  before: Values | undefined,
  day: string,
) {
  const id = kind.successor?.isDue(before, row) ? kind.successor.idOf(row) : undefined
  const set = id === undefined ? undefined : kind.successor?.make(row, day)
  if (id === undefined || !set) return
  const known = await log.findOrLoad(id, tooLong)
  const isLost = known?.kind === kind && kind.successor?.isLost(known.row)
  if (!known || isLost) log.addFree(kind, id, set, row.created_at, known)
}

const utcDay = (at: number) => new Date(at).toISOString().slice(0, 10)

/** Whether a day is at most one from that of the instant in UTC, as every civil day is somewhere. */
const isNear = (day: string | undefined, at: number): day is string =>
  day !== undefined && Math.abs(Date.parse(day) - Date.parse(utcDay(at))) <= 86_400_000

const conflict = { outcome: 'conflict', changed: false } as const

const tooLong = () =>
  badRequest('changes', 'too-long', 'must be fewer: the items that they change are too long for one call')

const keyOf = (mutation: string, item: string) => `${mutation} ${item}`

/** The mutations that were applied before, with the numbers of those that changed something. */
async function findSeen(db: Db, owner: string, mutations: readonly Mutation[]) {
  const ids = mutations.flatMap(({ mutation }) => mutation ?? [])
  const rows = ids.length > 0 ? await findApplied(db, owner, ids) : []
  return new Map(
    rows.map(({ mutation, item, kind, seq }) => [
      keyOf(String(mutation), String(item)),
      kind === 'same' ? undefined : seq,
    ]),
  )
}

export const findApplied = (db: Db, owner: string, mutations: string[]) => {
  const own = changesOf(db, owner)
  const numbers = own.select('seq').where('mutation', 'in', mutations)
  return own.select(['mutation', 'item', 'kind', 'seq']).where('seq', 'in', numbers).orderBy('seq').execute()
}

/**
 * Returns how the id of this mutation is used. If the mutation has added an item, this is `addition`. If another item of any kind
 * has the id, or had it as far as the log knows, it is `other`. If the id is not used, it is undefined.
 */
export async function findUse(
  db: Db,
  kinds: Kinds,
  owner: string,
  mutation: string,
): Promise<'addition' | 'other' | undefined> {
  const as = (use: 'addition' | 'other') => sql<typeof use>`${sql.lit(use)}`.as('use')
  const changes = changesOf(db, owner).where('item', '=', mutation)
  // An item whose creation is its only change is in its table.
  const edit = changes.where(isEdit).select(as('other')).limit(1)
  let uses = changes.where('mutation', '=', mutation).select(as('addition'))
  uses = uses.unionAll(db.selectFrom(edit.as('edits')).select('use'))
  for (const { table } of kinds) {
    const items = itemsOf(db, table, owner).where('id', '=', mutation)
    uses = uses.unionAll(items.select(as('other')))
  }
  // One query, because its result waits for its turn.
  const rows = await uses.execute()
  return rows.find(({ use }) => use === 'addition')?.use ?? rows[0]?.use
}

/** Throws a 400 for a field of another kind, and for a field without the version that it was edited in. */
function expectFields(
  kinds: Kinds,
  { name, fields, setNames }: Kind,
  { set, base }: Mutation,
  index: number,
) {
  for (const field of kinds.flatMap((kind) => kind.setNames)) {
    if (set[field] === undefined) continue
    if (!setNames.includes(field))
      throw badRequest(`changes/${index}/set/${field}`, 'other-kind', `is not a field of a ${name}`)
    if (fields[field]?.needsBase && base === undefined)
      throw badRequest(
        `changes/${index}/base`,
        'required',
        `is missing: a ${field} requires the version that was edited, or 0`,
      )
  }
}

/**
 * Throws `error(id)` if the id of a new item belongs to an item of another kind, or belonged to an item that was purged. In the
 * second case, `GET /changes` would return the new item instead of the purge, and a client would keep both.
 */
export async function expectUnused(
  db: Db,
  kinds: Kinds,
  owner: string,
  added: readonly Pick<Mutation, 'item' | 'kind'>[],
  error: (id: string) => HttpError,
) {
  for (const { name, table } of kinds) {
    const ids = added.filter(({ kind }) => kind !== name).map(({ item }) => item)
    if (ids.length === 0) continue
    const items = itemsOf(db, table, owner).select('id')
    const taken = await items
      .where('id', 'in', ids)
      .unionAll(purged(db, owner, name, ids))
      .limit(1)
      .executeTakeFirst()
    if (taken) throw error(taken.id)
  }
}

/** Selects those of these ids, which no item has now, that a purged item of this kind had. */
function purged(db: Db, owner: string, name: string, ids: string[]) {
  // The last change of an item that does not exist is its purge.
  const last = changesOf(db, owner)
    .select(({ fn }) => fn.max('seq').as('seq'))
    .where('item', 'in', ids)
    .where(isEdit)
    .groupBy('item')
  const purges = changesOf(db, owner).select(sql<string>`item`.as('id'))
  return purges.where('seq', 'in', last).where('kind', '=', 'purge').where('fields', '=', name)
}

const otherKind = ({ itemField }: Scope, index: number) => idTaken(itemField ?? `changes/${index}/item`)

/** The error of a field with the id of a new item that an item of another kind has or had. */
export const idTaken = (field: string) =>
  badRequest(field, 'other-kind', 'must be a new id: an item of another kind has or had this one')

/** The error of an item that has a field without the one that it needs. */
export const needsDate = (field: string) =>
  badRequest(field, 'needs-date', 'must be null in a task without a due date')

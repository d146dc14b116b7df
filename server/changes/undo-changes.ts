import { randomUUID } from 'node:crypto'
import { changesPerGroup } from '#contract/limits.ts'
import type { Db, Schema } from '../database/schema.ts'
import { HttpError } from '../errors.ts'
import { turn } from '../fairness/turns.ts'
import { addSuccessor, findApplied, type Result, type Scope } from './change.ts'
import { type Cursors, cursorOf, openLog } from './change-log.ts'
import type { Values } from './field-values.ts'
import type { Kind, Kinds } from './item-kind.ts'
import { bytesPerCall, fieldsOf } from './later-changes.ts'
import type { Author } from './locked-account.ts'
import { bytesOfValues } from './log-rows.ts'
import type { StoredItem } from './new-changes.ts'
import { purgePart } from './purge-items.ts'
import { changesOf } from './stored-items.ts'

type UndoneChange = Pick<Schema['changes'], 'seq' | 'group_id' | 'fields' | 'before'> & {
  kind: string
  item: string
}

/**
 * Undoes one change, or with `group` all changes of its group, newest first. Throws a 409 and changes nothing if a field
 * no longer has the value that the change set. An undo is itself a change, so undoing an undo is redo. A `mutation` that
 * was applied before is not applied again.
 */
export async function undo(
  db: Db,
  author: Author,
  { seq, group, mutation = null }: { seq: number; group: boolean; mutation?: string | null },
  { kinds, quota, now, today }: Scope,
): Promise<{ items: Result[] } & Cursors> {
  const log = await openLog(db, kinds, author, now)
  const applied = mutation === null ? [] : await findApplied(db, author.userId, [mutation])
  if (applied.length > 0) {
    await log.load(
      applied.map(({ item, kind }) => ({ id: String(item), kind })),
      tooLarge,
    )
    // As the first time: each item once, with its last change.
    const last = new Map(applied.map(({ item, seq }) => [String(item), seq]))
    const items = [...last].flatMap(([item, seq]) => resultOf(log.find(item), 'duplicate', seq) ?? [])
    return { items, cursor: cursorOf(log.account) }
  }
  const changes = await findUndone(db, kinds, author.userId, seq, group)
  await log.load(
    changes.map(({ item, kind }) => ({ id: item, kind })),
    tooLarge,
  )
  const origin = { mutation, group: changes.length > 1 ? randomUUID() : null }
  const undone = new Set<StoredItem>()
  // The oldest change of an item is the last one here.
  const read = { oldest: new Map(changes.map(({ item, seq }) => [item, seq])), values: new Map() }
  const successors: { kind: Kind; id: string; seq: number }[] = []
  let bytes = 0
  for (const change of changes) {
    const wait = turn()
    if (wait) await wait
    const item = log.find(change.item)
    const fields = fieldsOf(change.fields)
    const logged = item && (await log.valuesAt(change.item, change.seq, fields, read))
    const given = logged && (await item.kind.valuesBefore(db, author.userId, logged))
    if (!given || fields.some((field) => item.row[field] !== given[field])) throw changedSince()
    const before = change.before === null ? null : JSON.parse(change.before)
    read.values.set(change.seq, before)
    const values = before
      ? await valuesBefore(db, author.userId, item, fields, before)
      : // A creation is undone by deleting.
        { deleted_at: now }
    const row = { ...item.row }
    log.edit(item, values, { ...origin, undoes: change.seq })
    // A field cannot have its old value without the one that it needs, which was removed since.
    if (before && fields.some((field) => item.row[field] !== values[field])) throw changedSince()
    if (today) await addSuccessor(log, item, row, today)
    const id = item.kind.successor?.isReopened(row, item.row) ? item.kind.successor.idOf(row) : undefined
    if (id !== undefined) successors.push({ kind: item.kind, id, seq: change.seq + 1 })
    bytes += item.kind.texts.some((text) => values[text] !== undefined) ? item.kind.bytesOf(item.row) : 0
    if (bytes > bytesPerCall) throw tooLarge()
    undone.add(item)
  }
  const items = [...undone].flatMap((item) => resultOf(item, 'applied', item.row.version) ?? [])
  const unmade = []
  let isAlone = true
  for (const { kind, id, seq } of successors) {
    const item = await log.findOrLoad(id, tooLarge)
    // A change makes its successor directly after itself. A later version was changed since, or another change made it.
    if (item?.kind !== kind || item.row.version !== seq) continue
    isAlone = false
    const [made] = await findUndone(db, kinds, author.userId, seq, false)
    if (made?.before) {
      const restored = await valuesBefore(
        db,
        author.userId,
        item,
        fieldsOf(made.fields),
        JSON.parse(made.before),
      )
      log.edit(item, restored, {})
      continue
    }
    log.edit(item, { deleted_at: now }, {})
    unmade.push({ kind, id })
  }
  const cursors = await log.save(quota, true)
  // The response does not have the successors.
  if (isAlone) return { items, ...cursors }
  // For good, so that completing the task again makes it again.
  let { cursor } = cursors
  for (const { kind, id } of unmade)
    cursor = String(await purgePart(db, { author, kind, id, behind: -1 }, now, now))
  return { items, cursor }
}

const resultOf = (
  item: StoredItem | undefined,
  outcome: Result['outcome'],
  seq: number,
): Result | undefined =>
  item && {
    kind: item.kind.name,
    item: item.kind.toItem(item.row),
    outcome,
    changed: outcome === 'applied',
    seq,
  }

async function valuesBefore(
  db: Db,
  owner: string,
  { kind }: StoredItem,
  fields: readonly string[],
  before: Values,
) {
  const values = await kind.valuesBefore(db, owner, before)
  if (!values || fields.some((field) => values[field] === undefined)) throw new HttpError('text-not-kept')
  return values
}

async function findUndone(
  db: Db,
  kinds: Kinds,
  owner: string,
  seq: number,
  group: boolean,
): Promise<UndoneChange[]> {
  const select = () =>
    changesOf(db, owner)
      .select(['seq', 'kind', 'item', 'group_id', 'fields', 'before'])
      .where(
        'kind',
        'in',
        kinds.map(({ name }) => name),
      )
      .$narrowType<UndoneChange>()
  const change = await select().where('seq', '=', seq).executeTakeFirst()
  if (!change) throw new HttpError('no-such-change')
  if (!group || change.group_id === null) return [change]
  const numbers = changesOf(db, owner)
    .select('seq')
    .where('group_id', '=', change.group_id)
    .orderBy('seq', 'desc')
    .limit(changesPerGroup + 1)
  const sizes = await changesOf(db, owner).select(bytesOfValues).where('seq', 'in', numbers).execute()
  if (sizes.length > changesPerGroup) throw new HttpError('group-too-long', { max: changesPerGroup })
  if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) > bytesPerCall) throw tooLarge()
  return await select().where('seq', 'in', numbers).orderBy('seq', 'desc').execute()
}

const tooLarge = () => new HttpError('group-too-large')

const changedSince = () => new HttpError('changed-since')

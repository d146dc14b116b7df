import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Delta } from '#contract/changes.ts'
import { deletedAt, type Fields } from '#contract/fields.ts'
import { Title } from '#contract/task-fields.ts'
import { kinds as registered } from '../app.ts'
import { HttpError } from '../errors.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { itemsIn } from '../testing/items-in.ts'
import { addUser, databaseForAll } from '../testing/open-test-database.ts'
import { accountOf, execute } from '../testing/stored-rows.ts'
import { change, type Mutation } from './change.ts'
import { findDelta } from './delta.ts'
import { type ItemSet, kindOf } from './item-kind.ts'
import { purge } from './purge-items.ts'
import { undo } from './undo-changes.ts'

/** A third kind of items, which only tests have: with an optional text, an option, a flag and an instant. */
const optional = { type: ['string', 'null'] } as const
const habitFields = {
  title: { schema: Title, column: 'title', type: 'text', isSearched: true },
  place: { schema: optional, column: 'place', type: 'text', default: null, isSearched: true },
  every: { schema: { enum: ['day', 'week'] }, column: 'every', type: 'rank', default: 'day' },
  strict: { schema: { type: 'boolean' }, column: 'strict', type: 'flag', default: false },
  kept: { schema: optional, column: 'kept_at', type: 'instant', default: null, setBy: 'kept' },
  deletedAt,
} as const satisfies Fields

const habitKind = kindOf({
  name: 'habit',
  table: 'habits',
  fields: habitFields,
  limit: { max: 1000, items: 'habits', count: async () => 0 },
})

/** SQLite stores any type that it does not know as it is. */
const table = sql`create table habits (user_id uuid not null, id uuid not null, version bigint not null,
    created_at bigint not null, deleted_at bigint, kept_at bigint, every integer not null, strict integer not null,
    title text not null, place text, folded text not null, primary key (user_id, id))`

const kinds = [...registered, habitKind]
const scope = { kinds, quota: 2 ** 30, now: 1000 }

/** A delta whose items may be of kinds that the contract does not name. */
type Shown = Omit<Delta, 'items'> & { items?: { kind: string; item: { _id: string } }[] }

onEveryEngine('a kind of items that is only declared and registered', (engine) => {
  const database = databaseForAll(engine)
  beforeAll(async () => void (await execute(database, table)))

  async function newUser() {
    const userId = await database.write((db) => addUser(db))
    const author = { userId, device: 'phone', by: 'Phone' }
    const item = randomUUID()
    const send = async (set: ItemSet, more: Partial<Mutation> = {}) =>
      (await database.write((db) => change(db, author, [{ kind: 'habit', item, set, ...more }], scope)))
        .items[0]
    const undoOne = (seq: number) => database.write((db) => undo(db, author, { seq, group: false }, scope))
    const delta = async (since?: string, limit?: number): Promise<Shown> => {
      const { seq, head } = await accountOf(database, userId)
      return await findDelta(database.read, kinds, { userId, seq, head }, { since, limit })
    }
    return { userId, author, item, send, undoOne, delta }
  }

  test('is created with its defaults, edited, merged and undone', async () => {
    const { item, send, undoOne } = await newUser()
    expect(await send({ place: 'Park' })).toMatchObject({ outcome: 'conflict', item: null })
    const defaults = { place: null, every: 'day', strict: false, kept: null, deletedAt: null }
    const created = { _id: item, title: 'Run', ...defaults, version: 1 }
    expect(await send({ title: 'Run' })).toMatchObject({ outcome: 'applied', item: created })
    await send({ place: 'Park', kept: true })
    const merged = await send({ every: 'week', strict: true }, { base: 1 })
    expect(merged).toMatchObject({ outcome: 'merged', item: { place: 'Park', every: 'week', strict: true } })
    const rejected = await send({ place: 'Beach' }, { base: 1 })
    expect(rejected).toMatchObject({ outcome: 'conflict', item: { place: 'Park' } })
    const undone = { kind: 'habit', item: { place: null, kept: null, every: 'week' } }
    expect((await undoOne(2)).items).toMatchObject([undone])
  })

  test('is in deltas and first reads, is deleted, restored and removed for good, and keeps its id from other kinds', async () => {
    const { author, item, send, delta } = await newUser()
    const start = (await delta()).cursor
    await send({ title: 'Run' })
    const task = { title: 'T', dueDate: '2026-11-21', priority: 'high' } as const
    await send(task, { kind: 'task', item: randomUUID() })
    const all = await delta()
    expect(all.items?.map(({ kind }) => kind)).toEqual(['task', 'habit'])
    const first = await delta(undefined, 1)
    expect([...itemsIn(first), ...itemsIn(await delta(first.cursor, 1))]).toEqual(itemsIn(all))
    await send({ deleted: true })
    expect(itemsIn(await delta(all.cursor))).toMatchObject([{ _id: item, deletedAt: expect.any(String) }])
    expect(await send({ deleted: false })).toMatchObject({ item: { deletedAt: null } })
    await send({ deleted: true })
    await purge(database, { author, kinds, id: item }, 2000, 2000)
    expect(await delta(start)).toMatchObject({ purged: [item], items: [{ kind: 'task' }] })
    const other = send({ text: 'Note' }, { kind: 'note', base: 0 })
    await expect(other).rejects.toMatchObject({ errors: [{ field: 'changes/0/item', code: 'other-kind' }] })
    await expect(other).rejects.toBeInstanceOf(HttpError)
    expect(await send({ title: 'Again' })).toMatchObject({ outcome: 'applied', item: { title: 'Again' } })
    const again = { kind: 'habit', item: expect.objectContaining({ title: 'Again' }) }
    expect(await delta(start)).toMatchObject({ purged: [item], items: expect.arrayContaining([again]) })
  })
})

import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Delta } from '#contract/changes.ts'
import { kinds as registered } from '../app.ts'
import { HttpError } from '../errors.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { createHabits, habitKind } from '../testing/habit-kind.ts'
import { itemsIn } from '../testing/items-in.ts'
import { addUser, databaseForAll } from '../testing/open-test-database.ts'
import { accountOf } from '../testing/stored-rows.ts'
import { change, type Mutation } from './change.ts'
import { findDelta } from './delta.ts'
import type { ItemSet } from './item-kind.ts'
import { purge } from './purge-items.ts'
import { undo } from './undo-changes.ts'

const kinds = [...registered, habitKind]
const scope = { kinds, quota: 2 ** 30, now: 1000 }

/** A delta whose items may be of kinds that the contract does not name. */
type Shown = Omit<Delta, 'items'> & { items?: { kind: string; item: { _id: string } }[] }

onEveryEngine('a kind of items that is only declared and registered', (engine) => {
  const database = databaseForAll(engine)
  beforeAll(async () => {
    await database.write(createHabits)
  })

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
    const created = { _id: item, title: 'Run', ...defaults }
    expect(await send({ title: 'Run' })).toMatchObject({
      outcome: 'applied',
      item: { ...created, version: 1 },
    })
    await send({ place: 'Park', kept: true })
    const merged = await send({ every: 'week', strict: true }, { base: 1 })
    expect(merged).toMatchObject({ outcome: 'merged', item: { place: 'Park', every: 'week', strict: true } })
    expect(await send({ place: 'Beach' }, { base: 1 })).toMatchObject({
      outcome: 'conflict',
      item: { place: 'Park' },
    })
    expect((await undoOne(2)).items).toMatchObject([
      { kind: 'habit', item: { place: null, kept: null, every: 'week' } },
    ])
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
    expect(await delta(start)).toMatchObject({
      purged: [item],
      items: expect.arrayContaining([{ kind: 'habit', item: expect.objectContaining({ title: 'Again' }) }]),
    })
  })
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { kinds } from '../app.ts'
import { change, type Mutation } from '../changes/change.ts'
import { findDelta } from '../changes/delta.ts'
import { undo } from '../changes/undo-changes.ts'
import { addUser } from '../testing/open-test-database.ts'
import { accountOf, insertRows, setAccount } from '../testing/stored-rows.ts'
import { onEveryServer } from '../testing/test-server.ts'

const whole = { title: 'T', dueDate: '2026-11-21', priority: 'high' } as const
const MiB = 2 ** 20
const room = 2 ** 30

const asTask = (mutation: Omit<Mutation, 'kind'>): Mutation => ({ kind: 'task', ...mutation })

onEveryServer('the bounds of the log of changes', ({ server }) => {
  async function account(quota = 10 * MiB) {
    const owner = await server.database.write((db) => addUser(db))
    const author = { userId: owner, device: '', by: '' }
    const limits = { kinds, quota, now: Date.now() }
    const send = async (...mutations: Omit<Mutation, 'kind'>[]) =>
      (await server.database.write((db) => change(db, author, mutations.map(asTask), limits), owner)).items
    const undoAll = (seq: number) =>
      server.database.write((db) => undo(db, author, { seq, group: true }, limits), owner)
    const totals = async () => {
      const { task_count, stored_bytes } = await accountOf(server.database, owner)
      return { task_count, stored_bytes }
    }
    return { owner, send, undoAll, totals }
  }

  test('a task that is created as deleted counts like one that is created and then deleted', async () => {
    const [one, two] = [await account(), await account()]
    const item = randomUUID()
    const [result] = await one.send({ item, set: { ...whole, deleted: true } })
    await two.send({ item, set: whole })
    await two.send({ item, set: { deleted: true } })
    expect(result).toMatchObject({ outcome: 'applied', item: { _id: item, deletedAt: expect.any(String) } })
    expect(await one.totals()).toEqual(await two.totals())
    expect((await one.totals()).stored_bytes).toBeGreaterThan(256)
  })

  test.each([
    ['replaces a long text', room, { body: 'b'.repeat(10_000) }],
    ['makes another one longer', 0, { title: 'T'.repeat(100) }],
  ])('a full account is not exceeded by a call that deletes a task and %s', async (_, beyond, set) => {
    const user = await account()
    const [kept, deleted] = [randomUUID(), randomUUID()]
    await user.send(
      { item: kept, set: { ...whole, body: 'a'.repeat(10_000) } },
      { item: deleted, set: whole },
    )
    await setAccount(server.database, user.owner, { stored_bytes: 10 * MiB + beyond })
    const deletion = { item: deleted, set: { deleted: true } }
    await expect(user.send({ item: kept, set }, deletion)).rejects.toMatchObject({ status: 409 })
    expect(await user.send(deletion)).toMatchObject([{ outcome: 'applied' }])
  })

  test('a first read returns every task once, deleted ones too, in responses of limited size', async () => {
    const user = await account()
    const rows = Array.from({ length: 4500 }, (_, index) => ({
      ...{ user_id: user.owner, id: randomUUID(), version: 0, title: 'T', body: '', priority: 1 },
      ...{ due_date: '2026-11-21', created_at: 1, deleted_at: index % 1000 === 0 ? null : 1 },
    }))
    await insertRows(server.database, 'tasks', rows)
    const { seq, head } = await accountOf(server.database, user.owner)
    const found: string[] = []
    let pages = 0
    for (let since: string | undefined, more: boolean | undefined = true; more; pages++) {
      const delta = await findDelta(server.database.read, kinds, { userId: user.owner, seq, head }, { since })
      found.push(...(delta.items ?? []).map(({ item }) => item._id))
      ;({ cursor: since, more } = delta)
    }
    expect(found).toEqual(rows.map(({ id }) => id).sort())
    expect(pages).toBe(2)
  })

  test('a group whose old values are larger than one call may read is not undone together, and nothing of it is read', async () => {
    const user = await account(100 * MiB)
    const [item, group] = [randomUUID(), randomUUID()]
    await user.send({ item, set: whole })
    for (const letter of 'abcdefghijklmnopqrstu')
      await user.send({ item, set: { body: letter.repeat(100_000) }, group })
    for (let each = 0; each < 30; each++)
      await user.send({ item, set: { body: String.fromCodePoint(0x1f600 + each).repeat(90_000) }, group })
    const refusal = { status: 409, message: expect.stringMatching(/too large|too long/) }
    await expect(user.undoAll(2)).rejects.toMatchObject(refusal)
    const tasks = server.database.read.selectFrom('tasks').select('body').where('id', '=', item)
    expect((await tasks.executeTakeFirst())?.body.slice(0, 2)).toBe(String.fromCodePoint(0x1f600 + 29))
  })
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { noteLength } from '#contract/limits.ts'
import { kinds } from '../app.ts'
import { change, type Mutation } from '../changes/change.ts'
import { findDelta } from '../changes/delta.ts'
import { undo } from '../changes/undo-changes.ts'
import { many } from '../testing/many-clients.ts'
import { addUser } from '../testing/open-test-database.ts'
import { rounds } from '../testing/rounds.ts'
import { accountOf, insertRows, setAccount } from '../testing/stored-rows.ts'
import { aTask } from '../testing/test-client.ts'
import { onEveryServer } from '../testing/test-server.ts'

const MiB = 2 ** 20
const room = 2 ** 30

onEveryServer('the bounds of the log of changes', ({ server }) => {
  async function account(quota = 10 * MiB) {
    const owner = await server.database.write((db) => addUser(db))
    const author = { userId: owner, device: '', by: '' }
    const limits = { kinds, quota, now: Date.now() }
    const sendAt = async (now: number, ...mutations: Mutation[]) =>
      (await server.database.write((db) => change(db, author, mutations, { ...limits, now }), owner)).items
    const send = (...mutations: Omit<Mutation, 'kind'>[]) =>
      sendAt(limits.now, ...mutations.map((each) => ({ kind: 'task' as const, ...each })))
    const undoAll = (seq: number) =>
      server.database.write((db) => undo(db, author, { seq, group: true }, limits), owner)
    const totals = async () => {
      const { task_count, stored_bytes } = await accountOf(server.database, owner)
      return { task_count, stored_bytes }
    }
    return { owner, send, sendAt, undoAll, totals }
  }

  test('a task that is created as deleted counts like one that is created and then deleted', async () => {
    const [one, two] = [await account(), await account()]
    const item = randomUUID()
    const [result] = await one.send({ item, set: { ...aTask, deleted: true } })
    await two.send({ item, set: aTask })
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
      { item: kept, set: { ...aTask, body: 'a'.repeat(10_000) } },
      { item: deleted, set: aTask },
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
    await user.send({ item, set: aTask })
    for (const letter of 'abcdefghijklmnopqrstu')
      await user.send({ item, set: { body: letter.repeat(100_000) }, group })
    for (let each = 0; each < 30; each++)
      await user.send({ item, set: { body: String.fromCodePoint(0x1f600 + each).repeat(90_000) }, group })
    const refusal = { status: 409, message: expect.stringMatching(/too large|too long/) }
    await expect(user.undoAll(2)).rejects.toMatchObject(refusal)
    const tasks = server.database.read.selectFrom('tasks').select('body').where('id', '=', item)
    expect((await tasks.executeTakeFirst())?.body.slice(0, 2)).toBe(String.fromCodePoint(0x1f600 + 29))
  })

  const saves = rounds(1000)
  test(`${saves} saves of a note in five minutes keep one earlier text, and a row of the log each`, async () => {
    const user = await account()
    const item = randomUUID()
    for (let base = 0; base <= saves; base++) {
      const now = base === 0 ? 0 : 10 * 60_000 + base
      const save = { item, kind: 'note', base, set: { text: 'é'.repeat(10_000) + base } } as const
      expect(await user.sendAt(now, save)).toMatchObject([{ outcome: 'applied' }])
    }
    const versions = server.database.read
      .selectFrom('versions')
      .select('seq')
      .where('user_id', '=', user.owner)
    expect(await versions.execute()).toEqual([{ seq: 1 }])
    expect((await user.totals()).stored_bytes).toBeLessThan(2 * 20_010 + (saves + 1) * 300)
  })

  test('ten devices that send a conflicting save of a note again, on top of the newest text, lose no line', async () => {
    const user = await server.newUser()
    const [item, numbers] = [randomUUID(), many(rounds(5), (number) => number)]
    const start = 'x'.repeat(noteLength.max - 2000)
    await user.send({ item, kind: 'note', base: 0, set: { text: start } })
    const devices = await Promise.all(many(10, () => user.newSession()))
    const write = async (device: (typeof devices)[number], line: string) => {
      let { note } = (await device.call(`GET /notes/${item}`)).json
      for (;;) {
        const set = { text: `${note.text}\n${line}` }
        const [result] = (await device.send({ item, kind: 'note', base: note.version, set })).json.items
        if (result?.outcome !== 'conflict') return
        if (result.item) note = result.item
      }
    }
    await Promise.all(
      devices.map(async (device, index) => {
        for (const number of numbers) await write(device, `${index} ${number}`)
      }),
    )
    const [first, ...lines] = (await user.note(item)).text.split('\n')
    expect(first === start).toBe(true)
    const all = devices.flatMap((_, index) => numbers.map((number) => `${index} ${number}`))
    expect(lines.toSorted()).toEqual(all.toSorted())
  })
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { rowBytes } from '#contract/limits.ts'
import { accountOf, logOf } from '../testing/stored-rows.ts'
import { onEveryServer, type TestUser } from '../testing/test-server.ts'

const deletedList = 'GET /list/getDeletedTasks'

onEveryServer('deleted tasks', ({ server, user }) => {
  const log = () => logOf(server.database, user.id)
  const titles = async () => (await user.call(deletedList)).json.lists.map(({ title }) => title)

  async function addDeleted(user: TestUser, title: string) {
    const { _id } = await user.addTask({ title })
    await user.deleteTask(_id)
    return _id
  }

  test('are listed, the last deleted first, open or done before, until they are restored', async () => {
    const added = ['first', 'second', 'third'].map((title) => user.addTask({ title }))
    const [first, second, third] = await Promise.all(added)
    await user.send({ item: second?._id, set: { done: true } })
    // One after the other, with a moment between: two deletions of one millisecond are ordered by their ids.
    for (const task of [second, first, third]) {
      const { at } = (await log()).at(-1) ?? { at: 0 }
      while (Date.now() <= at) await new Promise(setImmediate)
      await user.deleteTask(task?._id)
    }
    expect(await titles()).toEqual(['third', 'first', 'second'])
    await user.send({ item: third?._id, set: { deleted: false } })
    expect(await titles()).toEqual(['first', 'second'])
    expect((await user.tasks()).map(({ title }) => title)).toEqual(['third'])
  })

  test('are removed for good on request: the text is nowhere, its bytes are free, and clients get the purge', async () => {
    const { _id: kept } = await user.addTask({ title: 'Kept' })
    const item = await addDeleted(user, 'Secret')
    const { cursor } = await user.changes()
    const { status, json, headers } = await user.purge(item)
    expect([status, json]).toEqual([200, { purged: [item] }])
    expect(JSON.stringify(await log())).not.toContain('Secret')
    const counted = { task_count: 1, stored_bytes: 'Kept'.length + 4 * rowBytes }
    expect(await accountOf(server.database, user.id)).toMatchObject(counted)
    expect(await titles()).toEqual([])
    expect((await user.call(`GET /tasks/${item}`)).status).toBe(404)
    const delta = await user.changes(cursor)
    expect([delta.items, delta.purged, delta.cursor]).toEqual([[], [item], headers['changes-cursor']])
    expect((await user.call(`GET /tasks/${kept}`)).status).toBe(200)
  })

  test('cannot come back once they are removed for good, neither by a restore nor by an undo', async () => {
    const item = await addDeleted(user, 'Water the plants')
    await user.purge(item)
    expect(await user.change(item, { deleted: false })).toMatchObject({ outcome: 'conflict', item: null })
    expect((await user.undo(2)).status).toBe(404)
  })

  test('are removed for good only if they are deleted, and a repeated request changes nothing', async () => {
    const { _id: open } = await user.addTask({ title: 'Open' })
    const restored = await addDeleted(user, 'Restored')
    await user.send({ item: restored, set: { deleted: false } })
    const items = [await addDeleted(user, 'one'), await addDeleted(user, 'two')]
    expect((await user.purge(open, restored, randomUUID(), ...items)).json).toEqual({ purged: items })
    const before = await log()
    const again = await user.purge(...items)
    expect([again.json, again.headers['changes-cursor']]).toEqual([{ purged: [] }, undefined])
    expect(await log()).toEqual(before)
    expect(await user.tasks()).toHaveLength(2)
  })

  test('are removed for good by 1 to 200 ids', async () => {
    for (const items of [[], ['not an id'], Array.from({ length: 201 }, () => randomUUID())]) {
      const { status, json } = await user.purge(...items)
      expect([status, json.errors?.[0]?.field]).toEqual([400, expect.stringContaining('items')])
    }
  })
})

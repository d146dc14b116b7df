import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onEveryServer, type TestUser } from '../testing/test-server.ts'

const before = { title: 'Before', body: 'Before', dueDate: '2026-11-21', priority: 'low' } as const

onEveryServer('merging', ({ user }) => {
  const send = async (user: TestUser, ...changes: object[]) => (await user.send(...changes)).json.items

  test('an edit with If-Match that sends a field as it was in that version does not change this field', async () => {
    const { _id } = await user.addTask(before)
    const put = (body: object) =>
      user.call(`PUT /list/updateTask/${_id}`, { body, headers: { 'if-match': '"1"' } })
    await put({ ...before, title: 'Theirs' })
    const { status, json } = await put({ ...before, body: 'Mine' })
    expect([status, json.task]).toMatchObject([200, { title: 'Theirs', body: 'Mine', version: 3 }])
    expect((await put({ ...before, title: 'Mine', body: 'Mine too' })).status).toBe(409)
    expect((await put(before)).json.task).toMatchObject({ title: 'Theirs', body: 'Mine', version: 3 })
  })

  test('an edit is compared with the earlier changes of the same call too', async () => {
    const { _id: item } = await user.addTask(before)
    const results = await send(
      user,
      { item, base: 1, set: { title: 'One' } },
      { item, base: 1, set: { title: 'Two' } },
      { item, base: 1, set: { title: 'Before', body: 'Two' } },
    )
    expect(results).toMatchObject([
      { outcome: 'applied', item: { title: 'One' } },
      { outcome: 'conflict', item: { title: 'One' } },
      { outcome: 'merged', item: { title: 'One', body: 'Two' } },
    ])
  })

  test('an edit whose base is a version that does not exist yet is a conflict', async () => {
    const { _id: item } = await user.addTask(before)
    expect(await send(user, { item, base: 99, set: { title: 'One' } })).toMatchObject([
      { outcome: 'conflict' },
    ])
    const guessed = await send(
      user,
      { item, set: { title: 'One' } },
      { item, base: 2, set: { title: 'Two' } },
      { item, base: 3, set: { title: 'Three' } },
    )
    expect(guessed.map(({ outcome }) => outcome)).toEqual(['applied', 'applied', 'applied'])
  })

  test('a task that others have reopened and completed again is reopened: it is done as in the version of the edit', async () => {
    const { _id: item } = await user.addTask(before)
    const earlier = new Date(Date.now() - 3_600_000).toISOString()
    await send(user, { item, at: earlier, set: { done: true } })
    await send(user, { item, set: { done: false } }, { item, set: { done: true } })
    expect(await send(user, { item, base: 2, set: { done: false } })).toMatchObject([
      { outcome: 'merged', item: { doneAt: null } },
    ])
  })

  test('a mutation that was a conflict is one again if it is repeated in the same call, because it was not applied', async () => {
    const { _id: item } = await user.addTask(before)
    await send(user, { item, set: { title: 'Theirs' } })
    const edit = { mutation: randomUUID(), item, base: 1, set: { title: 'Mine' } }
    expect((await send(user, edit, edit)).map(({ outcome }) => outcome)).toEqual(['conflict', 'conflict'])
  })
})

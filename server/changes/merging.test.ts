import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { onEveryServer } from '../testing/test-server.ts'

const before = { title: 'Before', body: 'Before', dueDate: '2026-11-21', priority: 'low' } as const

onEveryServer('merging', ({ user }) => {
  const send = async (...changes: object[]) => (await user.send(...changes)).json.items

  test('an edit is compared with the earlier changes of the same call too', async () => {
    const { _id: item } = await user.addTask(before)
    const sets = [{ title: 'One' }, { title: 'Two' }, { title: 'Before', body: 'Two' }]
    expect(await send(...sets.map((set) => ({ item, base: 1, set })))).toMatchObject([
      { outcome: 'applied', item: { title: 'One' } },
      { outcome: 'conflict', item: { title: 'One' } },
      { outcome: 'merged', item: { title: 'One', body: 'Two' } },
    ])
  })

  test('an edit whose base is a version that does not exist yet is a conflict', async () => {
    const { _id: item } = await user.addTask(before)
    expect((await user.change(item, { title: 'One' }, { base: 99 })).outcome).toBe('conflict')
    const edits = [undefined, 2, 3].map((base) => ({ item, base, set: { title: `On ${base}` } }))
    const guessed = await send(...edits)
    expect(guessed.map(({ outcome }) => outcome)).toEqual(['applied', 'applied', 'applied'])
  })

  test('a task that others have reopened and completed again is reopened: it is done as in the version of the edit', async () => {
    const { _id: item } = await user.addTask(before)
    const earlier = new Date(Date.now() - 3_600_000).toISOString()
    await send({ item, at: earlier, set: { done: true } })
    await send({ item, set: { done: false } }, { item, set: { done: true } })
    const reopened = await user.change(item, { done: false }, { base: 2 })
    expect(reopened).toMatchObject({ outcome: 'merged', item: { doneAt: null } })
  })

  test('a mutation that was a conflict is one again if it is repeated in the same call, because it was not applied', async () => {
    const { _id: item } = await user.addTask(before)
    await send({ item, set: { title: 'Theirs' } })
    const edit = { mutation: randomUUID(), item, base: 1, set: { title: 'Mine' } }
    expect((await send(edit, edit)).map(({ outcome }) => outcome)).toEqual(['conflict', 'conflict'])
  })
})

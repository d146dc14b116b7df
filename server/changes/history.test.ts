import { expect, test } from 'vitest'
import { insertTask, updateTask } from '../tasks/task-writes.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { addUser, openTestDatabase } from '../testing/open-test-database.ts'
import { findHistory } from './history.ts'

const draft = { title: 'A', dueDate: '2026-11-21', priority: 'high' } as const

onEveryEngine('the history of an item', (engine) => {
  test('contains no change that was made after its task was read', async () => {
    const database = await openTestDatabase(engine)
    const author = { userId: await database.write((db) => addUser(db)), device: '' }
    const limits = { quota: 2 ** 30, now: 0 }
    const { task } = await database.write((db) => insertTask(db, author, draft, limits))
    let queries = 0
    const read = database.read.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (++queries === 1)
          await database.write((db) => updateTask(db, author, task._id, { ...draft, title: 'B' }, limits))
        return result
      },
    })
    const history = await findHistory(read, author, task._id, undefined)
    expect(queries).toBeGreaterThan(1)
    expect(history?.changes).toMatchObject([{ seq: 1, changed: { title: { before: null, after: 'A' } } }])
    await database.close()
  })

  test('begins with the creation, before the first edit and after it, and also if an earlier version wrote the log', async () => {
    const database = await openTestDatabase(engine)
    const author = { userId: await database.write((db) => addUser(db)), device: '' }
    const limits = { quota: 2 ** 30, now: 0 }
    const { task } = await database.write((db) => insertTask(db, author, draft, limits))
    const titles = async () =>
      (await findHistory(database.read, author, task._id, undefined))?.changes.map(
        ({ changed }) => changed.title,
      )
    const edit = (title: string) =>
      database.write((db) => updateTask(db, author, task._id, { ...draft, title }, limits))
    const created = { before: null, after: 'A' }
    expect(await titles()).toEqual([created])
    await edit('B')
    expect(await titles()).toEqual([{ before: 'A', after: 'B' }, created])
    await database.write((db) => db.updateTable('changes').set({ previous: null }).execute())
    await edit('C')
    expect(await titles()).toEqual([{ before: 'B', after: 'C' }, { before: 'A', after: 'B' }, created])
    await database.close()
  })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Priority } from '#contract/tasks.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { startTestServer, type TestServer, type TestUser } from '../testing/test-server.ts'

const priorityLists = {
  high: 'GET /list/getHighPriorityTasks',
  medium: 'GET /list/getMediumPriorityTasks',
  low: 'GET /list/getLowPriorityTasks',
}
const allLists = ['GET /list/getTodayTasks', 'GET /list/getLatestTasks', ...Object.values(priorityLists)]

onEveryEngine('task lists', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(engine)
  })
  afterAll(() => server.close())

  const titles = async (user: TestUser, list: string) =>
    (await user.call(list)).json.lists.map(({ title }) => title)

  test.each(allLists)('%s of a new account is empty', async (list) => {
    const { status, json } = await (await server.newUser()).call(list)
    expect({ status, json }).toEqual({ status: 200, json: { lists: [] } })
  })

  test('the latest list contains every task, newest first', async () => {
    const user = await server.newUser()
    await user.addTask({ title: 'first', dueDate: '2030-01-01', priority: 'low' })
    await user.addTask({ title: 'second', dueDate: '2020-01-01', priority: 'high' })
    await user.addTask({ title: 'third', dueDate: '2025-01-01', priority: 'medium' })
    expect(await titles(user, 'GET /list/getLatestTasks')).toEqual(['third', 'second', 'first'])
  })

  test('tasks added within one millisecond are listed in the order in which they were added', async () => {
    const user = await server.newUser()
    const added = Array.from({ length: 40 }, (_, number) => `${number}`)
    for (const title of added) await user.addTask({ title })
    expect(await titles(user, 'GET /list/getLatestTasks')).toEqual(added.toReversed())
    expect(await titles(user, 'GET /list/getLowPriorityTasks')).toEqual(added)
  })

  test.each(Object.entries(priorityLists))(
    'the %s list contains only that priority',
    async (priority, list) => {
      const user = await server.newUser()
      for (const each of ['low', 'high', 'medium'] as const) await user.addTask({ priority: each })
      const { json } = await user.call(list)
      expect(json.lists.map((task) => task.priority)).toEqual([priority])
    },
  )

  test.each(Object.entries(priorityLists))(
    'the %s list is sorted by due date, earliest first',
    async (name, list) => {
      const user = await server.newUser()
      const priority = name as Priority
      const days = ['2026-12-01', '0001-01-01', '2026-02-28', '9999-12-31', '1999-12-31', '2024-02-29']
      for (const dueDate of days) await user.addTask({ title: dueDate, dueDate, priority })
      expect(await titles(user, list)).toEqual(days.toSorted())
    },
  )

  test('tasks due on the same day are listed in the order in which they were added, not by title', async () => {
    const user = await server.newUser()
    const added = ['b', 'A', 'a', 'B', 'ä', 'Z', '_', '10', '9', 'ß', 'İ', '-a', 'あ', '😀']
    for (const title of added) await user.addTask({ title, dueDate: '2020-02-02', priority: 'medium' })
    expect(await titles(user, 'GET /list/getMediumPriorityTasks')).toEqual(added)
    expect(await titles(user, 'GET /list/getTodayTasks')).toEqual(added)
    expect(await titles(user, 'GET /list/getLatestTasks')).toEqual(added.toReversed())
  })

  test('an edited task moves to its new position', async () => {
    const user = await server.newUser()
    const task = await user.addTask({ title: 'moved', dueDate: '2026-03-03', priority: 'low' })
    await user.addTask({ title: 'fixed', dueDate: '2026-02-02', priority: 'high' })
    await user.call(`PUT /list/updateTask/${task._id}`, {
      body: { title: 'moved', dueDate: '2026-01-01', priority: 'high' },
    })
    expect(await titles(user, priorityLists.low)).toEqual([])
    expect(await titles(user, priorityLists.high)).toEqual(['moved', 'fixed'])
    expect(await titles(user, 'GET /list/getLatestTasks')).toEqual(['fixed', 'moved'])
  })
})

import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { execute } from '../testing/stored-rows.ts'
import { onEveryServer } from '../testing/test-server.ts'

const priorityLists = {
  high: 'GET /list/getHighPriorityTasks',
  medium: 'GET /list/getMediumPriorityTasks',
  low: 'GET /list/getLowPriorityTasks',
}
const doneList = 'GET /list/getDoneTasks'
const openLists = ['GET /list/getTodayTasks', 'GET /list/getLatestTasks', ...Object.values(priorityLists)]
const allLists = [...openLists, doneList]

onEveryServer('task lists', ({ server, user }) => {
  const titles = async (list: string) => (await user.call(list)).json.lists.map(({ title }) => title)

  test.each(allLists)('%s of a new account is empty', async (list) => {
    const { status, json } = await user.call(list)
    expect({ status, json }).toEqual({ status: 200, json: { lists: [] } })
  })

  test('the latest list contains every task, newest first', async () => {
    await user.addTask({ title: 'first', dueDate: '2030-01-01', priority: 'low' })
    await user.addTask({ title: 'second', dueDate: '2020-01-01', priority: 'high' })
    await user.addTask({ title: 'third', dueDate: '2025-01-01', priority: 'medium' })
    expect(await titles('GET /list/getLatestTasks')).toEqual(['third', 'second', 'first'])
  })

  test('each list comes with the cursor of the newest change of its own account', async () => {
    const users = [await server.newUser(), await server.newUser()]
    for (const user of users) {
      await user.addTask()
      const { cursor } = (await user.call('GET /changes')).json
      for (const list of allLists) expect((await user.call(list)).headers['changes-cursor']).toBe(cursor)
    }
  })

  async function addOfEachPriority(days: string[]) {
    for (const dueDate of days)
      for (const priority of ['low', 'high', 'medium'] as const)
        await user.addTask({ title: `${dueDate} ${priority}`, dueDate, priority })
  }

  test.each(Object.entries(priorityLists))(
    'the %s list contains only that priority, sorted by due date, earliest first',
    async (name, list) => {
      const days = ['2026-12-01', '1970-01-01', '2026-02-28', '2200-12-31', '1999-12-31', '2024-02-29']
      await addOfEachPriority(days)
      expect(await titles(list)).toEqual(days.toSorted().map((day) => `${day} ${name}`))
    },
  )

  test.each([
    ['Today', ['2020-01-02', '2020-01-01', '2019-12-31'], '2199-12-30'],
    ['Upcoming', ['2199-12-31', '2199-12-29', '2199-12-30'], '2020-01-01'],
  ])(
    'the list %s is sorted by due date, earliest first, and then by priority, high before medium before low',
    async (name, days, other) => {
      await addOfEachPriority(days)
      await user.addTask({ title: 'Of the other list', dueDate: other, priority: 'high' })
      expect(await titles(`GET /list/get${name}Tasks`)).toEqual(
        days.toSorted().flatMap((day) => ['high', 'medium', 'low'].map((priority) => `${day} ${priority}`)),
      )
    },
  )

  test('a stored day before 1970 or after 2200 is listed', async () => {
    const days = ['0001-01-01', '9999-12-31']
    for (const due_date of days) {
      const { _id } = await user.addTask({ title: due_date, priority: 'low' })
      await execute(server.database, sql`update tasks set due_date = ${due_date} where id = ${_id}`)
    }
    expect(await titles(priorityLists.low)).toEqual(days)
  })

  test('tasks due on the same day, also those of one millisecond, are listed in the order in which they were added, not by title', async () => {
    const odd = ['b', 'A', 'a', 'B', 'ä', 'Z', '_', '10', '9', 'ß', 'İ', '-a', 'あ', '😀']
    const added = [...odd, ...Array.from({ length: 30 }, (_, number) => `${number}`)]
    for (const title of added) await user.addTask({ title, dueDate: '2020-02-02', priority: 'medium' })
    expect(await titles('GET /list/getMediumPriorityTasks')).toEqual(added)
    expect(await titles('GET /list/getTodayTasks')).toEqual(added)
    expect(await titles('GET /list/getLatestTasks')).toEqual(added.toReversed())
  })

  test('an edited task moves to its new position', async () => {
    const task = await user.addTask({ title: 'moved', dueDate: '2026-03-03', priority: 'low' })
    await user.addTask({ title: 'fixed', dueDate: '2026-02-02', priority: 'high' })
    await user.editTask(task._id, { title: 'moved', dueDate: '2026-01-01', priority: 'high' })
    expect(await titles(priorityLists.low)).toEqual([])
    expect(await titles(priorityLists.high)).toEqual(['moved', 'fixed'])
    expect(await titles('GET /list/getLatestTasks')).toEqual(['fixed', 'moved'])
  })

  test('a completed task is in the list of done tasks alone, the last completed first, until it is reopened or deleted', async () => {
    const tasks = []
    for (const title of ['first', 'second', 'third'])
      tasks.push(await user.addTask({ title, dueDate: '2020-01-01', priority: 'high' }))
    const [first = '', second = '', third = ''] = tasks.map(({ _id }) => _id)
    for (const id of [second, third, first]) {
      await user.change(id, { done: true })
      const [newest] = (await user.call(doneList)).json.lists
      // The order is that of the instants: the next one is later.
      await vi.waitUntil(() => Date.now() > Date.parse(String(newest?.doneAt)))
    }
    expect(await titles(doneList)).toEqual(['first', 'third', 'second'])
    for (const list of openLists) expect(await titles(list)).toEqual([])
    await user.change(third, { done: false })
    await user.change(second, { deleted: true })
    expect(await titles(doneList)).toEqual(['first'])
    for (const list of ['GET /list/getTodayTasks', 'GET /list/getLatestTasks', priorityLists.high])
      expect(await titles(list)).toEqual(['third'])
  })
})

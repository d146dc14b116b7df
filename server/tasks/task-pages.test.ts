import { beforeAll, expect, test } from 'vitest'
import { pageSize } from '#contract/limits.ts'
import { onEveryServer, userForAll } from '../testing/test-server.ts'

const lists = [
  ...['GET /list/getTodayTasks', 'GET /list/getLatestTasks', 'GET /list/getHighPriorityTasks'],
  ...['GET /list/getMediumPriorityTasks', 'GET /list/getLowPriorityTasks', 'GET /list/getDoneTasks'],
  'GET /list/getDeletedTasks',
]

const lengthOf = (list: string) => (/Priority|Done|Deleted/.test(list) ? 7 : 21)

onEveryServer('pages of a list', ({ server, user }) => {
  const reader = userForAll(server)
  beforeAll(async () => {
    // Seven tasks per list, with equal values in every sort column except the id.
    for (const priority of ['high', 'medium', 'low'] as const) {
      for (const day of [2, 1, 2, 3, 1, 2, 2]) await reader.addTask({ priority, dueDate: `2020-01-0${day}` })
    }
    const changes = []
    for (let count = 0; count < 7; count++) {
      for (const set of [{ done: true }, { deleted: true }])
        changes.push({ item: (await reader.addTask())._id, set })
    }
    await reader.send(...changes)
  })

  const pages = async (list: string, limit: number) =>
    (await reader.pages(`${list}?limit=${limit}`)).map(({ lists }) => lists)

  test.each(lists)('%s returns each task once and in the same order for every page size', async (list) => {
    const whole = (await reader.call(list)).json.lists
    expect(whole).toHaveLength(lengthOf(list))
    for (const limit of [1, 2, 3, 6, 8]) expect((await pages(list, limit)).flat()).toEqual(whole)
  })

  test.each(lists)(
    '%s returns a nextCursor on every page but the last, even if the last page is full',
    async (list) => {
      const count = lengthOf(list)
      const sizes = async (limit: number) => (await pages(list, limit)).map(({ length }) => length)
      expect(await sizes(count)).toEqual([count])
      expect(await sizes(count - 1)).toEqual([count - 1, 1])
      expect(await sizes(7)).toEqual(Array(count / 7).fill(7))
    },
  )

  test('a cursor can be used with a different limit, and repeatedly', async () => {
    const whole = (await reader.call('GET /list/getLatestTasks')).json.lists
    const first = (await reader.call('GET /list/getLatestTasks?limit=2')).json
    for (let times = 0; times < 2; times++) {
      const rest = await reader.call(`GET /list/getLatestTasks?limit=200&cursor=${first.nextCursor}`)
      expect([...first.lists, ...rest.json.lists]).toEqual(whole)
    }
  })

  test('a page has 50 tasks by default and at most 200', async () => {
    for (let added = 0; added < 201; added += 3)
      await Promise.all([user.addTask(), user.addTask(), user.addTask()])
    for (const [limit, length] of Object.entries({ '': pageSize.default, '?limit=200': pageSize.max })) {
      const { json } = await user.call(`GET /list/getLatestTasks${limit}`)
      expect(json).toMatchObject({ lists: { length }, nextCursor: expect.any(String) })
    }
  })

  test('tasks added between two page requests cause no task to be skipped or repeated', async () => {
    const old = []
    for (const title of ['1', '2', '3', '4']) old.unshift(await user.addTask({ title }))
    const first = await user.call('GET /list/getLatestTasks?limit=2')
    await user.addTask({ title: 'new' })
    const second = await user.call(`GET /list/getLatestTasks?limit=2&cursor=${first.json.nextCursor}`)
    expect([...first.json.lists, ...second.json.lists]).toEqual(old)
  })

  test('a task added after the position of the cursor is listed at its place', async () => {
    for (const day of [1, 2, 4]) await user.addTask({ title: `${day}`, dueDate: `2020-01-0${day}` })
    const first = await user.call('GET /list/getTodayTasks?limit=2')
    await user.addTask({ title: '3', dueDate: '2020-01-03' })
    const second = await user.call(`GET /list/getTodayTasks?cursor=${first.json.nextCursor}`)
    expect(second.json.lists.map(({ title }) => title)).toEqual(['3', '4'])
  })

  test('a cursor of an earlier day shows no task that is due on the present day as one that is to come', async () => {
    // The days of these zones always differ.
    const [before, after] = ['Etc/GMT+12', 'Pacific/Kiritimati']
    const today = Temporal.Now.plainDateISO(after)
    for (const days of [0, 0, 2]) await user.addTask({ title: `${days}`, dueDate: `${today.add({ days })}` })
    const page = (zone: string, query: string) =>
      user.call(`GET /list/getUpcomingTasks${query}`, { headers: { 'time-zone': zone } })
    const { lists: first, nextCursor } = (await page(before, '?limit=1')).json
    expect(first.map(({ title }) => title)).toEqual(['0'])
    const rest = await page(after, `?cursor=${nextCursor}`)
    expect(rest.json.lists.map(({ title }) => title)).toEqual(['2'])
  })

  test('tasks deleted between two page requests, including the last one returned, cause no other task to be skipped, and an empty last page if none is left', async () => {
    for (const title of ['1', '2', '3', '4', '5', '6']) await user.addTask({ title })
    const { lists, nextCursor } = (await user.call('GET /list/getLowPriorityTasks?limit=3')).json
    for (const { _id } of lists.slice(1)) await user.deleteTask(_id)
    const rest = async () => (await user.call(`GET /list/getLowPriorityTasks?cursor=${nextCursor}`)).json
    const second = await rest()
    expect(second.lists.map(({ title }) => title)).toEqual(['4', '5', '6'])
    expect(second).not.toHaveProperty('nextCursor')
    for (const { _id } of second.lists) await user.deleteTask(_id)
    expect(await rest()).toEqual({ lists: [] })
  })
})

import { beforeAll, expect, test } from 'vitest'
import { pageSize } from '#contract/limits.ts'
import { onEveryServer, type TestUser, userForAll } from '../testing/test-server.ts'

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

  /** Reads pages until one has no nextCursor. */
  async function pages(user: TestUser, list: string, limit: number) {
    const found = []
    for (let cursor = ''; ; ) {
      const { json } = await user.call(`${list}?limit=${limit}${cursor && `&cursor=${cursor}`}`)
      found.push(json.lists)
      if (!('nextCursor' in json)) return found
      cursor = json.nextCursor
    }
  }

  test.each(lists)('%s returns each task once and in the same order for every page size', async (list) => {
    const whole = (await reader.call(list)).json.lists
    expect(whole).toHaveLength(lengthOf(list))
    for (const limit of [1, 2, 3, 6, 8]) expect((await pages(reader, list, limit)).flat()).toEqual(whole)
  })

  test.each(lists)(
    '%s returns a nextCursor on every page but the last, even if the last page is full',
    async (list) => {
      const count = lengthOf(list)
      const sizes = async (limit: number) => (await pages(reader, list, limit)).map(({ length }) => length)
      expect(await sizes(count)).toEqual([count])
      expect(await sizes(count - 1)).toEqual([count - 1, 1])
      expect(await sizes(7)).toEqual(Array(count / 7).fill(7))
    },
  )

  test('a cursor can be used with a different limit', async () => {
    const whole = (await reader.call('GET /list/getLatestTasks')).json.lists
    const first = await reader.call('GET /list/getLatestTasks?limit=2')
    const rest = await reader.call(`GET /list/getLatestTasks?limit=200&cursor=${first.json.nextCursor}`)
    expect([...first.json.lists, ...rest.json.lists]).toEqual(whole)
  })

  test('a cursor can be used repeatedly and returns the same page', async () => {
    const { json } = await reader.call('GET /list/getTodayTasks?limit=5')
    const next = `GET /list/getTodayTasks?limit=5&cursor=${json.nextCursor}`
    expect((await reader.call(next)).text).toBe((await reader.call(next)).text)
  })

  test('a page has 50 tasks by default and at most 200', async () => {
    for (let added = 0; added < 201; added += 3)
      await Promise.all([user.addTask(), user.addTask(), user.addTask()])
    const sizes = async (limit: string) => (await user.call(`GET /list/getLatestTasks${limit}`)).json
    expect((await sizes('')).lists).toHaveLength(pageSize.default)
    expect((await sizes('?limit=1')).lists).toHaveLength(1)
    expect((await sizes('?limit=200')).lists).toHaveLength(pageSize.max)
    expect((await sizes('?limit=200')).nextCursor).toEqual(expect.any(String))
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

  test('tasks deleted between two page requests, including the last one returned, cause no other task to be skipped', async () => {
    for (const title of ['1', '2', '3', '4', '5', '6']) await user.addTask({ title })
    const first = await user.call('GET /list/getLowPriorityTasks?limit=3')
    for (const { _id } of first.json.lists.slice(1)) await user.call(`DELETE /list/deleteTask/${_id}`)
    const second = await user.call(`GET /list/getLowPriorityTasks?cursor=${first.json.nextCursor}`)
    expect(second.json.lists.map(({ title }) => title)).toEqual(['4', '5', '6'])
    expect(second.json).not.toHaveProperty('nextCursor')
  })

  test('a cursor returns an empty last page if all tasks after it were deleted', async () => {
    const tasks = [await user.addTask(), await user.addTask()]
    const { json } = await user.call('GET /list/getLowPriorityTasks?limit=1')
    for (const { _id } of tasks) await user.call(`DELETE /list/deleteTask/${_id}`)
    const rest = await user.call(`GET /list/getLowPriorityTasks?cursor=${json.nextCursor}`)
    expect(rest.json).toEqual({ lists: [] })
  })
})

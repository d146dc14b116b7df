import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../new-id.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { sendChanges } from '../testing/send-changes.ts'
import { startTestServer, type TestServer, type TestUser } from '../testing/test-server.ts'

const zone = { 'time-zone': 'Etc/UTC' }
const today = () => Temporal.Now.plainDateISO('Etc/UTC')
const day = (offset: number) => today().add({ days: offset }).toString()
const moveAll = (user: TestUser) => user.call('POST /tasks/moveOverdue', { headers: zone })

onEveryEngine('moving all overdue tasks to today', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(engine)
  })
  afterAll(() => server.close())

  /** Adds overdue tasks in as few calls as possible. */
  async function addOverdue(user: TestUser, count: number, body = '') {
    const set = { title: 'Overdue', dueDate: '2020-01-01', priority: 'low', body }
    for (let added = 0; added < count; added += 200)
      await sendChanges(
        user,
        ...Array.from({ length: Math.min(200, count - added) }, () => ({ item: newId(), set })),
      )
  }
  const overdueOf = async (user: TestUser) =>
    (await user.call('GET /list/getTodayTasks?limit=200', { headers: zone })).json.lists.filter(
      ({ dueDate }) => dueDate < day(0),
    )

  test('moves the open ones and no other task, and one undo brings all of them back', async () => {
    const [user, stranger] = [await server.newUser(), await server.newUser()]
    const others = await stranger.addTask({ dueDate: day(-3) })
    const [first, second] = [
      await user.addTask({ dueDate: day(-3) }),
      await user.addTask({ dueDate: day(-1) }),
    ]
    const [due, later] = [await user.addTask({ dueDate: day(0) }), await user.addTask({ dueDate: day(1) })]
    const [done, deleted] = [
      await user.addTask({ dueDate: day(-2) }),
      await user.addTask({ dueDate: day(-2) }),
    ]
    await sendChanges(
      user,
      { item: done._id, set: { done: true } },
      { item: deleted._id, set: { deleted: true } },
    )
    const { json, headers } = await moveAll(user)
    expect([json.tasks.map(({ _id, dueDate }) => [_id, dueDate]), json.more]).toEqual([
      [
        [first._id, day(0)],
        [second._id, day(0)],
      ],
      false,
    ])
    const dueOf = async (task: { _id: string }) =>
      (await user.call(`GET /tasks/${task._id}`)).json.task.dueDate
    for (const task of [due, later]) expect(await dueOf(task)).toBe(task.dueDate)
    for (const task of [done, deleted]) expect(await dueOf(task)).toBe(day(-2))
    expect((await stranger.call(`GET /tasks/${others._id}`)).json.task).toEqual(others)
    const seq = Number.parseInt(String(headers['changes-cursor']), 10)
    const undone = await user.call(`POST /changes/${seq}/undo?group=true`)
    expect(undone.json.items).toHaveLength(2)
    expect([await dueOf(first), await dueOf(second)]).toEqual([day(-3), day(-1)])
  })

  test('moves 2,000 tasks at once, and undoes and redoes them at once', async () => {
    const user = await server.newUser()
    await addOverdue(user, 2001)
    const { json, headers } = await moveAll(user)
    expect([json.tasks.length, json.more]).toEqual([2000, true])
    expect(await overdueOf(user)).toHaveLength(1)
    const undo = (cursor: unknown) =>
      user.call(`POST /changes/${Number.parseInt(String(cursor), 10)}/undo?group=true`)
    const undone = await undo(headers['changes-cursor'])
    expect([undone.status, undone.json.items.length]).toEqual([200, 2000])
    expect((await undo(undone.json.cursor)).json.items).toHaveLength(2000)
    const rest = await moveAll(user)
    expect([rest.json.tasks.length, rest.json.more]).toEqual([1, false])
    expect(await overdueOf(user)).toEqual([])
  })

  test('moves no more long texts at once than can be undone together', async () => {
    const user = await server.newUser()
    for (let count = 0; count < 5; count++) await addOverdue(user, 10, 'x'.repeat(95_000))
    const { json, headers } = await moveAll(user)
    expect(json.more).toBe(true)
    expect(json.tasks.length).toBeGreaterThan(30)
    const seq = Number.parseInt(String(headers['changes-cursor']), 10)
    expect((await user.call(`POST /changes/${seq}/undo?group=true`)).status).toBe(200)
    await moveAll(user)
    expect((await moveAll(user)).json.more).toBe(false)
    expect(await overdueOf(user)).toEqual([])
  })

  test('without an overdue task changes nothing', async () => {
    const user = await server.newUser()
    await user.addTask({ dueDate: day(0) })
    const { cursor } = (await user.call('GET /changes')).json
    const { status, json, headers } = await moveAll(user)
    expect([status, json]).toEqual([200, { tasks: [], more: false }])
    expect(headers['changes-cursor']).toBe(cursor)
  })

  test('that is asked for twice at once moves each task once', async () => {
    const user = await server.newUser()
    await addOverdue(user, 20)
    const answers = await Promise.all([moveAll(user), moveAll(user)])
    expect(answers.map(({ json }) => json.tasks.length).sort()).toEqual([0, 20])
  })
})

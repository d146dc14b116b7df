import { afterAll, beforeAll, expect, test } from 'vitest'
import { onEveryEngine } from '../testing/engines.ts'
import { sendChanges } from '../testing/send-changes.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const november = 'GET /tasks/openDays?from=2026-11-01&to=2026-11-30'

onEveryEngine('the days with open tasks', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(engine)
  })
  afterAll(() => server.close())

  test('are those of a range, with the number of open tasks, and not those of someone else', async () => {
    const [user, stranger] = [await server.newUser(), await server.newUser()]
    await stranger.addTask({ dueDate: '2026-11-05' })
    for (const dueDate of ['2026-11-30', '2026-11-02', '2026-11-02', '2026-10-31', '2026-12-01'])
      await user.addTask({ dueDate })
    const [done, deleted] = [
      await user.addTask({ dueDate: '2026-11-03' }),
      await user.addTask({ dueDate: '2026-11-04' }),
    ]
    await sendChanges(
      user,
      { item: done._id, set: { done: true } },
      { item: deleted._id, set: { deleted: true } },
    )
    expect((await user.call(november)).json).toEqual({
      days: [
        { day: '2026-11-02', tasks: 2 },
        { day: '2026-11-30', tasks: 1 },
      ],
    })
  })

  test.each([
    ['from=2026-11-01', 'to'],
    ['from=2026-11-31&to=2026-12-01', 'from'],
    ['from=2026-11-02&to=2026-11-01', 'to'],
    ['from=2026-01-01&to=2026-03-04', 'to'],
    ['from=1970-01-01&to=2200-12-31', 'to'],
  ])('of the range %s are rejected with the field %s', async (range, field) => {
    const user = await server.newUser()
    const { status, json } = await user.call(`GET /tasks/openDays?${range}`)
    expect([status, json.errors?.[0]?.field]).toEqual([400, field])
  })

  test('may be asked for up to 62 days at once', async () => {
    const user = await server.newUser()
    expect((await user.call('GET /tasks/openDays?from=2026-01-01&to=2026-03-03')).json).toEqual({ days: [] })
  })
})

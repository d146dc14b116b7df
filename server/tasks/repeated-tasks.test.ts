import { afterAll, beforeAll, expect, test } from 'vitest'
import { tasksPerUser } from '#contract/limits.ts'
import { nextId } from '#contract/repeats.ts'
import { newId } from '../new-id.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { fieldErrorOf } from '../testing/field-error.ts'
import { startTestServer, type TestServer, type TestUser } from '../testing/test-server.ts'

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const draft = { title: 'Water the plants', body: '- [x] fern', dueDate: day(0), priority: 'high' } as const

onEveryEngine('repeated tasks', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(engine)
  })
  afterAll(() => server.close())

  const change = (user: TestUser, item: string, set: object, more: object = {}) =>
    user.call('POST /changes', { body: { changes: [{ mutation: newId(), item, set, ...more }] } })
  const changed = async (user: TestUser, item: string, set: object, more?: object) =>
    (await change(user, item, set, more)).json.items[0] as unknown as {
      seq: number
      outcome: string
      item: Record<string, unknown>
    }
  const open = async (user: TestUser) => (await user.call('GET /list/getLatestTasks')).json.lists
  const undo = (user: TestUser, seq: number) => user.call(`POST /changes/${seq}/undo`)

  async function daily(user: TestUser, more: object = {}) {
    const id = newId()
    await changed(user, id, { ...draft, repeat: 'FREQ=DAILY', ...more })
    return id
  }

  test('completing makes one next task, with the body’s boxes open, and the creation time of its predecessor', async () => {
    const user = await server.newUser()
    const id = await daily(user, { dueTime: '08:00' })
    const { item } = await changed(user, id, { done: true }, { day: day(0) })
    expect(item).toMatchObject({ series: id, repeatDay: day(0) })
    expect(await open(user)).toMatchObject([
      {
        ...{
          _id: nextId(id, id),
          title: draft.title,
          body: '- [ ] fern',
          priority: 'high',
          dueTime: '08:00',
        },
        ...{
          dueDate: day(1),
          repeatDay: day(1),
          repeat: 'FREQ=DAILY',
          series: id,
          createdAt: item.createdAt,
        },
      },
    ])
    await changed(user, id, { done: false })
    await changed(user, id, { done: true }, { day: day(0) })
    expect(await open(user)).toHaveLength(1)
  })

  test('an undo of a completion removes its next task for good, unless it was changed, and a redo makes it again', async () => {
    const user = await server.newUser()
    const id = await daily(user)
    const { seq } = await changed(user, id, { done: true }, { day: day(0) })
    const { json: undone } = await undo(user, seq)
    expect((await open(user)).map(({ _id }) => _id)).toEqual([id])
    expect((await user.call(`GET /tasks/${nextId(id, id)}`)).status).toBe(404)
    await undo(user, (undone.items[0] as unknown as { seq: number }).seq)
    expect((await open(user)).map(({ _id }) => _id)).toEqual([nextId(id, id)])
    await changed(user, nextId(id, id), { title: 'Water the fern' })
    const again = await changed(user, id, { done: false })
    expect(again.outcome).toBe('applied')
    const { seq: second } = await changed(user, id, { done: true })
    await undo(user, second)
    expect((await open(user)).map(({ title }) => title).sort()).toEqual([
      'Water the fern',
      'Water the plants',
    ])
  })

  test('a task is completed, and its next one made, in an account that is full', async () => {
    const user = await server.newUser()
    const id = await daily(user)
    const fill = (values: object) =>
      server.database.write((db) =>
        db.updateTable('users').set(values).where('email', '=', user.email).execute(),
      )
    await fill({ task_count: tasksPerUser, stored_bytes: 2 ** 30 })
    await changed(user, id, { done: true }, { day: day(0) })
    expect((await change(user, newId(), draft)).status).toBe(409)
    expect(await open(user)).toHaveLength(1)
  })

  test('two devices that complete the same task make one next task, on the day of the first', async () => {
    const user = await server.newUser()
    const id = await daily(user)
    await changed(user, id, { done: true }, { day: day(0) })
    await changed(user, id, { done: true }, { day: day(1) })
    expect(await open(user)).toMatchObject([{ dueDate: day(1) }])
  })

  test('someone else’s task is not completed and gets no next one', async () => {
    const [ada, bob] = [await server.newUser(), await server.newUser()]
    const id = await daily(ada)
    expect((await changed(bob, id, { done: true })).outcome).toBe('conflict')
    expect(await open(bob)).toEqual([])
    expect((await open(ada)).map(({ _id }) => _id)).toEqual([id])
  })

  test('a client learns of the next task from the changes since the cursor before its completion', async () => {
    const user = await server.newUser()
    const id = await daily(user)
    const { json, headers } = await user.call('GET /changes')
    const { headers: completed } = await change(user, id, { done: true })
    expect([headers['changes-cursor-before'], completed['changes-cursor-before']]).toEqual([
      undefined,
      undefined,
    ])
    const { json: delta } = await user.call(`GET /changes?since=${json.cursor}`)
    expect(delta.items?.map(({ item }) => item._id).sort()).toEqual([id, nextId(id, id)].sort())
  })

  test('a next task counts from the day of the device, if it is near, and otherwise from that of the caller', async () => {
    const user = await server.newUser()
    for (const [given, expected] of [
      [day(1), day(2)],
      [day(40), day(1)],
    ] as const) {
      const id = await daily(user)
      await change(user, id, { done: true }, { day: given })
      const { json } = await user.call(`GET /tasks/${nextId(id, id)}`)
      expect([json.task.dueDate, expected]).toEqual([expected, expected])
    }
  })

  test('a task moves on its grid with what is left of COUNT, and a day off the grid is a conflict', async () => {
    const user = await server.newUser()
    const id = await daily(user, { repeat: 'FREQ=DAILY;INTERVAL=2;COUNT=3' })
    const skip = (to: string) => changed(user, id, { repeatDay: to, dueDate: to })
    expect((await skip(day(3))).outcome).toBe('conflict')
    expect((await skip(day(2))).item).toMatchObject({
      repeat: 'FREQ=DAILY;INTERVAL=2;COUNT=2',
      dueDate: day(2),
    })
  })

  test('a rule needs a due date, has a day and is of the subset, and goes with the date', async () => {
    const user = await server.newUser()
    const id = await daily(user)
    expect(fieldErrorOf(await change(user, id, { repeat: 'FREQ=HOURLY' }))[1]).toBe('changes/0/set/repeat')
    expect(fieldErrorOf(await change(user, id, { repeat: 'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30' }))).toEqual([
      ...[400, 'changes/0/set/repeat', 'must have a day within 1,000 steps from the due date'],
    ])
    const { seq, item } = await changed(user, id, { dueDate: null })
    expect(item).toMatchObject({ repeat: null, repeatDay: null })
    expect(fieldErrorOf(await change(user, id, { repeat: 'FREQ=DAILY' }))[1]).toBe('changes/0/set/repeat')
    const { json } = await undo(user, seq)
    expect(json.items[0]?.item).toMatchObject({ dueDate: day(0), repeat: 'FREQ=DAILY', repeatDay: day(0) })
  })

  const passed = async (user: TestUser, id: string) =>
    JSON.parse((await user.call(`GET /tasks/${id}/passed`, { headers: { 'time-zone': 'UTC' } })).text)
      .days as { day: string; skipped: boolean }[]
  const skip = (user: TestUser, id: string, to: number) =>
    changed(user, id, { dueDate: day(to), repeatDay: day(to) })

  test('each task of a repeat says which days of the last 30 were skipped or had passed before the completion', async () => {
    const user = await server.newUser()
    const id = await daily(user, { dueDate: day(-5), repeat: 'FREQ=DAILY;COUNT=20' })
    await skip(user, id, -4)
    await changed(user, id, { done: true }, { day: day(0) })
    const days = [
      { day: day(-1), skipped: false },
      { day: day(-2), skipped: false },
      { day: day(-3), skipped: false },
      { day: day(-5), skipped: true },
    ]
    expect(await passed(user, id)).toEqual(days)
    expect(await passed(user, nextId(id, id))).toEqual(days)
  })

  test('a late task says the days after its own that have passed, and of the last 30 alone', async () => {
    const user = await server.newUser()
    const id = await daily(user, { dueDate: day(-2) })
    expect(await passed(user, id)).toEqual([{ day: day(-1), skipped: false }])
    const old = await daily(user, { dueDate: day(-200) })
    const days = await passed(user, old)
    expect(days).toHaveLength(29)
    expect(days.at(-1)?.day).toBe(day(-29))
  })

  test('an undone skip, a changed rule and a move pass no day, and a redone skip does', async () => {
    const user = await server.newUser()
    const id = await daily(user, { dueDate: day(-1) })
    const { seq } = await skip(user, id, 0)
    expect(await passed(user, id)).toEqual([{ day: day(-1), skipped: true }])
    const undone = JSON.parse((await undo(user, seq)).text)
    expect(await passed(user, id)).toEqual([])
    await undo(user, undone.items[0].seq)
    expect(await passed(user, id)).toEqual([{ day: day(-1), skipped: true }])
    const other = await daily(user, { dueDate: day(-1) })
    await changed(user, other, { dueDate: day(0), repeat: 'FREQ=DAILY;INTERVAL=2' })
    await changed(user, other, { dueDate: day(3) })
    expect(await passed(user, other)).toEqual([])
  })

  test('a task that counts from its completion, one that was stopped, and one without a repeat have passed no day', async () => {
    const user = await server.newUser()
    const fromDone = await daily(user, { dueDate: day(-5), repeatFrom: 'done' })
    const stopped = await daily(user, { dueDate: day(-5) })
    await changed(user, stopped, { repeat: null })
    const { _id: plain } = await user.addTask()
    for (const id of [fromDone, stopped, plain]) expect(await passed(user, id)).toEqual([])
  })
})

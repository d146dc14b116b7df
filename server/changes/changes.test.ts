import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keptFor } from '#contract/limits.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { fieldErrorOf } from '../testing/field-error.ts'
import { allRows } from '../testing/rows.ts'
import { sendChanges } from '../testing/send-changes.ts'
import { startTestServer, type TestServer, type TestUser } from '../testing/test-server.ts'
import { sweepChanges } from './sweep-changes.ts'

const whole = { title: 'Water the plants', dueDate: '2026-11-21', priority: 'high' } as const
const edit = { title: 'Feed the cat', body: '', dueDate: '2026-11-21', priority: 'high' } as const

onEveryEngine('changes', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(engine)
  })
  afterAll(() => server.close())

  const cursorOf = async (user: TestUser) => (await user.call('GET /changes')).json.cursor
  const since = async (user: TestUser, cursor: string) =>
    (await user.call(`GET /changes?since=${cursor}`)).json

  test('create a task with an id that the client chose, once, even if they are sent again', async () => {
    const user = await server.newUser()
    const create = { mutation: randomUUID(), item: randomUUID(), set: whole }
    const first = await sendChanges(user, create)
    expect([first.status, first.json.results]).toEqual([
      200,
      [{ outcome: 'applied', task: expect.objectContaining({ _id: create.item, ...whole, version: 1 }) }],
    ])
    expect(first.headers['changes-cursor']).toBe(first.json.cursor)
    const again = await sendChanges(user, create)
    expect(again.json.results).toEqual([{ outcome: 'duplicate', task: first.json.results[0]?.task }])
    expect(again.json.cursor).toBe(first.json.cursor)
    expect((await user.call('GET /list/getLatestTasks')).json.lists).toHaveLength(1)
  })

  test('of different fields merge, changes of the same field conflict, and a conflict changes nothing', async () => {
    const user = await server.newUser()
    const { _id: item, version: base } = await user.addTask()
    await sendChanges(user, { item, set: { title: 'Theirs' } })
    const merged = await sendChanges(user, { item, base, set: { priority: 'high' } })
    expect(merged.json.results).toMatchObject([
      { outcome: 'merged', task: { title: 'Theirs', priority: 'high', version: 3 } },
    ])
    const rejected = await sendChanges(user, { item, base, set: { title: 'Mine', body: 'Mine' } })
    expect(rejected.json.results).toMatchObject([
      { outcome: 'conflict', task: { title: 'Theirs', body: '', version: 3 } },
    ])
    expect(rejected.json.cursor).toBe(merged.json.cursor)
    const same = await sendChanges(user, { item, base, set: { title: 'Theirs', body: 'Mine' } })
    expect(same.json.results).toMatchObject([{ outcome: 'merged', task: { body: 'Mine', version: 4 } }])
  })

  test('of an unknown task without the required fields are a conflict without a task', async () => {
    const user = await server.newUser()
    const { status, json } = await sendChanges(user, {
      item: randomUUID(),
      set: { title: 'Purged elsewhere' },
    })
    expect([status, json.results]).toEqual([200, [{ outcome: 'conflict', task: null }]])
  })

  test('with done and deleted set doneAt and deletedAt, and remove the task from every list', async () => {
    const user = await server.newUser()
    const [done, deleted] = [await user.addTask(), await user.addTask()]
    const { json } = await sendChanges(
      user,
      { item: done._id, set: { done: true } },
      { item: deleted._id, set: { deleted: true } },
    )
    const [one, two] = json.results.map(({ task }) => task)
    for (const at of [one?.doneAt, two?.deletedAt]) expect(at).toMatch(/^\d{4}-.*Z$/)
    for (const list of ['Today', 'Latest', 'LowPriority'])
      expect((await user.call(`GET /list/get${list}Tasks`)).json.lists).toEqual([])
    await sendChanges(
      user,
      { item: done._id, set: { done: false } },
      { item: deleted._id, set: { deleted: false } },
    )
    expect((await user.call('GET /list/getLatestTasks')).json.lists).toHaveLength(2)
  })

  test.each([
    [{ item: 'x', set: {} }, 'changes/0/item'],
    [{ item: randomUUID(), set: { title: '' } }, 'changes/0/set/title'],
    [{ item: randomUUID(), set: { done: 'yes' } }, 'changes/0/set/done'],
    [{ item: randomUUID() }, 'changes/0/set'],
    [{ item: randomUUID(), set: {}, base: -1 }, 'changes/0/base'],
  ])('%j are rejected as a whole, with an error of %s', async (change, field) => {
    const user = await server.newUser()
    const before = await allRows(server.database)
    const response = await sendChanges(user, change, { item: randomUUID(), set: whole })
    expect(fieldErrorOf(response).slice(0, 2)).toEqual([400, field])
    expect(await allRows(server.database)).toEqual(before)
  })

  test('that would return more than 4 MiB together are rejected, and none is applied', async () => {
    const user = await server.newUser()
    const { _id: item } = await user.addTask({ body: '😀'.repeat(100_000) })
    const cursor = await cursorOf(user)
    const toggles = Array.from({ length: 20 }, (_, index) => ({ item, set: { done: index % 2 === 0 } }))
    expect(fieldErrorOf(await sendChanges(user, ...toggles)).slice(0, 2)).toEqual([400, 'changes'])
    expect(await cursorOf(user)).toBe(cursor)
  })

  test('with the id of another user’s task create a task of the caller, and reveal nothing about the other', async () => {
    const [ada, eve] = [await server.newUser(), await server.newUser()]
    const task = await ada.addTask({ title: 'Secret' })
    expect((await sendChanges(eve, { item: task._id, set: { title: 'Mine' } })).json.results).toEqual([
      { outcome: 'conflict', task: null },
    ])
    expect((await sendChanges(eve, { item: task._id, set: whole })).json.results[0]?.task).toMatchObject(
      whole,
    )
    expect((await ada.call('GET /list/getLatestTasks')).json.lists).toEqual([task])
    const cursor = await cursorOf(ada)
    expect(await since(eve, cursor)).toEqual({ reset: true })
  })

  test('are returned since a cursor: new, edited, done, deleted and purged tasks, each once', async () => {
    const user = await server.newUser()
    const [kept, deleted] = [await user.addTask(), await user.addTask()]
    const start = await user.call('GET /changes')
    expect(start.json).toMatchObject({ purged: [], more: false })
    expect(start.json.tasks.map(({ _id }) => _id).sort()).toEqual([kept._id, deleted._id].sort())
    const edited = await user.call(`PUT /list/updateTask/${kept._id}`, { body: edit })
    expect(edited.headers['changes-cursor']).toMatch(/^3\./)
    await user.call(`DELETE /list/deleteTask/${deleted._id}`)
    const delta = await since(user, start.json.cursor)
    expect(delta.tasks).toMatchObject([
      { title: edit.title },
      { _id: deleted._id, deletedAt: expect.any(String) },
    ])
    await sweepChanges(server.database, Date.now() + keptFor + 1, new AbortController().signal)
    expect(await since(user, delta.cursor)).toMatchObject({ tasks: [], purged: [deleted._id], more: false })
    // Everything before that cursor is older than thirty days by then.
    expect(await since(user, start.json.cursor)).toEqual({ reset: true })
    expect((await user.call(`GET /tasks/${deleted._id}`)).status).toBe(404)
    const again = (await user.call('GET /changes')).json
    expect(again.tasks.map(({ _id }) => _id)).toEqual([kept._id])
    expect(await since(user, again.cursor)).toEqual({
      tasks: [],
      notes: [],
      purged: [],
      cursor: again.cursor,
      more: false,
    })
  })

  test('are returned in pages of limited size, even if the tasks are large', async () => {
    const user = await server.newUser()
    const ids = []
    for (let count = 0; count < 8; count++) ids.push((await user.addTask({ body: '😀'.repeat(100_000) }))._id)
    const [{ seq = 0, id = '' } = {}] = await server.database.read
      .selectFrom('changes')
      .select(['seq', 'id'])
      .where('item', '=', ids[0] ?? '')
      .execute()
    for (const [from, expected] of [
      ['', ids],
      [`${seq}.${id}`, ids.slice(1)],
    ] as const) {
      const found: string[] = []
      for (let cursor: string = from, more = true; more; ) {
        const { text, json } = await user.call(`GET /changes${cursor && `?since=${cursor}`}`)
        expect(Buffer.byteLength(text)).toBeLessThan(1_048_576 + 1024)
        found.push(...json.tasks.map(({ _id }) => _id))
        ;({ cursor, more } = json)
      }
      expect(found).toEqual(expected)
    }
  })

  test('a malformed cursor is rejected, and a cursor that the log does not contain gets a reset', async () => {
    const user = await server.newUser()
    expect(fieldErrorOf(await user.call('GET /changes?since=yesterday'))[1]).toBe('since')
    expect(await since(user, `0.${randomUUID()}`)).toEqual({ reset: true })
  })

  test('a task is returned by its id with its version, even if it is deleted', async () => {
    const user = await server.newUser()
    const task = await user.addTask()
    const { headers, json } = await user.call(`GET /tasks/${task._id}`)
    expect([headers.etag, json]).toEqual(['"1"', { task }])
    await user.call(`DELETE /list/deleteTask/${task._id}`)
    const gone = await user.call(`GET /tasks/${task._id}`)
    expect([gone.headers.etag, gone.json.task.deletedAt]).toEqual(['"2"', expect.any(String)])
  })

  test('an edit with If-Match of an older version gets a 409 with the current task, unless it changes other fields', async () => {
    const user = await server.newUser()
    const task = await user.addTask({ ...edit, title: 'Before' })
    const put = (body: object, match?: string) =>
      user.call(`PUT /list/updateTask/${task._id}`, { body, headers: match ? { 'if-match': match } : {} })
    expect((await put(edit, '"1"')).status).toBe(200)
    const rejected = await put({ ...edit, title: 'Other' }, '"1"')
    expect([rejected.status, rejected.json.current]).toMatchObject([409, { title: edit.title, version: 2 }])
    expect((await put({ ...edit, body: 'More' }, '"1"')).json.task).toMatchObject({
      body: 'More',
      version: 3,
    })
    expect((await put({ ...edit, title: 'Last' })).json.task).toMatchObject({ title: 'Last' })
    expect(fieldErrorOf(await put(edit, '*'))[1]).toBe('If-Match')
  })

  test('are undone if their fields were not changed again, and undoing an undo is redo', async () => {
    const user = await server.newUser()
    const { _id } = await user.addTask()
    const titleIs = async () => (await user.call(`GET /tasks/${_id}`)).json.task.title
    const undo = async (seq: number) => (await user.call(`POST /changes/${seq}/undo`)).status
    await sendChanges(user, { item: _id, set: { title: 'B' } })
    await sendChanges(user, { item: _id, set: { body: 'Something else' } })
    expect([await undo(2), await titleIs()]).toEqual([200, 'Water the plants'])
    expect([await undo(2), await titleIs()]).toEqual([409, 'Water the plants'])
    expect([await undo(4), await titleIs()]).toEqual([200, 'B'])
    await sendChanges(user, { item: _id, set: { title: 'C' } })
    expect([await undo(2), await titleIs()]).toEqual([409, 'C'])
    expect(await undo(99)).toBe(404)
  })

  test('a deletion is undone by restoring, a creation by deleting', async () => {
    const user = await server.newUser()
    const { _id } = await user.addTask()
    await user.call(`DELETE /list/deleteTask/${_id}`)
    await user.call('POST /changes/2/undo')
    expect((await user.call('GET /list/getLatestTasks')).json.lists).toMatchObject([{ _id, version: 3 }])
    const { status, json } = await user.call('POST /changes/1/undo')
    expect([status, json.results[0]?.task?.deletedAt]).toEqual([200, expect.any(String)])
  })

  test('of a group are undone together or not at all', async () => {
    const user = await server.newUser()
    const group = randomUUID()
    const [one, two] = [randomUUID(), randomUUID()]
    await sendChanges(
      user,
      { item: one, group, set: whole },
      { item: two, group, set: whole },
      { item: one, group, set: { title: 'B' } },
    )
    await sendChanges(user, { item: two, set: { body: 'Since' } })
    expect((await user.call('POST /changes/1/undo?group=true')).status).toBe(409)
    expect((await user.call('GET /list/getLatestTasks')).json.lists).toHaveLength(2)
    await user.call('POST /changes/4/undo')
    const { status, json } = await user.call('POST /changes/1/undo?group=true')
    expect([status, json.results.length]).toEqual([200, 2])
    expect((await user.call('GET /list/getLatestTasks')).json.lists).toEqual([])
    const redo = json.results[0]?.task?.version
    expect((await user.call(`POST /changes/${redo}/undo?group=true`)).status).toBe(200)
    expect((await user.call('GET /list/getLatestTasks')).json.lists).toHaveLength(2)
  })

  test('of an item are its history, newest first, with old and new values and whether this session made them', async () => {
    const user = await server.newUser()
    const { _id } = await user.addTask({ title: 'A' })
    const other = (await server.call('POST /user/login', { body: user })).json.token
    await server.call('POST /changes', {
      token: other,
      body: { changes: [{ mutation: randomUUID(), item: _id, set: { title: 'B', priority: 'high' } }] },
    })
    await user.call('POST /changes/2/undo')
    const { json } = await user.call(`GET /items/${_id}/history`)
    expect(json.changes).toMatchObject([
      { seq: 3, own: true, undoes: 2, changed: { title: { before: 'B', after: 'A' } } },
      {
        seq: 2,
        own: false,
        changed: { title: { before: 'A', after: 'B' }, priority: { before: 'low', after: 'high' } },
      },
      { seq: 1, own: true, changed: { title: { before: null, after: 'A' } } },
    ])
  })

  test('a long history is returned in pages, each change once', async () => {
    const user = await server.newUser()
    const { _id: item } = await user.addTask({ title: '0' })
    for (let count = 1; count <= 120; count++)
      await sendChanges(user, { item, set: { title: String(count) } })
    const titles: unknown[] = []
    for (let cursor: string | undefined = '', pages = 0; cursor !== undefined && pages < 9; pages++) {
      const { json } = await user.call(`GET /items/${item}/history${cursor && `?cursor=${cursor}`}`)
      titles.push(...json.changes.map(({ changed }) => changed.title?.after))
      cursor = json.nextCursor
    }
    expect(titles).toEqual(Array.from({ length: 121 }, (_, index) => String(120 - index)))
  })
})

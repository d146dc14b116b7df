import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { defaultsOf } from '#contract/fields.ts'
import { tasksPerUser } from '#contract/limits.ts'
import { taskFields } from '#contract/task-fields.ts'
import { newId } from '../new-id.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { sendChanges } from '../testing/send-changes.ts'
import { accountOf, setAccount } from '../testing/stored-rows.ts'
import { serverForAll, userForEach } from '../testing/test-server.ts'

const draft = { title: 'Water the plants', body: 'Not the cactus', dueDate: '2026-11-21', priority: 'high' }
const aUuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

onEveryEngine('tasks', (engine) => {
  const server = serverForAll(engine)
  const user = userForEach(server)

  test('adding a task answers 200 with the stored task', async () => {
    const earliest = Date.now()
    const { status, json } = await user.call('POST /list/addTask', { body: draft })
    const latest = Date.now()
    expect(status).toBe(200)
    expect(json).toEqual({
      task: {
        ...defaultsOf(taskFields),
        ...draft,
        _id: expect.stringMatching(aUuidV7),
        createdAt: expect.any(String),
        version: 1,
      },
    })
    const createdAt = Date.parse(json.task.createdAt)
    expect(createdAt).toBeGreaterThanOrEqual(earliest)
    expect(createdAt).toBeLessThanOrEqual(latest)
    expect((await user.call('GET /list/getLatestTasks')).json).toEqual({ lists: [json.task] })
  })

  test('a response has the due date as YYYY-MM-DD and the creation time as an ISO 8601 instant', async () => {
    await user.addTask({ dueDate: '1970-02-28' })
    const { json } = await user.call('GET /list/getLatestTasks')
    expect(json.lists[0]?.dueDate).toBe('1970-02-28')
    expect(json.lists[0]?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('a task added without a body has an empty body', async () => {
    const { body: _, ...withoutBody } = draft
    const { status, json } = await user.call('POST /list/addTask', { body: withoutBody })
    expect(status).toBe(200)
    expect(json.task.body).toBe('')
  })

  test('adding again with the same Idempotency-Key adds nothing and answers with the same task', async () => {
    const add = (headers = { 'idempotency-key': randomUUID() }, body: object = draft) =>
      user.call('POST /list/addTask', { body, headers })
    const headers = { 'idempotency-key': randomUUID() }
    const [first, ...retries] = await Promise.all([add(headers), add(headers), add(headers)])
    for (const retry of [...retries, await add(headers)]) {
      expect([retry.status, retry.json]).toEqual([200, first.json])
      expect(retry.headers['changes-cursor']).toBe(first.headers['changes-cursor'])
    }
    const { _id } = (await add()).json.task
    expect((await user.call('GET /list/getLatestTasks')).json.lists.map((task) => task._id)).toEqual([
      _id,
      first.json.task._id,
    ])
  })

  test('adding again with the same Idempotency-Key adds nothing after the task was edited, completed, deleted or purged', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const addAgain = (body: object = draft) => user.call('POST /list/addTask', { body, headers })
    const { _id } = (await addAgain()).json.task
    const edited = { ...draft, title: 'Water the cactus' }
    await user.call(`PUT /list/updateTask/${_id}`, { body: edited })
    expect((await addAgain()).json.task).toMatchObject({ _id, ...edited })
    await sendChanges(user, { item: _id, set: { done: true } })
    expect((await addAgain()).json.task).toMatchObject({ _id, doneAt: expect.any(String) })
    await user.call(`DELETE /list/deleteTask/${_id}`)
    const repeat = await addAgain({ ...draft, title: 'Other values' })
    expect([repeat.status, repeat.json.task]).toMatchObject([200, { _id, deletedAt: expect.any(String) }])
    await user.call('POST /items/purge', { body: { items: [_id] } })
    const { status, json } = await addAgain()
    expect([status, json]).toMatchObject([
      409,
      { detail: 'This task was added before, and has been deleted for good since.' },
    ])
    expect((await user.call('GET /list/getLatestTasks')).json.lists).toEqual([])
  })

  test('an Idempotency-Key of version 7 is the id of the task, which a change with both repeats, unless an item has it', async () => {
    const [id, other] = [newId(), newId()]
    const add = (key: string) =>
      user.call('POST /list/addTask', { body: draft, headers: { 'idempotency-key': key } })
    const { task } = (await add(id)).json
    expect(task._id).toBe(id)
    const { json } = await sendChanges(user, { mutation: id, item: id, set: { ...draft, title: 'Again' } })
    expect(json.items).toMatchObject([{ outcome: 'duplicate', item: task }])
    await sendChanges(user, { item: other, kind: 'note', base: 0, set: { text: 'Its id is taken.' } })
    expect((await add(other)).json.task._id).not.toBe(other)
    // The other way round: the change came first.
    const late = newId()
    await sendChanges(user, { mutation: late, item: late, set: draft })
    expect((await add(late)).json.task._id).toBe(late)
    expect((await user.call('GET /list/getLatestTasks')).json.lists).toHaveLength(3)
  })

  test('the Idempotency-Key of another account adds a task', async () => {
    const [ada, eve] = [await server.newUser(), await server.newUser()]
    const headers = { 'idempotency-key': randomUUID() }
    const [hers, own] = [
      await ada.call('POST /list/addTask', { body: draft, headers }),
      await eve.call('POST /list/addTask', { body: draft, headers }),
    ]
    expect(own.json.task._id).not.toBe(hers.json.task._id)
    expect((await eve.call('GET /list/getLatestTasks')).json.lists).toEqual([own.json.task])
  })

  test('an Idempotency-Key that is not a UUID is rejected, and nothing is added', async () => {
    const headers = { 'idempotency-key': 'again' }
    const { status, json } = await user.call('POST /list/addTask', { body: draft, headers })
    expect(status).toBe(400)
    expect(json.errors).toEqual([
      {
        field: 'Idempotency-Key',
        code: 'not-an-id',
        message: 'must be a UUID in lower case, such as 01a1fbec-df28-741d-85d9-08c2d1fcac18',
      },
    ])
    expect((await user.call('GET /list/getLatestTasks')).json.lists).toEqual([])
  })

  test('editing a task answers 200 with the updated task', async () => {
    const task = await user.addTask()
    const edited = { title: 'Feed the cat', body: 'Twice', dueDate: '2027-01-01', priority: 'medium' }
    const { status, json } = await user.call(`PUT /list/updateTask/${task._id}`, { body: edited })
    expect(status).toBe(200)
    expect(json).toEqual({ task: { ...task, ...edited, version: 2 } })
    expect((await user.call('GET /list/getLatestTasks')).json.lists).toEqual([json.task])
  })

  test('editing one task does not change the others', async () => {
    const other = await user.addTask({ title: 'Untouched' })
    const task = await user.addTask()
    await user.call(`PUT /list/updateTask/${task._id}`, { body: draft })
    expect((await user.call('GET /list/getLatestTasks')).json.lists[1]).toEqual(other)
  })

  test('an edit without a body keeps the stored one', async () => {
    const task = await user.addTask({ body: 'Hard to write again' })
    const { body: _, ...withoutBody } = draft
    const { json } = await user.call(`PUT /list/updateTask/${task._id}`, { body: withoutBody })
    expect(json.task).toEqual({ ...task, ...withoutBody, body: 'Hard to write again', version: 2 })
  })

  test('an edit with an empty body clears the stored one', async () => {
    const task = await user.addTask({ body: 'No longer needed' })
    const { json } = await user.call(`PUT /list/updateTask/${task._id}`, { body: { ...draft, body: '' } })
    expect(json.task.body).toBe('')
  })

  test('an edit may contain the complete task: read-only fields are ignored', async () => {
    const [task, other] = [await user.addTask(), await user.addTask({ title: 'Other' })]
    const foreign = { _id: other._id, id: other._id, userId: other._id, user_id: other._id, rank: 1 }
    const whole = { ...task, ...foreign, createdAt: '1970-01-01T00:00:00.000Z', title: 'Edited' }
    const { status, json } = await user.call(`PUT /list/updateTask/${task._id}`, { body: whole })
    expect(status).toBe(200)
    expect(json.task).toEqual({ ...task, title: 'Edited', version: 3 })
    expect((await user.call('GET /list/getLatestTasks')).json.lists).toEqual([other, json.task])
  })

  test('an id and a creation time in a new task are ignored', async () => {
    const task = await user.addTask()
    const { json } = await user.call('POST /list/addTask', { body: { ...task, createdAt: '1970-01-01' } })
    expect(json.task._id).not.toBe(task._id)
    expect(json.task.createdAt >= task.createdAt).toBe(true)
    expect((await user.call('GET /list/getLatestTasks')).json.lists).toEqual([json.task, task])
  })

  test('a deleted task is no longer listed, and deleting or editing it again answers 404', async () => {
    const [task, other] = [await user.addTask(), await user.addTask()]
    const { status, json } = await user.call(`DELETE /list/deleteTask/${task._id}`)
    expect({ status, json }).toEqual({ status: 200, json: {} })
    expect((await user.call('GET /list/getLatestTasks')).json.lists).toEqual([other])
    expect((await user.call(`DELETE /list/deleteTask/${task._id}`)).status).toBe(404)
    expect((await user.call(`PUT /list/updateTask/${task._id}`, { body: draft })).status).toBe(404)
    expect((await user.call('GET /list/getLatestTasks')).json.lists).toEqual([other])
  })

  test('a delete with a JSON content type and no body succeeds', async () => {
    const { _id } = await user.addTask()
    const headers = { 'content-type': 'application/json' }
    expect((await user.call(`DELETE /list/deleteTask/${_id}`, { headers })).status).toBe(200)
  })

  test('exactly one of many concurrent deletes of one task succeeds', async () => {
    const { _id } = await user.addTask()
    const deletes = Array.from({ length: 8 }, () => user.call(`DELETE /list/deleteTask/${_id}`))
    const statuses = (await Promise.all(deletes)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 404, 404, 404, 404, 404, 404, 404])
    expect(await countedAndStored()).toEqual({ counted: 0, stored: 0 })

    async function countedAndStored() {
      const { task_count } = await accountOf(server.database, user.id)
      return { counted: task_count, stored: (await user.call('GET /list/getLatestTasks')).json.lists.length }
    }
  })

  test('tasks that are added and deleted concurrently are counted correctly', async () => {
    const tasks = await Promise.all(Array.from({ length: 20 }, () => user.addTask()))
    const deletes = tasks.slice(0, 7).map(({ _id }) => user.call(`DELETE /list/deleteTask/${_id}`))
    await Promise.all([...deletes, user.addTask(), user.call('POST /list/addTask', { body: {} })])
    expect(await accountOf(server.database, user.id)).toMatchObject({ task_count: 14 })
    expect((await user.call('GET /list/getLatestTasks')).json.lists).toHaveLength(14)
  })

  test('an account can have 100,000 tasks: one more is rejected, and editing and deleting still work', async () => {
    await setAccount(server.database, user.id, { task_count: tasksPerUser - 1 })
    const last = await user.addTask()
    const rejected = await user.call('POST /list/addTask', { body: draft })
    expect(rejected.status).toBe(409)
    expect(rejected.json.detail).toContain('100,000 tasks')
    expect((await user.call('GET /list/getLatestTasks')).json.lists).toEqual([last])
    expect((await user.call(`PUT /list/updateTask/${last._id}`, { body: draft })).status).toBe(200)
    expect((await user.call(`DELETE /list/deleteTask/${last._id}`)).status).toBe(200)
    expect((await user.call('POST /list/addTask', { body: draft })).status).toBe(200)
  })

  test('adding a task while its account is being deleted is rejected like a request without a token', async () => {
    const { write } = server.database
    vi.spyOn(server.database, 'write').mockImplementationOnce(async (work) => {
      await write((db) => db.deleteFrom('users').where('email', '=', user.email).execute())
      return write(work)
    })
    const rejected = await user.call('POST /list/addTask', { body: draft })
    expect([rejected.status, rejected.json.detail]).toEqual([401, 'This account no longer exists.'])
  })
})

import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { defaultsOf } from '#contract/fields.ts'
import { tasksPerUser } from '#contract/limits.ts'
import { taskFields } from '#contract/task-fields.ts'
import { newId } from '../new-id.ts'
import { setAccount } from '../testing/stored-rows.ts'
import { onEveryServer } from '../testing/test-server.ts'

const draft = { title: 'Water the plants', body: 'Not the cactus', dueDate: '2026-11-21', priority: 'high' }
const aUuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

onEveryServer('tasks', ({ server, user }) => {
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
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        version: 1,
      },
    })
    const createdAt = Date.parse(json.task.createdAt)
    expect(createdAt).toBeGreaterThanOrEqual(earliest)
    expect(createdAt).toBeLessThanOrEqual(latest)
    expect((await user.call('GET /list/getLatestTasks')).json).toEqual({ lists: [json.task] })
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
    expect((await user.tasks()).map((task) => task._id)).toEqual([_id, first.json.task._id])
  })

  test('adding again with the same Idempotency-Key adds nothing after the task was edited, completed, deleted or purged', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const addAgain = (body: object = draft) => user.call('POST /list/addTask', { body, headers })
    const { _id } = (await addAgain()).json.task
    const edited = { ...draft, title: 'Water the cactus' }
    await user.editTask(_id, edited)
    expect((await addAgain()).json.task).toMatchObject({ _id, ...edited })
    await user.send({ item: _id, set: { done: true } })
    expect((await addAgain()).json.task).toMatchObject({ _id, doneAt: expect.any(String) })
    await user.deleteTask(_id)
    const repeat = await addAgain({ ...draft, title: 'Other values' })
    expect([repeat.status, repeat.json.task]).toMatchObject([200, { _id, deletedAt: expect.any(String) }])
    await user.purge(_id)
    const { status, json } = await addAgain()
    expect([status, json]).toMatchObject([
      409,
      { detail: 'This task was added before, and has been deleted for good since.' },
    ])
    expect(await user.tasks()).toEqual([])
  })

  test('an Idempotency-Key of version 7 is the id of the task, which a change with both repeats, unless an item has it', async () => {
    const [id, other] = [newId(), newId()]
    const add = (key: string) =>
      user.call('POST /list/addTask', { body: draft, headers: { 'idempotency-key': key } })
    const { task } = (await add(id)).json
    expect(task._id).toBe(id)
    const { json } = await user.send({ mutation: id, item: id, set: { ...draft, title: 'Again' } })
    expect(json.items).toMatchObject([{ outcome: 'duplicate', item: task }])
    await user.send({ item: other, kind: 'note', base: 0, set: { text: 'Its id is taken.' } })
    expect((await add(other)).json.task._id).not.toBe(other)
    // The other way round: the change came first.
    const late = newId()
    await user.send({ mutation: late, item: late, set: draft })
    expect((await add(late)).json.task._id).toBe(late)
    expect(await user.tasks()).toHaveLength(3)
  })

  test('the Idempotency-Key of another account adds a task', async () => {
    const [ada, eve] = [await server.newUser(), await server.newUser()]
    const headers = { 'idempotency-key': randomUUID() }
    const [hers, own] = [
      await ada.call('POST /list/addTask', { body: draft, headers }),
      await eve.call('POST /list/addTask', { body: draft, headers }),
    ]
    expect(own.json.task._id).not.toBe(hers.json.task._id)
    expect(await eve.tasks()).toEqual([own.json.task])
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
    expect(await user.tasks()).toEqual([])
  })

  test('editing a task answers 200 with the updated task', async () => {
    const task = await user.addTask()
    const edited = { title: 'Feed the cat', body: 'Twice', dueDate: '2027-01-01', priority: 'medium' }
    const { status, json } = await user.editTask(task._id, edited)
    expect(status).toBe(200)
    expect(json).toEqual({ task: { ...task, ...edited, version: 2 } })
    expect(await user.tasks()).toEqual([json.task])
  })

  test('an edit without a body keeps the stored one, and an empty one clears it', async () => {
    const task = await user.addTask({ body: 'Hard to write again' })
    const { body: _, ...withoutBody } = draft
    const { json } = await user.editTask(task._id, withoutBody)
    expect(json.task).toEqual({ ...task, ...withoutBody, body: 'Hard to write again', version: 2 })
    expect((await user.editTask(task._id, { ...draft, body: '' })).json.task.body).toBe('')
  })

  test('an edit may contain the complete task: read-only fields are ignored', async () => {
    const [task, other] = [await user.addTask(), await user.addTask({ title: 'Other' })]
    const foreign = { _id: other._id, id: other._id, userId: other._id, user_id: other._id, rank: 1 }
    const whole = { ...task, ...foreign, createdAt: '1970-01-01T00:00:00.000Z', title: 'Edited' }
    const { status, json } = await user.editTask(task._id, whole)
    expect(status).toBe(200)
    expect(json.task).toEqual({ ...task, title: 'Edited', version: 3 })
    expect(await user.tasks()).toEqual([other, json.task])
  })

  test('an id and a creation time in a new task are ignored', async () => {
    const task = await user.addTask()
    const { json } = await user.call('POST /list/addTask', { body: { ...task, createdAt: '1970-01-01' } })
    expect(json.task._id).not.toBe(task._id)
    expect(json.task.createdAt >= task.createdAt).toBe(true)
    expect(await user.tasks()).toEqual([json.task, task])
  })

  test('a deleted task is no longer listed, and deleting or editing it again answers 404', async () => {
    const [task, other] = [await user.addTask(), await user.addTask()]
    const { status, json } = await user.deleteTask(task._id)
    expect({ status, json }).toEqual({ status: 200, json: {} })
    expect(await user.tasks()).toEqual([other])
    expect((await user.deleteTask(task._id)).status).toBe(404)
    expect((await user.editTask(task._id, draft)).status).toBe(404)
    expect(await user.tasks()).toEqual([other])
  })

  test('a delete with a JSON content type and no body succeeds', async () => {
    const { _id } = await user.addTask()
    const headers = { 'content-type': 'application/json' }
    expect((await user.call(`DELETE /list/deleteTask/${_id}`, { headers })).status).toBe(200)
  })

  test('an account can have 100,000 tasks: one more is rejected, and editing and deleting still work', async () => {
    await setAccount(server.database, user.id, { task_count: tasksPerUser - 1 })
    const last = await user.addTask()
    const rejected = await user.call('POST /list/addTask', { body: draft })
    expect(rejected.status).toBe(409)
    expect(rejected.json.detail).toContain('100,000 tasks')
    expect(await user.tasks()).toEqual([last])
    // Deleted notes make no room for tasks.
    const notes = [await user.addNote('One'), await user.addNote('Two')]
    const deletions = notes.map(({ _id }) => ({ item: _id, kind: 'note', set: { deleted: true } }))
    expect((await user.send(...deletions, { item: randomUUID(), set: draft })).status).toBe(409)
    expect((await user.note(notes[0]?._id)).deletedAt).toBe(null)
    expect((await user.editTask(last._id, draft)).status).toBe(200)
    expect((await user.deleteTask(last._id)).status).toBe(200)
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

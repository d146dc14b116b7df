import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { defaultsOf } from '#contract/fields.ts'
import { bodyLength, tasksPerUser, titleLength } from '#contract/limits.ts'
import { taskFields } from '#contract/task-fields.ts'
import { newId } from '../new-id.ts'
import { allRows } from '../testing/rows.ts'
import { setAccount } from '../testing/stored-rows.ts'
import { onEveryServer } from '../testing/test-server.ts'

const draft = { title: 'Water the plants', body: 'Not the cactus', dueDate: '2026-11-21', priority: 'high' }
const aUuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const withKey = (key: string = randomUUID()) => ({ 'idempotency-key': key })

const texts = {
  'emoji sequences': '👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽',
  'right-to-left text with directional marks': 'مرحبا \u202Eשלום\u202C עולם\u200F',
  'all kinds of line breaks, and tabs': 'one\ntwo\r\nthree\rfour\tfive\u2028six\u2029seven\u0085eight',
  'quotes, backslashes and SQL syntax': `'"\`\\ '; drop table tasks; -- $1 ? %s :name \\u0041`,
  'HTML and template syntax': `<script>alert(1)</script> &amp; {{7*7}} $\{7*7}`,
  'leading and trailing Unicode spaces': ' \u00A0\u2003 wide\u3000\u200B ',
  'control characters': '\u0001\u0008\u001B[31mred\u007F',
  'a byte order mark and unassigned characters': '\uFEFFtext\uFFFD\uFFFF\u{10FFFF}',
  'composed and decomposed letters': 'é e\u0301 Å A\u030A 각 \u1100\u1161\u11A8',
  'many combining marks on one letter': `Z${'\u0351\u0346\u033F'.repeat(30)}`,
}

onEveryServer('tasks', ({ server, user }) => {
  const add = (headers = {}, body: object = draft) => user.call('POST /list/addTask', { body, headers })

  test('adding a task answers 200 with the stored task', async () => {
    const earliest = Date.now()
    const { status, json } = await add()
    const latest = Date.now()
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const made = { _id: expect.stringMatching(aUuidV7), createdAt, version: 1 }
    expect([status, json]).toEqual([200, { task: { ...defaultsOf(taskFields), ...draft, ...made } }])
    const at = Date.parse(json.task.createdAt)
    expect(earliest <= at && at <= latest).toBe(true)
    expect((await user.call('GET /list/getLatestTasks')).json).toEqual({ lists: [json.task] })
  })

  test('adding again with the same Idempotency-Key adds nothing and answers with the same task', async () => {
    const headers = withKey()
    const [first, ...retries] = await Promise.all([add(headers), add(headers), add(headers)])
    for (const retry of [...retries, await add(headers)]) {
      expect([retry.status, retry.json]).toEqual([200, first.json])
      expect(retry.headers['changes-cursor']).toBe(first.headers['changes-cursor'])
    }
    const { _id } = (await add(withKey())).json.task
    expect((await user.tasks()).map((task) => task._id)).toEqual([_id, first.json.task._id])
  })

  test('adding again with the same Idempotency-Key adds nothing after the task was edited, completed, deleted or purged', async () => {
    const headers = withKey()
    const { _id } = (await add(headers)).json.task
    const edited = { ...draft, title: 'Water the cactus' }
    await user.editTask(_id, edited)
    expect((await add(headers)).json.task).toMatchObject({ _id, ...edited })
    await user.send({ item: _id, set: { done: true } })
    expect((await add(headers)).json.task).toMatchObject({ _id, doneAt: expect.any(String) })
    await user.deleteTask(_id)
    const repeat = await add(headers, { ...draft, title: 'Other values' })
    expect([repeat.status, repeat.json.task]).toMatchObject([200, { _id, deletedAt: expect.any(String) }])
    await user.purge(_id)
    const detail = 'This task was added before, and has been deleted for good since.'
    expect(await add(headers)).toMatchObject({ status: 409, json: { detail } })
    expect(await user.tasks()).toEqual([])
  })

  test('an Idempotency-Key of version 7 is the id of the task, which a change with both repeats, unless an item has it', async () => {
    const [id, other, late] = [newId(), newId(), newId()]
    const { task } = (await add(withKey(id))).json
    expect(task._id).toBe(id)
    const { json } = await user.send({ mutation: id, item: id, set: { ...draft, title: 'Again' } })
    expect(json.items).toMatchObject([{ outcome: 'duplicate', item: task }])
    await user.addNote('Its id is taken.', {}, other)
    expect((await add(withKey(other))).json.task._id).not.toBe(other)
    // The other way round: the change came first.
    await user.send({ mutation: late, item: late, set: draft })
    expect((await add(withKey(late))).json.task._id).toBe(late)
    expect(await user.tasks()).toHaveLength(3)
  })

  test('the Idempotency-Key of another account adds a task', async () => {
    const [eve, headers] = [await server.newUser(), withKey()]
    const hers = (await add(headers)).json.task
    const own = (await eve.call('POST /list/addTask', { body: draft, headers })).json.task
    expect(own._id).not.toBe(hers._id)
    expect(await eve.tasks()).toEqual([own])
  })

  test('an Idempotency-Key that is not a UUID is rejected, and nothing is added', async () => {
    const message = 'must be a UUID in lower case, such as 01a1fbec-df28-741d-85d9-08c2d1fcac18'
    const error = { field: 'Idempotency-Key', code: 'not-an-id', message }
    expect(await add(withKey('again'))).toMatchObject({ status: 400, json: { errors: [error] } })
    expect(await user.tasks()).toEqual([])
  })

  test('editing a task answers 200 with the updated task', async () => {
    const task = await user.addTask()
    const edited = { title: 'Feed the cat', body: 'Twice', dueDate: '2027-01-01', priority: 'medium' }
    const { status, json } = await user.editTask(task._id, edited)
    expect([status, json]).toEqual([200, { task: { ...task, ...edited, version: 2 } }])
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
    expect([status, json.task]).toEqual([200, { ...task, title: 'Edited', version: 3 }])
    expect(await user.tasks()).toEqual([other, json.task])
  })

  test.each(Object.entries(texts))('a text with %s is stored and returned unchanged', async (_, text) => {
    const task = await user.addTask({ title: text, body: text })
    expect(task).toMatchObject({ title: text, body: text })
    const edited = { ...draft, title: `${text}!`, body: `${text}?` }
    await user.editTask(task._id, edited)
    expect(await user.tasks()).toEqual([{ ...task, ...edited, version: 2 }])
  })

  test('escape sequences in JSON are decoded', async () => {
    const body = String.raw`{"title":"\ud83d\ude00 \u00e9\/\n","dueDate":"2026-11-21","priority":"low"}`
    const { json } = await user.call('POST /list/addTask', { body })
    expect(json.task.title).toBe('😀 é/\n')
  })

  test('lengths of texts are counted in code points, not in UTF-16 code units or bytes', async () => {
    const [title, body] = ['𝒳'.repeat(titleLength.max), '😀'.repeat(bodyLength.max)]
    expect(await user.addTask({ title, body })).toMatchObject({ title, body })
  })

  test('an id and a creation time in a new task are ignored', async () => {
    const task = await user.addTask()
    const { json } = await add({}, { ...task, createdAt: '1970-01-01' })
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
    const detail = expect.stringContaining('100,000 tasks')
    expect(await add()).toMatchObject({ status: 409, json: { detail } })
    expect(await user.tasks()).toEqual([last])
    const answers = [await user.editTask(last._id, draft), await user.deleteTask(last._id), await add()]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('an account that has the most tasks gets a 409 for a call that deletes more notes than it adds tasks, which changes nothing', async () => {
    const notes = [await user.addNote('One'), await user.addNote('Two')]
    await setAccount(server.database, user.id, { task_count: tasksPerUser })
    const before = await allRows(server.database)
    const deletions = notes.map(({ _id: item }) => ({ item, kind: 'note', set: { deleted: true } }))
    const { status, json } = await user.send(...deletions, { item: newId(), set: draft })
    expect([status, json.code]).toEqual([409, 'too-many-items'])
    expect(await allRows(server.database)).toEqual(before)
  })

  test('adding a task while its account is being deleted is rejected like a request without a token', async () => {
    const { write } = server.database
    vi.spyOn(server.database, 'write').mockImplementationOnce(async (work) => {
      await write((db) => db.deleteFrom('users').where('email', '=', user.email).execute())
      return write(work)
    })
    const { status, json } = await add()
    expect([status, json.detail]).toEqual([401, 'This account no longer exists.'])
  })
})

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Field } from '#contract/fields.ts'
import { keptFor, pageVersion } from '#contract/limits.ts'
import { taskFields } from '#contract/task-fields.ts'
import type { Task } from '#contract/tasks.ts'
import { kinds } from '../app.ts'
import { fieldErrorOf } from '../testing/field-error.ts'
import { itemsIn } from '../testing/items-in.ts'
import { allRows } from '../testing/rows.ts'
import { accountOf, execute, logOf, setAccount } from '../testing/stored-rows.ts'
import { onEveryServer, type TestUser } from '../testing/test-server.ts'
import { sweepChanges } from './sweep-changes.ts'

const whole = { title: 'Water the plants', dueDate: '2026-11-21', priority: 'high' } as const
const edit = { title: 'Feed the cat', body: '', dueDate: '2026-11-21', priority: 'high' } as const

const undoGroup = (user: TestUser, seq: number | undefined) =>
  user.call(`POST /changes/${seq}/undo?group=true`)

onEveryServer('changes', ({ server, user }) => {
  test('create a task with an id that the client chose, once, even if they are sent again', async () => {
    const create = { mutation: randomUUID(), item: randomUUID(), set: whole }
    const first = await user.send(create)
    const created = { _id: create.item, ...whole, version: 1 }
    expect(first.status).toBe(200)
    expect(first.json.items).toMatchObject([{ kind: 'task', outcome: 'applied', seq: 1, item: created }])
    expect(first.headers['changes-cursor']).toBe(first.json.cursor)
    expect(first.headers['changes-cursor-before']).toMatch(/^0\./)
    const again = await user.send(create)
    expect(again.headers['changes-cursor-before']).toBe(undefined)
    const duplicate = { kind: 'task', outcome: 'duplicate', seq: 1, item: first.json.items[0]?.item }
    expect(again.json.items).toEqual([duplicate])
    expect(again.json.cursor).toBe(first.json.cursor)
    expect(await user.tasks()).toHaveLength(1)
  })

  test('that changed nothing are not applied later either, if they are sent again', async () => {
    const { _id: item } = await user.addTask()
    await user.send({ item, set: { done: true } })
    const again = { mutation: randomUUID(), item, set: { done: true } }
    const first = await user.send(again)
    expect(first.json.items).toMatchObject([{ outcome: 'applied', item: { version: 2 } }])
    const { cursor } = first.json
    await user.send({ item, set: { done: false } })
    const repeated = await user.send(again)
    expect(repeated.json.items).toMatchObject([{ outcome: 'duplicate', item: { doneAt: null, version: 4 } }])
    // Clients and users do not see it in the task.
    const items = [{ kind: 'task', item: { _id: item, version: 4 } }]
    expect(await user.changes(cursor)).toMatchObject({ items, purged: [] })
    expect((await user.undo(3)).status).toBe(404)
    expect((await user.undo(4)).json.items).toMatchObject([{ item: { doneAt: expect.any(String) } }])
  })

  test('that changed nothing count towards the quota until the log no longer contains them', async () => {
    const bytes = async () => (await accountOf(server.database, user.id)).stored_bytes
    const { _id: item } = await user.addTask()
    const before = await bytes()
    await user.send(...Array.from({ length: 4 }, () => ({ item, set: { done: false } })))
    expect(await bytes()).toBeGreaterThan(before + 4 * 256)
    await sweepChanges(server.database, kinds, Date.now() + keptFor + 1, new AbortController().signal)
    // The log no longer contains the addition of the task either.
    expect(await bytes()).toBe(before - 256)
  })

  test('of different fields merge, changes of the same field conflict, and a conflict changes nothing', async () => {
    const { _id: item, version: base } = await user.addTask()
    await user.send({ item, set: { title: 'Theirs' } })
    const sent = async (set: object) => {
      const { items, cursor } = (await user.send({ item, base, set })).json
      return { ...items[0], cursor }
    }
    const merged = await sent({ priority: 'high' })
    const current = { title: 'Theirs', body: '', priority: 'high', version: 3 }
    expect(merged).toMatchObject({ outcome: 'merged', item: current })
    const rejected = await sent({ title: 'Mine', body: 'Mine' })
    expect(rejected).toMatchObject({ outcome: 'conflict', item: current, cursor: merged.cursor })
    const same = await sent({ title: 'Theirs', body: 'Mine' })
    expect(same).toMatchObject({ outcome: 'merged', item: { body: 'Mine', version: 4 } })
  })

  test('that are sent later create and complete a task when the device says, within 30 days, and change nothing else by it', async () => {
    const day = 86_400_000
    const ago = (days: number) => new Date(Date.now() - days * day).toISOString()
    const [monday, item, old, future] = [ago(2), randomUUID(), randomUUID(), randomUUID()]
    const began = Date.now()
    const { json } = await user.send(
      { item, set: whole, at: monday },
      { item, set: { done: true }, at: monday },
      { item, set: { deleted: true }, at: monday },
      { item: old, set: whole, at: ago(400) },
      { item: future, set: { ...whole, done: true }, at: ago(-400) },
    )
    const [, , deleted, clamped, early] = json.items.map((result) => result.item as Task)
    expect(deleted).toMatchObject({ createdAt: monday, doneAt: monday })
    const between = (instant: string | null | undefined, from: number) => {
      expect(Date.parse(instant ?? '')).toBeGreaterThanOrEqual(from)
      expect(Date.parse(instant ?? '')).toBeLessThanOrEqual(from + Date.now() - began)
    }
    between(deleted?.deletedAt, began)
    between(clamped?.createdAt, began - keptFor)
    between(early?.createdAt, began)
    between(early?.doneAt, began)
    // A field that someone else has changed since is merged as it would be without a time.
    await user.send({ item: old, set: { title: 'Theirs' } })
    const base = clamped?.version
    const late = await user.change(old, { title: 'Mine', done: true }, { base, at: monday })
    expect(late).toMatchObject({ outcome: 'conflict', item: { title: 'Theirs', doneAt: null } })
    const merged = await user.change(old, { done: true }, { base, at: monday })
    expect(merged).toMatchObject({ outcome: 'merged', item: { title: 'Theirs', doneAt: monday } })
    const logged = (await logOf(server.database, user.id)).filter((each) => each.item === old)
    expect(logged).not.toEqual([])
    for (const { at } of logged) between(new Date(at).toISOString(), began)
  })

  test.each([
    [{ item: randomUUID(), set: whole, at: 'Monday' }, 'changes/0/at'],
    [{ item: 'x', set: {} }, 'changes/0/item'],
    [{ item: randomUUID(), set: { title: '' } }, 'changes/0/set/title'],
    [{ item: randomUUID(), set: { done: 'yes' } }, 'changes/0/set/done'],
    [{ item: randomUUID() }, 'changes/0/set'],
    [{ item: randomUUID(), set: {}, base: -1 }, 'changes/0/base'],
  ])('%j are rejected as a whole, with an error of %s', async (change, field) => {
    const before = await allRows(server.database)
    const response = await user.send(change, { item: randomUUID(), set: whole })
    expect(fieldErrorOf(response).slice(0, 2)).toEqual([400, field])
    expect(await allRows(server.database)).toEqual(before)
  })

  test('that would return more than 4 MiB together are rejected, and none is applied', async () => {
    const { _id: item } = await user.addTask({ body: '😀'.repeat(100_000) })
    const cursor = (await user.changes()).cursor
    const toggles = Array.from({ length: 20 }, (_, index) => ({ item, set: { done: index % 2 === 0 } }))
    expect(fieldErrorOf(await user.send(...toggles)).slice(0, 2)).toEqual([400, 'changes'])
    expect((await user.changes()).cursor).toBe(cursor)
  })

  test('are returned since a cursor: new, edited, done, deleted and purged tasks, each once', async () => {
    const [kept, deleted] = [await user.addTask(), await user.addTask()]
    const start = await user.call('GET /changes')
    expect(start.json).toMatchObject({ purged: [], more: false })
    const idsIn = (delta: typeof start.json) => itemsIn(delta).map(({ _id }) => _id)
    expect(idsIn(start.json).sort()).toEqual([kept._id, deleted._id].sort())
    const edited = await user.editTask(kept._id, edit)
    expect(edited.headers['changes-cursor']).toMatch(/^3\./)
    await user.deleteTask(deleted._id)
    const delta = await user.changes(start.json.cursor)
    const gone = { _id: deleted._id, deletedAt: expect.any(String) }
    expect(itemsIn(delta)).toMatchObject([{ title: edit.title }, gone])
    await sweepChanges(server.database, kinds, Date.now() + keptFor + 1, new AbortController().signal)
    expect(await user.changes(delta.cursor)).toMatchObject({ items: [], purged: [deleted._id], more: false })
    // Everything before that cursor is older than thirty days by then.
    expect(await user.changes(start.json.cursor)).toEqual({ reset: true })
    expect((await user.call(`GET /tasks/${deleted._id}`)).status).toBe(404)
    const again = await user.changes()
    expect(idsIn(again)).toEqual([kept._id])
    const nothing = { items: [], purged: [], cursor: again.cursor, more: false }
    expect(await user.changes(again.cursor)).toEqual(nothing)
  })

  test('are neither made nor returned by a page of another build, which would misread them: its response says that it must reload', async () => {
    const { _id: item } = await user.addTask()
    const body = { changes: [{ mutation: randomUUID(), item, set: { done: true } }] }
    const headers = { 'time-zone': 'Europe/Lisbon', 'page-version': 'earlier' }
    for (const call of ['POST /changes', 'POST /changes/1/undo']) {
      const { status, json } = await user.call(call, { headers, body })
      expect([status, json.detail]).toEqual([412, expect.stringContaining('Reload the page.')])
    }
    expect((await user.call('GET /changes', { headers })).json).toEqual({ reset: true })
    const current = { ...headers, 'page-version': pageVersion }
    const { json } = await user.call('GET /changes', { headers: current })
    expect(itemsIn(json)).toMatchObject([{ version: 1 }])
    const applied = (await user.call('POST /changes', { headers: current, body })).json.items
    expect(applied).toMatchObject([{ outcome: 'applied', item: { doneAt: expect.any(String) } }])
  })

  test('are preceded by all items, deleted ones included, in pages of limited size, even if the tasks are large', async () => {
    const ids: string[] = []
    for (let count = 0; count < 8; count++) ids.push((await user.addTask({ body: '😀'.repeat(100_000) }))._id)
    await user.deleteTask(ids.at(-1))
    const log = await logOf(server.database, user.id)
    const { seq = 0, id = '' } = log.find(({ item }) => item === ids[0]) ?? {}
    for (const [from, expected] of [
      ['', ids],
      [`${seq}.${id}`, ids.slice(1)],
    ] as const) {
      const found: string[] = []
      for (let cursor: string = from, more = true; more; ) {
        const { text, json } = await user.call(`GET /changes${cursor && `?since=${cursor}`}`)
        expect(Buffer.byteLength(text)).toBeLessThan(1_048_576 + 1024)
        found.push(...itemsIn(json).map(({ _id }) => _id))
        ;({ cursor, more } = json)
      }
      expect(found).toEqual(expected)
    }
  })

  test('a malformed cursor is rejected, and a cursor that the log does not contain gets a reset', async () => {
    expect(fieldErrorOf(await user.call('GET /changes?since=yesterday'))[1]).toBe('since')
    expect(await user.changes(`0.${randomUUID()}`)).toEqual({ reset: true })
  })

  test('are read from the beginning if the server has lost the newest change of the first pages, as after a restore', async () => {
    const start = (await user.changes()).cursor
    for (let count = 0; count < 3; count++) await user.addTask()
    const page = async (cursor: string) => (await user.call(`GET /changes?since=${cursor}&limit=1`)).json
    const first = await page(start)
    expect((await page(first.cursor)).items).toHaveLength(1)
    // Its number was given again, to a change that these pages do not depend on.
    const head = randomUUID()
    const third = sql`update changes set id = ${head} where user_id = ${user.id} and seq = 3`
    await execute(server.database, third)
    await setAccount(server.database, user.id, { head })
    expect(await page(first.cursor)).toEqual({ reset: true })
  })

  test('a task is returned by its id with its version, even if it is deleted', async () => {
    const task = await user.addTask()
    const { headers, json } = await user.call(`GET /tasks/${task._id}`)
    expect([headers.etag, json]).toEqual(['"1"', { task }])
    await user.deleteTask(task._id)
    const gone = await user.call(`GET /tasks/${task._id}`)
    expect([gone.headers.etag, gone.json.task.deletedAt]).toEqual(['"2"', expect.any(String)])
  })

  test('an edit with If-Match of an older version gets a 409 with the current task, unless it changes other fields or sends them as in that version', async () => {
    const task = await user.addTask({ ...edit, title: 'Before' })
    const put = (body: object, match?: string) =>
      user.call(`PUT /list/updateTask/${task._id}`, { body, headers: match ? { 'if-match': match } : {} })
    expect((await put(edit, '"1"')).status).toBe(200)
    const rejected = await put({ ...edit, title: 'Other' }, '"1"')
    expect([rejected.status, rejected.json.current]).toMatchObject([409, { title: edit.title, version: 2 }])
    for (const body of ['More', '']) {
      const merged = await put({ ...edit, title: 'Before', body }, '"1"')
      expect(merged.json.task).toMatchObject({ title: edit.title, body: 'More', version: 3 })
    }
    expect((await put({ ...edit, title: 'Last' })).json.task).toMatchObject({ title: 'Last' })
    expect(fieldErrorOf(await put(edit, '*'))[1]).toBe('If-Match')
  })

  test('are undone if their fields were not changed again, and undoing an undo is redo', async () => {
    const { _id } = await user.addTask()
    const titleIs = async () => (await user.task(_id)).title
    const undo = async (seq: number) => (await user.undo(seq)).status
    await user.send({ item: _id, set: { title: 'B' } })
    await user.send({ item: _id, set: { body: 'Something else' } })
    expect([await undo(2), await titleIs()]).toEqual([200, 'Water the plants'])
    expect([await undo(2), await titleIs()]).toEqual([409, 'Water the plants'])
    expect([await undo(4), await titleIs()]).toEqual([200, 'B'])
    await user.send({ item: _id, set: { title: 'C' } })
    expect([await undo(2), await titleIs()]).toEqual([409, 'C'])
    expect(await undo(99)).toBe(404)
  })

  const needing = Object.entries<Field>(taskFields).flatMap(([name, { needs }]) => (needs ? [name] : []))
  test.each(needing)('to %s are undone whole or not at all if the due date was removed', async (name) => {
    const item = randomUUID()
    const repeat = { repeat: 'FREQ=DAILY', repeatDay: whole.dueDate }
    const set = { ...whole, dueTime: '17:00', ...(name !== 'dueTime' && repeat) }
    await user.send({ item, set })
    const removed = { dueTime: null, repeat: null, repeatDay: null }[name]
    const change = { title: 'B', [name]: removed, ...(name === 'repeatDay' && { repeat: null }) }
    const { seq } = await user.change(item, change)
    await user.send({ item, set: { dueDate: null } })
    const before = (await user.changes()).cursor
    const { status, json } = await user.undo(seq)
    expect([status, json.code, (await user.changes()).cursor]).toEqual([409, 'changed-since', before])
  })

  test('are undone once if an undo is sent again with the same Idempotency-Key, which belongs to one account', async () => {
    const [user, other] = [await server.newUser(), await server.newUser()]
    const headers = { 'idempotency-key': randomUUID() }
    const undo = (author: TestUser, seq: number) => author.call(`POST /changes/${seq}/undo`, { headers })
    for (const author of [user, other]) {
      const { _id: item } = await author.addTask()
      await author.send({ item, set: { title: 'B' } })
      const first = [{ outcome: 'applied', seq: 3, item: { title: whole.title, version: 3 } }]
      expect(await undo(author, 2)).toMatchObject({ status: 200, json: { items: first } })
      await author.send({ item, set: { title: 'C' } })
      const again = [{ outcome: 'duplicate', seq: 3, item: { title: 'C', version: 4 } }]
      expect(await undo(author, 2)).toMatchObject({ status: 200, json: { items: again } })
      expect(await author.tasks()).toHaveLength(1)
    }
    // A key that was not used for it does not repeat it.
    headers['idempotency-key'] = randomUUID()
    expect((await undo(user, 2)).status).toBe(409)
  })

  test('of a group are undone together or not at all', async () => {
    const group = randomUUID()
    const [one, two] = [randomUUID(), randomUUID()]
    await user.send({ item: one, group, set: whole }, { item: two, group, set: whole })
    await user.send({ item: one, group, set: { title: 'B' } })
    await user.send({ item: two, set: { body: 'Since' } })
    expect((await undoGroup(user, 1)).status).toBe(409)
    expect(await user.tasks()).toHaveLength(2)
    await user.undo(4)
    const { status, json } = await undoGroup(user, 1)
    expect([status, json.items.length]).toEqual([200, 2])
    expect(await user.tasks()).toEqual([])
    expect((await undoGroup(user, json.items[0]?.item?.version)).status).toBe(200)
    expect(await user.tasks()).toHaveLength(2)
  })

  test('of a group that changed a field twice are undone to the value before both', async () => {
    const { _id: item } = await user.addTask()
    const group = randomUUID()
    await user.send({ item, group, set: { title: 'B' } }, { item, group, set: { title: 'C' } })
    const { status, json } = await undoGroup(user, 2)
    expect([status, json.items]).toMatchObject([200, [{ item: { title: whole.title } }]])
  })

  test('of a group of 2,000 are undone and redone at once', async () => {
    const group = randomUUID()
    for (let made = 0; made < 2000; made += 200)
      await user.send(...Array.from({ length: 200 }, () => ({ item: randomUUID(), group, set: whole })))
    const undone = await undoGroup(user, 1)
    expect([undone.status, undone.json.items.length]).toEqual([200, 2000])
    expect((await undoGroup(user, Number.parseInt(undone.json.cursor, 10))).json.items).toHaveLength(2000)
  })
})

import { hash } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { api, type Endpoint } from '#contract/api.ts'
import { uuidOf } from '#contract/fields.ts'
import { pageVersion } from '#contract/limits.ts'
import { listNames, lists as taskLists } from '#contract/lists.ts'
import { reminderEndpoints } from '#contract/reminders.ts'
import { newId } from './new-id.ts'
import { loadPushKeys } from './reminders/push-keys.ts'
import { reminderKey } from './reminders/reminder-keys.ts'
import { hashOf, idOf, sessionKeyOf } from './sessions/token.ts'
import { allRows } from './testing/rows.ts'
import type { Answer } from './testing/test-client.ts'
import { onEveryServer, type TestUser } from './testing/test-server.ts'
import { startReset } from './users/password-reset.ts'

/** Of a browser of the user of the test, and the key of a notification in it. */
const subscription = reminderEndpoints['PUT /reminders/subscription'].body.examples[0]
let notificationKey: string

const draft = { title: 'Mine', body: '', dueDate: '2020-01-01', priority: 'high' } as const

/** Of a link of the user of the test. */
let resetToken: string

type WithBody = { [E in Endpoint]: (typeof api)[E] extends { body: unknown } ? E : never }[Endpoint]

/** A valid request body for each call. The type requires an entry for every call of the contract that has one. */
const bodies: Record<WithBody, (user: TestUser) => object> = {
  'POST /user/login': ({ email, password }) => ({ email, password }),
  'POST /user/register': ({ password }) => ({ name: 'Ada', email: 'another@example.org', password }),
  'POST /user/changePassword': ({ password }) => ({ currentPassword: password, newPassword: 'another one' }),
  'POST /user/resetPassword': () => ({ token: resetToken, newPassword: 'another one' }),
  'POST /user/deleteAccount': ({ password }) => ({ password }),
  'POST /tokens': () => ({ name: 'Script', scope: 'write' }),
  'POST /list/addTask': () => draft,
  'PUT /list/updateTask/:id': () => draft,
  'POST /items/purge': () => ({ items: [newId()] }),
  'PATCH /settings': () => ({ settings: { theme: 'dark' } }),
  'POST /changes': () => ({ changes: [{ mutation: newId(), item: newId(), set: draft }] }),
  'POST /import': () => ({
    import: newId(),
    tasks: [{ _id: newId(), ...draft, createdAt: '2020-01-01T00:00:00.000Z' }],
  }),
  'POST /import/undo': () => ({ import: newId() }),
  'PUT /reminders/subscription': () => subscription,
  'POST /reminders/press': () => ({ key: notificationKey, action: 'done', mutation: newId() }),
}
const bodyOf = (endpoint: Endpoint, user: TestUser) =>
  endpoint in bodies ? bodies[endpoint as WithBody](user) : undefined

/** The calls that need no token. */
const open: Endpoint[] = [
  ...(['POST /user/login', 'POST /user/register', 'POST /user/logout', 'POST /user/resetPassword'] as const),
  'GET /export',
  'POST /reminders/press',
]

const sessionOf = ({ token }: TestUser) => uuidOf(idOf(hashOf(token)))

const endpoints = Object.keys(api) as Endpoint[]
const guarded = endpoints.filter((endpoint) => !open.includes(endpoint))
const byId = endpoints.filter((endpoint) => endpoint.includes(':id'))
const lists = endpoints.filter((endpoint) => endpoint.startsWith('GET /list/'))
const paged = [...lists, 'GET /notes', 'GET /notes?deleted=true'] as const

/** The name of the list in the cursors of a call. */
const listOf = (endpoint: string): string =>
  listNames.find((name) => taskLists[name].endpoint === endpoint) ??
  (endpoint === 'GET /notes' ? 'notes' : 'deleted notes')

const tagLength = 12

/** A cursor with the checksum that the server computes, which is not a secret. */
function forgedCursor(scope: string, position: string) {
  const tag = hash('sha256', `${scope} ${position}`, 'base64url').slice(0, tagLength)
  return Buffer.from(tag + position).toString('base64url')
}

onEveryServer('isolation', ({ server }) => {
  let ada: TestUser
  let eve: TestUser
  let adasId: string
  let adasExport: string
  let adasToken: string
  let evesSubscription: string
  beforeAll(async () => {
    ada = await server.newUser()
    adasId = ada.id
    adasToken = (await ada.call('POST /tokens', { body: { name: 'Ada’s secret', scope: 'write' } })).json.id
    for (const deleted of [false, false, true, true])
      await ada.send({ item: newId(), kind: 'note', base: 0, set: { text: 'Ada’s secret', deleted } })
    for (const priority of ['high', 'medium', 'low', 'high', 'medium', 'low'] as const) {
      const add = (dueDate: string | null) => ada.addTask({ title: 'Ada’s secret', dueDate, priority })
      for (const day of ['2020-01-01', '2199-01-01', null]) await add(day)
      await ada.send({ item: (await add('2020-01-01'))._id, set: { done: true } })
      await ada.deleteTask((await add('2020-01-01'))._id)
    }
  })
  beforeEach(async () => {
    adasExport = (await ada.call('POST /export')).json.export.id
    eve = await server.newUser()
    await eve.call('PUT /reminders/subscription', { body: subscription })
    const { subscriptions } = (await eve.call('GET /reminders')).json.reminders
    evesSubscription = subscriptions[0]?.id ?? ''
    const { secret } = await loadPushKeys(server.database)
    const session = idOf(sessionKeyOf(eve.token)?.tokenHash ?? '')
    const noTask = { session, item: newId(), dueDate: null, dueTime: null }
    notificationKey = reminderKey(
      secret,
      { userId: eve.id, subscription: evesSubscription, ...noTask },
      Date.now(),
    )
    resetToken = await server.database.write((db) => startReset(db, eve.id, Date.now()))
  })

  const adasNotes = async () => (await ada.call('GET /notes')).json.notes
  const adasTasks = async () => await ada.tasks()

  /** Ada's row in `users` and every row that refers to her. */
  async function adasRows() {
    const rows = Object.entries(await allRows(server.database))
    return rows.map(([table, all]) => [table, all.filter((row) => row.includes(adasId))])
  }

  const comparable = ({ status, headers: { date: _, 'x-request-id': __, ...headers }, text }: Answer) => ({
    status,
    headers,
    text,
  })

  test('a call without a token, with an unknown one or after logging out is rejected and changes nothing', async () => {
    const [{ _id = '' } = {}] = await adasTasks()
    const { _id: evesTask } = await eve.addTask()
    await eve.call('POST /user/logout')
    const before = await allRows(server.database)
    for (const endpoint of guarded)
      for (const [token, id, user] of [
        ['', _id, ada],
        ['x'.repeat(64), _id, ada],
        [eve.token, evesTask, eve],
      ] as const) {
        const call = endpoint.replace(':id', id)
        const { status, headers } = await server.call(call, { token, body: bodyOf(endpoint, user) })
        expect([call, status]).toEqual([call, endpoint === 'GET /user/validate' ? 403 : 401])
        expect(headers['content-type']).toMatch(/^application\/problem\+json/)
      }
    expect(await allRows(server.database)).toEqual(before)
  })

  test.each(byId)('%s answers for another user’s item as for one that does not exist', async (endpoint) => {
    const before = await allRows(server.database)
    const body = bodyOf(endpoint, eve)
    const items = [...(await adasTasks()), ...(await adasNotes())].map(({ _id }) => _id)
    const unknown = '01a1fbec-df28-741d-85d9-08c2d1fcac18'
    const ids = [...items, unknown, sessionOf(ada), adasExport, adasToken, adasId]
    const answers = []
    for (const id of ids) {
      const path = endpoint.replace(':id', id).replace(':seq', '1')
      answers.push(comparable(await eve.call(path, { body })))
    }
    expect(answers[0]?.status).toBe(404)
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await allRows(server.database)).toEqual(before)
  })

  test.each(paged)('%s lists no item of another user and rejects their cursor', async (endpoint) => {
    const query = endpoint.includes('?') ? '&' : '?'
    const { nextCursor } = (await ada.call(`${endpoint}${query}limit=1`)).json
    expect(nextCursor).toEqual(expect.any(String))
    expect((await eve.call(endpoint)).text).toMatch(/^{"(lists|notes)":\[\]}$/)
    const { status, json } = await eve.call(`${endpoint}${query}cursor=${nextCursor}`)
    expect(status).toBe(400)
    expect(json.errors?.map(({ field }) => field)).toEqual(['cursor'])
  })

  test.each(paged)('%s rejects a forged cursor that names another user', async (endpoint) => {
    const path = `${endpoint}${endpoint.includes('?') ? '&' : '?'}`
    const { nextCursor } = (await ada.call(`${path}limit=1`)).json
    const position = Buffer.from(nextCursor, 'base64url').toString().slice(tagLength)
    const scope = `${eve.id} ${listOf(endpoint)}`
    const own = await eve.call(`${path}cursor=${forgedCursor(scope, position)}`)
    expect(own.text).toMatch(/^{"(lists|notes)":\[\]}$/)
    const named = JSON.stringify({ ...JSON.parse(position), owner: adasId })
    const values: (string | number)[] = JSON.parse(position)
    const forged = values.flatMap((value, index) =>
      (typeof value === 'number' ? ['x', 1e30, 0.5, null] : ['', '\0', '9999-99-99', '0000-01-01', 5]).map(
        (other) => JSON.stringify(values.with(index, other as string)),
      ),
    )
    const others = ['[]', JSON.stringify([...values, 1]), named, `"${adasId}"`, `[["${adasId}"]]`, adasId]
    for (const other of [...forged, ...others, '[null]', 'null', '{}']) {
      const answer = await eve.call(`${path}cursor=${forgedCursor(scope, other)}`)
      expect(answer.text).not.toMatch(/secret/)
      expect([other, answer.status, answer.json.errors?.[0]?.field]).toEqual([other, 400, 'cursor'])
    }
  })

  test.each(endpoints)('%s ignores a user id in the query, the body and the headers', async (endpoint) => {
    // The note is the first change.
    const note = newId()
    await eve.send({ item: note, kind: 'note', base: 0, set: { text: 'Mine' } })
    const { _id: task } = await eve.addTask()
    const { id, key } = (await eve.call('POST /export')).json.export
    const idOfPath: Record<string, string> = {
      notes: note,
      sessions: sessionOf(eve),
      tokens: (await eve.newToken('write')).id,
      export: id,
      subscriptions: evesSubscription,
    }
    const [, kind = ''] = /(\w+)\/:id/.exec(endpoint) ?? []
    const _id = idOfPath[kind] ?? task
    const [hers, tasks] = [await adasRows(), await adasTasks()]
    const owner = { userId: adasId, user_id: adasId, owner: adasId, email: ada.email }
    const body = bodyOf(endpoint, eve)
    const answer = await eve.call(
      `${endpoint.replace(':id', _id).replace(':seq', '1')}?${new URLSearchParams({ ...owner, q: 'secret', key })}`,
      {
        // Only a page may send fields that the contract does not name.
        headers: { 'page-version': pageVersion, 'x-user-id': adasId, 'user-id': adasId, from: ada.email },
        body: body && { ...owner, ...body, _id: tasks[0]?._id, id: tasks[0]?._id, user: owner },
      },
    )
    expect(answer.status).toBe(200)
    expect(answer.text).not.toMatch(/secret/)
    expect(answer.text).not.toContain(adasId)
    expect(await adasRows()).toEqual(hers)
    expect(await adasTasks()).toEqual(tasks)
  })

  test('an earlier text of a note is not found by another user who knows its id and number', async () => {
    const item = newId()
    const save = (base: number, text: string) =>
      ada.send({ item, kind: 'note', base, set: { text }, group: newId() })
    const first = (await save(0, 'Ada’s secret')).json.items[0]?.item?.version ?? 0
    await save(first, 'Ada’s newer secret')
    const call = `GET /notes/${item}/versions/${first}` as const
    expect((await ada.call(call)).json.version.text).toBe('Ada’s secret')
    const { status, text } = await eve.call(call)
    expect(status).toBe(404)
    expect(text).not.toMatch(/secret/)
  })

  test('a change of an item leaves an item of another user with the same id as it is', async () => {
    const items = { task: { ...draft }, note: { text: 'Mine' } }
    for (const [kind, set] of Object.entries(items) as ['task' | 'note', object][]) {
      const item = newId()
      const edit = kind === 'task' ? { title: 'Eve’s', done: true } : { pinned: true }
      await ada.send({ item, kind, base: 0, set })
      expect((await eve.send({ item, kind, set: edit })).json.items).toMatchObject([
        { outcome: 'conflict', item: null },
      ])
      expect((await eve.purge(item)).json.purged).toEqual([])
      await eve.send({ item, kind, base: 0, set })
      const hers = JSON.stringify((await adasRows()).filter(([table]) => table === `${kind}s`))
      await eve.send({ item, kind, set: edit })
      await eve.send({ item, kind, set: { deleted: true } })
      expect((await eve.purge(item)).json.purged).toEqual([item])
      expect(JSON.stringify((await adasRows()).filter(([table]) => table === `${kind}s`))).toBe(hers)
    }
  })

  test('an import with the ids of another user’s tasks and notes adds own ones, and its undo takes back only these', async () => {
    const [[task], [note]] = [await adasTasks(), await adasNotes()]
    const ids = [String(task?._id), String(note?._id)]
    const hers = await adasRows()
    const id = newId()
    const [createdAt, text] = ['2020-01-01T00:00:00.000Z', 'Mine']
    const body = {
      import: id,
      tasks: [{ _id: ids[0], ...draft, createdAt }],
      notes: [{ _id: ids[1], text, createdAt, changedAt: createdAt }],
      versions: [{ note: ids[1], at: createdAt, by: '', text: 'Mine before' }],
    }
    const { text: answer } = await eve.call('POST /import', { body })
    expect(answer).toBe('{"tasks":["added"],"notes":["added"],"versions":["added"]}')
    expect(await adasRows()).toEqual(hers)
    const undo = { body: { import: id } }
    expect((await ada.call('POST /import/undo', undo)).json).toEqual({ removed: 0, kept: 0, next: null })
    expect((await eve.call('POST /import/undo', undo)).json).toEqual({ removed: 2, kept: 0, next: null })
    expect(await adasRows()).toEqual(hers)
  })

  test('the changes since a cursor contain no item of another user with the same id', async () => {
    const user = await server.newUser()
    const items = {
      task: [draft, { ...draft, title: 'Secret' }],
      note: [{ text: 'Mine' }, { text: 'Secret' }],
    }
    for (const [kind, [own, others]] of Object.entries(items)) {
      const { cursor } = await eve.changes()
      const item = newId()
      // Both accounts have as many changes, so that both items have the same version.
      await user.send({ item, kind, base: 0, set: others })
      await eve.send({ item, kind, base: 0, set: own })
      const delta = await eve.call(`GET /changes?since=${cursor}`)
      expect(delta.json.items).toMatchObject([{ kind, item: { _id: item, title: 'Mine' } }])
      expect(delta.text).not.toMatch(/secret/i)
    }
  })

  test('no response contains the id of the user', async () => {
    for (const endpoint of paged) expect((await ada.call(endpoint)).text).not.toContain(adasId)
    expect((await ada.call('POST /list/addTask', { body: draft })).text).not.toContain(adasId)
  })
})

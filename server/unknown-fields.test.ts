import { beforeAll, expect, test } from 'vitest'
import { api, type Endpoint } from '#contract/api.ts'
import { uuidOf } from '#contract/fields.ts'
import { importEndpoints } from '#contract/imports.ts'
import { pageVersion } from '#contract/limits.ts'
import { reminderEndpoints } from '#contract/reminders.ts'
import type { Result, Scope } from './changes/change.ts'
import type { Edit } from './changes/item-kind.ts'
import type { Author } from './changes/locked-account.ts'
import type { Origin } from './changes/new-changes.ts'
import { startExport } from './exporting/export-addresses.ts'
import { newId } from './new-id.ts'
import { loadPushKeys } from './reminders/push-keys.ts'
import { reminderKey } from './reminders/reminder-keys.ts'
import type { Account } from './sessions/account-state.ts'
import { type Session, startSession } from './sessions/session-queries.ts'
import { hashOf, idOf, newToken, type SessionKey, sessionKeyOf } from './sessions/token.ts'
import { onEveryEngine } from './testing/engines.ts'
import { serverForAll, type TestUser } from './testing/test-server.ts'
import { startReset } from './users/password-reset.ts'

type Internal = Scope & Origin & Edit & Account & Author & Session & Result

/** The properties that only the server sets. The type requires an entry for each. */
const internal: Record<keyof Internal, true> = {
  ...{ kinds: true, quota: true, now: true, account: true, items: true, itemField: true },
  ...{ setFields: true, today: true, mutation: true, group: true, undoes: true, seq: true },
  ...{ device: true, by: true, name: true, isStep: true, head: true, task_count: true },
  ...{ stored_bytes: true, userId: true, tokenHash: true, scope: true, stale: true, checkedAt: true },
  ...{ kind: true, item: true, outcome: true, changed: true },
}

/** Names of which clients have set properties of the server before, and those that objects inherit. */
const others = ['isNew', 'existing', 'owner', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', '']

const [task, added, note, mutation] = [newId(), newId(), newId(), newId()]
const draft = { title: 'Mine #home', body: '', dueDate: '2020-01-01', priority: 'high' }
const imported = importEndpoints['POST /import'].body.examples[0]
const subscription = reminderEndpoints['PUT /reminders/subscription'].body.examples[0]
const subscriptionId = uuidOf(hashOf(subscription.endpoint).slice(0, 32))
type Sent = { path?: string; body?: object; headers?: Record<string, string> }

type Caller = TestUser & {
  link: string
  notification: string
  session: string
  made: string
  exported: { id: string; key: string }
}

type Plain = Exclude<
  Extract<Endpoint, `GET ${string}`>,
  `${string}:${string}` | 'GET /search' | 'GET /export'
>

/** A valid request of each call, in an order in which all succeed. The type requires an entry for each that needs a path or a body. */
const requests: Record<Exclude<Endpoint, Plain>, (user: Caller) => Sent> = {
  'POST /user/register': ({ password }) => ({
    body: { name: 'Ada', email: `${newId()}@example.org`, password },
  }),
  'POST /user/login': ({ email, password }) => ({ body: { email, password } }),
  'POST /changes': () => ({
    body: {
      changes: [
        { mutation: newId(), item: note, kind: 'note', base: 0, set: { text: 'Mine' } },
        { mutation, item: task, set: draft, at: '2026-11-21T00:00:00Z' },
        { mutation: newId(), item: newId(), set: { ...draft, deleted: true } },
      ],
    },
  }),
  'POST /list/addTask': () => ({ body: draft, headers: { 'idempotency-key': added } }),
  'PUT /list/updateTask/:id': () => ({ path: `/list/updateTask/${task}`, body: { ...draft, title: 'Done' } }),
  'POST /changes/:seq/undo': () => ({ path: '/changes/6/undo' }),
  'DELETE /list/deleteTask/:id': () => ({ path: `/list/deleteTask/${added}` }),
  'GET /tasks/:id': () => ({ path: `/tasks/${task}` }),
  'GET /tasks/:id/passed': () => ({ path: `/tasks/${task}/passed` }),
  'GET /notes/:id': () => ({ path: `/notes/${note}` }),
  'GET /notes/:id/versions': () => ({ path: `/notes/${note}/versions` }),
  'GET /notes/:id/versions/:seq': () => ({ path: `/notes/${note}/versions/1` }),
  'GET /search': () => ({ path: '/search?q=mine' }),
  'PATCH /settings': () => ({ body: { settings: { theme: 'dark' } } }),
  'POST /items/purge': () => ({ body: { items: [added] } }),
  'GET /export/:id': ({ exported }) => ({ path: `/export/${exported.id}` }),
  'GET /export': ({ exported }) => ({ path: `/export?key=${exported.key}` }),
  'DELETE /export/:id': ({ exported }) => ({ path: `/export/${exported.id}` }),
  'POST /export': () => ({}),
  'POST /import': () => ({ body: imported }),
  'POST /import/undo': () => ({ body: { import: imported.import } }),
  'PUT /reminders/subscription': () => ({ body: subscription }),
  'POST /reminders/press': ({ notification: key }) => ({ body: { key, action: 'done', mutation: newId() } }),
  'DELETE /reminders/subscriptions/:id': () => ({ path: `/reminders/subscriptions/${subscriptionId}` }),
  'DELETE /reminders/missed': () => ({}),
  'DELETE /tokens/:id': ({ made }) => ({ path: `/tokens/${made}` }),
  'POST /tokens': () => ({ body: { name: 'Script', scope: 'read', expiresAt: null } }),
  'DELETE /account/sessions/:id': ({ session }) => ({ path: `/account/sessions/${session}` }),
  'DELETE /account/sessions': () => ({}),
  'POST /user/changePassword': ({ password }) => ({
    body: { currentPassword: password, newPassword: password },
  }),
  'POST /user/resetPassword': ({ link }) => ({ body: { token: link, newPassword: 'a long enough one' } }),
  'POST /user/deleteAccount': ({ password }) => ({ body: { password } }),
  'POST /user/logout': () => ({}),
}

type Requested = [endpoint: Endpoint, requestOf: (user: Caller) => Sent]

/** All calls. Those that only read follow the last change. */
const calls = Object.entries(requests) as Requested[]
const plain = (Object.keys(api) as Endpoint[]).filter((endpoint) => !(endpoint in requests))
calls.splice(
  calls.findIndex(([endpoint]) => endpoint === 'GET /tasks/:id'),
  0,
  ...plain.map((endpoint): Requested => [endpoint, () => ({})]),
)

type Schema = { properties?: Record<string, Schema>; items?: Schema; additionalProperties?: false }

/** The value with more properties in each object, except those that its schema names. */
function withMore({ properties, items, ...schema }: Schema, value: unknown, more: object): unknown {
  if (items) return (value as unknown[]).map((item) => withMore(items, item, more))
  // Unknown settings are refused.
  if (!properties || schema.additionalProperties === false) return value
  const entries = Object.entries(value as object)
  return {
    ...Object.fromEntries(Object.entries(more).filter(([name]) => !(name in properties))),
    ...Object.fromEntries(
      entries.map(([name, each]) => [name, withMore(properties[name] ?? {}, each, more)]),
    ),
  }
}

/** The response without what differs between two accounts that made the same calls: ids by their order, instants, tokens. */
function comparable(text: string, known: string[]) {
  const anyId = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
  return text
    .replace(/"(token|key)":"[^"]+"/, 'a token')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'an instant')
    .replace(anyId, (id) => {
      if (!known.includes(id)) known.push(id)
      return `id ${known.indexOf(id)}`
    })
}

onEveryEngine('properties that the contract does not name', (engine) => {
  const server = serverForAll(engine)
  let columns: string[]
  beforeAll(async () => {
    const tables = await server.database.read.introspection.getTables()
    columns = tables.flatMap((table) => table.columns.map(({ name }) => name))
  })

  /** Makes all calls as a new user, with these properties in every object, and returns the responses. */
  async function answersWith(more: Record<string, unknown>) {
    for (const table of ['attempts', 'guesses'] as const)
      await server.database.write((db) => db.deleteFrom(table).execute())
    const [owner, other] = [await server.newUser(), await server.newUser()]
    const [own, { userId: otherId }] = [owner, other].map(({ token }) => sessionKeyOf(token)) as [
      SessionKey,
      SessionKey,
    ]
    const { userId: ownId } = own
    const tokenHash = hashOf(newToken(ownId))
    const now = Date.now()
    const [link, exported] = await server.database.write(async (db) => {
      await startSession(db, { userId: ownId, tokenHash }, { name: '', now })
      return [
        await startReset(db, otherId, now),
        await startExport(db, own, { life: { idle: now, max: now }, now }),
      ] as const
    })
    const { secret } = await loadPushKeys(server.database)
    const noTask = { session: idOf(hashOf(owner.token)), item: newId(), dueDate: null, dueTime: null }
    const occurrence = { userId: ownId, subscription: subscriptionId, ...noTask }
    const notification = reminderKey(secret, occurrence, now)
    const body = { name: 'Script', scope: 'read' }
    const { id: made } = (await owner.call('POST /tokens', { body })).json
    const user = { ...owner, link, made, notification, session: uuidOf(idOf(tokenHash)), exported }
    const known: string[] = []
    const answers = []
    for (const [endpoint, requestOf] of calls) {
      const { path = endpoint.replace(/^\w+ /, ''), body, headers = {} } = requestOf(user)
      const call = api[endpoint] as { body?: Schema; query?: Schema; headers?: Schema }
      const query = new URLSearchParams(
        Object.entries(more).flatMap(([name, value]) =>
          name in (call.query?.properties ?? {}) ? [] : [[name, String(value)]],
        ),
      )
      const inHeaders = Object.entries(more).filter(
        ([name]) => /^[a-z_]+$/i.test(name) && !(name in (call.headers?.properties ?? {})),
      )
      const {
        status,
        text,
        headers: received,
      } = await user.call(`${endpoint.split(' ')[0]} ${path}${path.includes('?') ? '&' : '?'}${query}`, {
        ...(body && { body: withMore(call.body ?? {}, body, more) }),
        headers: {
          // A page of another build may send them.
          'page-version': pageVersion,
          ...Object.fromEntries(inHeaders.map(([name, value]) => [name, String(value)])),
          ...headers,
        },
      })
      // A zip has instants in it.
      const isZip = received['content-type'] === 'application/zip'
      answers.push([endpoint, status, isZip ? 'a zip' : comparable(text, known)])
    }
    return answers
  }

  test('change nothing, whatever their values: the calls answer as without them', async () => {
    const without = await answersWith({})
    expect(without.map(([, status]) => status)).toEqual(calls.map(() => 200))
    const [eve] = await server.database.read.selectFrom('users').select('id').limit(1).execute()
    for (const value of [true, 0, 'new', 'existing', eve?.id, {}]) {
      const names = [...Object.keys(internal), ...others, ...columns]
      expect(await answersWith(Object.fromEntries(names.map((name) => [name, value])))).toEqual(without)
    }
  })

  test('are a 400 in the body of another program, which names each of them, except in specified calls and those of browsers', async () => {
    const owner = await server.newUser()
    const none = { link: '', made: '', notification: '', session: '', exported: { id: '', key: '' } }
    const user = { ...owner, ...none }
    const ignoring: string[] = []
    for (const [endpoint, requestOf] of Object.entries(requests)) {
      const { path = endpoint.replace(/^\w+ /, ''), body } = requestOf(user)
      if (!body) continue
      const { body: schema = {} } = api[endpoint as Endpoint] as { body?: Schema }
      const sent = withMore(schema, body, { titel: 'x', toString: 1 })
      const { status, json } = await user.call(`${endpoint.split(' ')[0]} ${path}`, { body: sent })
      const found = json.errors?.filter(({ code }) => code === 'unknown').map(({ field }) => field) ?? []
      if (found.length === 0) ignoring.push(endpoint)
      else expect([endpoint, status, found.toSorted()]).toEqual([endpoint, 400, pathsOf(sent).toSorted()])
    }
    expect(ignoring.sort()).toEqual([
      ...['POST /list/addTask', 'POST /reminders/press', 'POST /user/login', 'POST /user/register'],
      ...['PUT /list/updateTask/:id', 'PUT /reminders/subscription'],
    ])
  })
})

/** The paths of these names in a body. */
function pathsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) =>
    name === 'titel' || name === 'toString' ? [path + name] : pathsOf(each, `${path}${name}/`),
  )
}

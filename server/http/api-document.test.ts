import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { api, type Endpoint } from '#contract/api.ts'
import { apiBase } from '#contract/limits.ts'
import { nextId } from '#contract/repeats.ts'
import { newId } from '../new-id.ts'
import { loadPushKeys } from '../reminders/push-keys.ts'
import { reminderKey } from '../reminders/reminder-keys.ts'
import { hashOf, idOf, sessionKeyOf } from '../sessions/token.ts'
import { listen } from '../testing/raw-client.ts'
import type { Answer } from '../testing/test-client.ts'
import { serverForTest, type TestServer } from '../testing/test-server.ts'
import { startReset } from '../users/password-reset.ts'

const document = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8')

/** The calls in their order: the access that the text says, and the command. */
const calls = document
  .split(/^### /m)
  .slice(1)
  .map((part) => {
    const [endpoint = '', , about = ''] = part.split('\n')
    return {
      endpoint: endpoint as Endpoint,
      access: /^Access `(\w+)`\. /.exec(about)?.[1],
      command: /```sh\n(.+?)\n```/s.exec(part)?.[1] ?? '',
    }
  })

const hasCurl = spawnSync('curl', ['--version']).status === 0
if (!hasCurl) console.warn('The commands of docs/api.md are not tested, because curl is not installed.')

/** A command for versions of curl before 7.82, which have no `--json`. */
const forEachCurl = (command: string) =>
  command.replaceAll(' --json ', " -H 'Content-Type: application/json' --data ")

test('docs/api.md has each call of the contract with its access and a curl of its method and path', () => {
  const said = calls.map(({ endpoint, access }) => [endpoint, access])
  const wanted = Object.entries(api).map(([endpoint, { access }]) => [endpoint, access])
  expect(said.sort()).toEqual(wanted.sort())
  for (const { endpoint, command } of calls) {
    const [method, path = ''] = endpoint.split(' ')
    const sent = / -X (\w+) /.exec(command)?.[1] ?? (command.includes(' --json ') ? 'POST' : 'GET')
    expect([endpoint, sent]).toEqual([endpoint, method])
    expect(command).toMatch(new RegExp(`"\\$API${path.replace(/:\w+/g, '[^/"?]+')}[?"]`))
    expect(command.includes('"$TOKEN"')).toBe(api[endpoint].access !== 'none' || path === '/user/logout')
  }
})

async function sendEachCurl() {
  const server = await serverForTest('sqlite')
  const other = await server.newUser()
  const folder = await mkdtemp(join(inject('folder'), 'curl-'))
  await writeFile(join(folder, '.curlrc'), 'silent\nshow-error\nfail\n')
  const env: Variables = {
    ...{ PATH: process.env.PATH, HOME: folder, CURL_HOME: folder, NO_PROXY: '*' },
    API: (await listen(server.app)) + apiBase,
    // A link of another account, since it ends all sessions of its own.
    LINK_TOKEN: await server.database.write((db) => startReset(db, other.id, Date.now())),
  }
  const shell = { cwd: folder, env }
  for (const { endpoint, command } of calls) {
    if (endpoint === 'GET /changes/stream') {
      const stream = spawn('sh', ['-c', `exec ${forEachCurl(command)}`], shell)
      expect(String(await once(stream.stdout, 'data'))).toMatch(/^data: \d/)
      stream.kill()
      continue
    }
    if (endpoint === 'POST /reminders/press') env.NOTIFICATION_KEY = await newKey(server, env)
    const { stdout } = await promisify(execFile)('sh', ['-c', forEachCurl(command)], shell).catch((error) => {
      throw new Error(`${endpoint}: ${error.stdout}${error.stderr}`)
    })
    Object.assign(env, valuesIn(endpoint, stdout === '' ? {} : JSON.parse(stdout)))
  }
}

if (hasCurl) test('each curl of docs/api.md, in its order, is accepted by a server', sendEachCurl)

test('each example of a field in docs/api.md is applied by a server, and what is said of it is so', async () => {
  // The completion in it was made the day before.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-12-05T08:00:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const server = await serverForTest('sqlite')
  const user = await server.newUser()
  const bodies = [...document.matchAll(/```json\n(.+?)\n```/gs)].map(([, body = '']) => JSON.parse(body))
  const fields = new Set(bodies.flatMap(({ changes }) => changes.flatMap(fieldsOf)))
  for (const field of ['repeat', 'repeatDay', 'reminders', 'day', 'at', 'done', 'deleted', 'group'])
    expect([field, fields.has(field)]).toEqual([field, true])
  const states: Record<string, string | null>[] = []
  for (const body of bodies) {
    const { json, headers } = await user.call('POST /changes', { body })
    expect(json.items.map(({ outcome }) => outcome)).toEqual(body.changes.map(() => 'applied'))
    const isCompletion = body.changes.some(({ set }: { set: object }) => 'done' in set)
    expect('changes-cursor-before' in headers).toBe(!isCompletion)
    states.push(...json.items.map(({ item }) => item as never))
  }
  const [fern, books] = states
  const { items } = await user.changes()
  const found = items.map(({ item }) => item)
  const series = found.filter(({ series }) => series === fern?._id)
  // The next task is the first day of the rule after the completed one, in the series and with the id that the document says.
  expect(series.map(({ _id, dueDate }) => [_id, dueDate])).toEqual([
    [fern?._id, '2026-12-04'],
    [nextId(String(fern?._id), String(fern?._id)), '2026-12-15'],
  ])
  expect(found.find(({ _id }) => _id === fern?._id)).toMatchObject({ doneAt: '2026-12-04T22:15:00.000Z' })
  expect(found.find(({ _id }) => _id === books?._id)).toMatchObject({ deletedAt: expect.any(String) })
  expect((await user.call(`GET /tasks/${books?._id}`)).status).toBe(200)
})

/** The names of a change and of its new values. */
const fieldsOf = (change: { set: object }) => [...Object.keys(change), ...Object.keys(change.set)]

type Variables = Record<string, string | undefined>

/** The values of a response that later commands name. */
function valuesIn(endpoint: Endpoint, json: Answer['json']): Record<string, string> {
  if (endpoint === 'POST /user/login') return { TOKEN: json.token }
  if (endpoint === 'POST /changes') return { SEQ: String(json.items[0]?.seq) }
  if (endpoint === 'POST /tokens') return { MADE: json.id }
  if (endpoint === 'POST /export') return { EXPORT_ID: json.export.id, EXPORT_KEY: json.export.key }
  if (endpoint === 'GET /reminders') return { SUBSCRIPTION: String(json.reminders.subscriptions[0]?.id) }
  if (endpoint === 'GET /account')
    return { SESSION: String(json.account.sessions.find(({ current }) => !current)?.id) }
  return {}
}

/** The key that a notification of this account would have. */
async function newKey({ database }: TestServer, { TOKEN = '', SUBSCRIPTION = '' }: Variables) {
  const { secret } = await loadPushKeys(database)
  const task = { item: newId(), dueDate: null, dueTime: null }
  const { userId = '' } = sessionKeyOf(TOKEN) ?? {}
  const occurrence = { userId, subscription: SUBSCRIPTION, session: idOf(hashOf(TOKEN)), ...task }
  return reminderKey(secret, occurrence, Date.now())
}

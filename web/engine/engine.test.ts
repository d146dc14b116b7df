import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { todayHere } from '#contract/days.ts'
import { tokenKey } from '#contract/limits.ts'
import type { TaskValues } from '#contract/tasks.ts'
import type {} from '../../server/testing/global-setup.ts'
import { listen } from '../../server/testing/raw-client.ts'
import { startTestServer, type TestServer, type TestUser } from '../../server/testing/test-server.ts'
import { createEngine, type Engine } from './engine.ts'
import { documentsOf } from './notes/note-documents.ts'
import { taskListOf } from './store/task-lists.ts'
import { memoryStorage, testNeeds } from './testing/test-needs.ts'
import { complete } from './verbs/complete.ts'

let server: TestServer
let origin: string

beforeAll(async () => {
  server = await startTestServer('sqlite')
  origin = await listen(server.app)
})
afterAll(() => server.close())

const online: typeof fetch = (path, init) => fetch(origin + path, init)
const offline = async () => {
  throw new TypeError('Failed to fetch')
}

/** A started engine of an account, with nothing mounted. It has opened the list of the newest tasks. */
function open(user: TestUser, { network = online, local = memoryStorage() } = {}) {
  const engine = createEngine(testNeeds({ fetch: network, accountToken: user.token, local }))
  const stop = engine.start()
  onTestFinished(stop)
  taskListOf(engine, 'latest').prefetch()
  return Object.assign(engine, { stop })
}

function type({ quickLines }: Engine, title: string, more: Partial<TaskValues> = {}) {
  quickLines.getState().type(title)
  quickLines.getState().enter({ title, body: '', dueDate: todayHere(), priority: 'low', ...more })
}

const openTasks = ({ store }: Engine) =>
  [...store.tasks()].filter(({ doneAt, deletedAt }) => doneAt === null && deletedAt === null)
const titlesIn = (engine: Engine) => openTasks(engine).map(({ title }) => title)
const noteIn = ({ store }: Engine) => store.notes(false)[0]
const until = <Value>(look: () => Value) => vi.waitUntil(look, { timeout: 60_000, interval: 5 })

test('A typed line reaches the other device of its account, and no other account in the same process', async () => {
  const [ann, ben] = [await server.newUser(), await server.newUser()]
  const [laptop, phone, other] = [open(ann), open(ann), open(ben)]
  type(laptop, 'Buy milk')
  expect(titlesIn(laptop)).toEqual(['Buy milk'])
  await until(() => titlesIn(phone).length === 1)
  type(other, 'Feed the cat')
  await other.journal.answered()
  expect([laptop, phone, other].map(titlesIn)).toEqual([['Buy milk'], ['Buy milk'], ['Feed the cat']])
})

test('Ten additions are undone by ten presses in a row, while the last of them are being sent', async () => {
  const user = await server.newUser()
  const [laptop, phone] = [open(user), open(user)]
  for (let number = 1; number <= 5; number++) type(laptop, `Task ${number}`)
  await laptop.journal.answered()
  for (let number = 6; number <= 10; number++) type(laptop, `Task ${number}`)
  await until(() => titlesIn(phone).length >= 5)
  for (let presses = 1; presses <= 10; presses++) laptop.undo.reverseRun('undo')
  await until(() => titlesIn(laptop).length === 0)
  await laptop.journal.answered()
  await until(() => titlesIn(phone).length === 0)
  expect(laptop.history.getState().redo.length).toBe(10)
})

test('A completed task that repeats shows its next one at once, which is the one that the other device gets', async () => {
  const user = await server.newUser()
  const [laptop, phone] = [open(user), open(user)]
  type(laptop, 'Water the plants', { repeat: 'FREQ=DAILY' })
  await laptop.journal.answered()
  await until(() => laptop.repeats.withDerived)
  const [first] = openTasks(laptop)
  if (first) laptop.changes.make([complete.make(first)])
  const [next] = openTasks(laptop)
  expect(next).toMatchObject({ title: 'Water the plants', series: first?._id })
  await until(() => openTasks(phone)[0]?._id === next?._id)
})

test('The text of a note arrives in the other device while both have it open', async () => {
  const user = await server.newUser()
  const [laptop, phone] = [open(user), open(user)]
  const id = documentsOf(laptop).write('Ferry at nine')
  await until(() => noteIn(phone)?.title === 'Ferry at nine')
  const { note } = (await phone.needs.call('GET /notes/:id', { params: { id } })).data
  const [written, read] = [documentsOf(laptop).create(id), documentsOf(phone).open(note)]
  written.edit('Ferry at nine\nTake the bread')
  await written.save()
  await until(() => read.text === 'Ferry at nine\nTake the bread')
})

test('What a visit without a network has left is sent by the next one', async () => {
  const user = await server.newUser()
  const local = memoryStorage()
  const first = open(user, { network: offline, local })
  type(first, 'Buy milk')
  documentsOf(first).write('Ferry at nine')
  await until(() => first.connection.offline.getState())
  first.stop()
  const phone = open(user)
  open(user, { local })
  await until(() => titlesIn(phone).length === 1 && noteIn(phone))
  await until(() => Object.keys(local).every((key) => key === tokenKey || key === 'unstored'))
})

test('After the end of a session its engine sends and stores nothing, also if another account has logged in there', async () => {
  const [ann, ben] = [await server.newUser(), await server.newUser()]
  const local = memoryStorage()
  const network = vi.fn(online)
  const ended = open(ann, { network, local })
  type(ended, 'Buy milk')
  await ended.journal.answered()
  local.setItem(tokenKey, ben.token)
  const [kept, calls] = [{ ...local }, network.mock.calls.length]
  type(ended, 'Buy tea')
  documentsOf(ended).write('Ferry at nine')
  ended.undo.reverseRun('undo')
  ended.needs.tell('hidden')
  const next = open(ben, { local })
  type(next, 'Feed the cat')
  await next.journal.answered()
  expect(network.mock.calls.length).toBe(calls)
  expect({ ...local }).toEqual({ ...kept, ...{ unstored: 'said' } })
  expect(titlesIn(next)).toEqual(['Feed the cat'])
  const { json } = await ann.call('GET /list/getLatestTasks')
  expect(json.lists.map(({ title }) => title)).toEqual(['Buy milk'])
})

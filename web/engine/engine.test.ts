import { afterAll, beforeAll, expect, test } from 'vitest'
import { tokenKey } from '#contract/limits.ts'
import type {} from '../../server/testing/global-setup.ts'
import { listen } from '../../server/testing/raw-client.ts'
import { startTestServer, type TestServer, type TestUser } from '../../server/testing/test-server.ts'
import type { Engine } from './engine.ts'
import { documentsOf } from './notes/note-documents.ts'
import { openBrowser, openTasksIn, titlesIn, typeLine, until } from './testing/test-browser.ts'
import { complete } from './verbs/complete.ts'

let server: TestServer
let origin: string

beforeAll(async () => {
  server = await startTestServer('sqlite')
  origin = await listen(server.app)
})
afterAll(() => server.close())

/** A browser of its own for an account, with one tab. */
const open = (user: TestUser) => openBrowser(origin, user).open()
const noteIn = ({ store }: Engine) => store.notes(false)[0]

test('A typed line reaches the other device of its account, and no other account in the same process', async () => {
  const [ann, ben] = [await server.newUser(), await server.newUser()]
  const [laptop, phone, other] = [open(ann), open(ann), open(ben)]
  typeLine(laptop, 'Buy milk')
  expect(titlesIn(laptop)).toEqual(['Buy milk'])
  await until(() => titlesIn(phone).length === 1)
  typeLine(other, 'Feed the cat')
  await other.journal.answered()
  expect([laptop, phone, other].map(titlesIn)).toEqual([['Buy milk'], ['Buy milk'], ['Feed the cat']])
})

test('Ten additions are undone by ten presses in a row, while the last of them are being sent', async () => {
  const user = await server.newUser()
  const [laptop, phone] = [open(user), open(user)]
  for (let number = 1; number <= 5; number++) typeLine(laptop, `Task ${number}`)
  await laptop.journal.answered()
  for (let number = 6; number <= 10; number++) typeLine(laptop, `Task ${number}`)
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
  typeLine(laptop, 'Water the plants', { repeat: 'FREQ=DAILY' })
  await laptop.journal.answered()
  await until(() => laptop.repeats.withDerived)
  const [first] = openTasksIn(laptop)
  if (first) laptop.changes.make([complete.make(first)])
  const [next] = openTasksIn(laptop)
  expect(next).toMatchObject({ title: 'Water the plants', series: first?._id })
  await until(() => openTasksIn(phone)[0]?._id === next?._id)
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
  const browser = openBrowser(origin, user)
  browser.setOnline(false)
  const first = browser.open()
  typeLine(first, 'Buy milk')
  documentsOf(first).write('Ferry at nine')
  await until(() => first.connection.offline.getState())
  first.close()
  browser.setOnline(true)
  const phone = open(user)
  browser.open()
  await until(() => titlesIn(phone).length === 1 && noteIn(phone))
  await until(() => Object.keys(browser.stored).every((key) => key === tokenKey || key === 'unstored'))
})

test('After the end of a session its engine sends and stores nothing, also if another account has logged in there', async () => {
  const [ann, ben] = [await server.newUser(), await server.newUser()]
  const { network, open, stored } = openBrowser(origin, ann)
  const ended = open()
  typeLine(ended, 'Buy milk')
  await ended.journal.answered()
  stored[tokenKey] = ben.token
  const [kept, calls] = [{ ...stored }, network.calls.length]
  typeLine(ended, 'Buy tea')
  documentsOf(ended).write('Ferry at nine')
  ended.undo.reverseRun('undo')
  ended.close()
  expect(network.calls.length).toBe(calls)
  const next = open()
  typeLine(next, 'Feed the cat')
  await next.journal.answered()
  expect({ ...stored }).toEqual({ ...kept, ...{ unstored: 'said' } })
  expect(titlesIn(next)).toEqual(['Feed the cat'])
  const { json } = await ann.call('GET /list/getLatestTasks')
  expect(json.lists.map(({ title }) => title)).toEqual(['Buy milk'])
})

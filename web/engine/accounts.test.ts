import { afterEach, expect, test, vi } from 'vitest'
import { tokenKey } from '#contract/limits.ts'
import type { TestUser } from '../../server/testing/test-server.ts'
// Loaded before the tests, as with the first use of the page.
import './journal/ways.ts'
import { documentsOf } from './notes/note-documents.ts'
import { testAccounts, titlesOf } from './testing/test-accounts.ts'
import { type Tab, titlesIn, typeLine, until } from './testing/test-browser.ts'
import { add } from './verbs/add-edit.ts'

const { browserOf, newUser, visit } = testAccounts()
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const clear = (stored: Record<string, string>) => {
  for (const key of Object.keys(stored)) delete stored[key]
}
const keptKinds = (stored: object) =>
  Object.keys(stored)
    .map((key) => key.split(' ')[0] as string)
    .filter((kind) => ['draft', 'note-draft', 'outbox'].includes(kind))
    .sort()
const draft = (title: string) => ({ values: { title }, at: Date.now() })

type Ending = (visited: { stored: Record<string, string>; tab: Tab; user: TestUser }) => unknown

const unsent = ['draft', 'note-draft', 'outbox']

/** How a session ends in a tab whose engine may stay in memory, and what is kept of it. Only a logout discards what was typed. */
const endings: [string, string[], Ending][] = [
  ['a logout in another tab', [], ({ stored }) => clear(stored)],
  ['a session that the server has ended', unsent, endOnServer],
  ['Back to a public page', unsent, ({ tab }) => tab.close()],
  [
    'Back to a public page and a logout in another tab',
    [],
    ({ stored, tab }) => {
      tab.close()
      clear(stored)
    },
  ],
]

async function endOnServer({ stored, tab, user }: Parameters<Ending>[0]) {
  await user.call('POST /user/logout')
  tab.needs.call('GET /changes').catch(() => {})
  await until(() => !(tokenKey in stored))
}

/** The answers that change nothing on the server and are asked for again. */
const answers = [...[408, 429, 503, 502].map((status) => ({ status })), ...(['dropped', 'lost'] as const)]

for (const [ending, kept, end] of endings)
  test(`After ${ending}, nothing of the first account is sent in the session of the next one in the same tab`, async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    for (const answer of answers) {
      const visited = await visit()
      const { browser, network, stored, tab } = visited
      const next = await newUser()
      const release = network.force('POST /changes', answer)
      typeLine(tab, 'secret task')
      tab.formDrafts.keep(String(tab.formDrafts.newKey('add')), draft('secret draft'))
      const note = documentsOf(tab).create('secret-note')
      note.edit('secret of the first account')
      await note.save()
      note.keepDraft()
      await end(visited)
      release()

      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
      const before = network.sent.length
      stored[tokenKey] = next.token
      const other = browser.open()
      typeLine(other, 'Feed the cat')
      await until(() => other.journal.entries().length === 0)
      for (const sign of ['online', 'shown', 'focus', 'hidden'] as const) tab.needs.tell(sign)
      await vi.advanceTimersByTimeAsync(300_000)
      vi.useRealTimers()
      const sent = network.sent.filter((_, index) => index >= before && network.calls[index] !== 'GET /livez')
      const tokens = sent.map(({ headers }) => new Headers(headers).get('authorization'))
      expect(new Set(tokens)).toEqual(new Set([`Bearer ${next.token}`]))
      expect(sent.filter(({ body }) => String(body).includes('secret'))).toEqual([])
      expect([titlesIn(other), await titlesOf(next)]).toEqual([['Feed the cat'], ['Feed the cat']])
      expect([stored[tokenKey], keptKinds(stored)]).toEqual([next.token, kept])
      tab.kill()
      other.kill()
    }
  })

test('Text of the first account in a form is not sent under the token of the second, which a tab has not noticed', async () => {
  const { network, stored, tab } = await visit()
  const next = await newUser()
  stored[tokenKey] = next.token
  const [before, told] = [{ ...stored }, vi.fn()]
  const values = { title: 'of the first account', dueDate: '2026-11-25', priority: 'high' } as const
  tab.changes.makeAwaited(add.make('a', values), { mutation: 'a' }).then(told, told)
  await next.call('GET /list/getLatestTasks')
  expect(network.calls).not.toContain('POST /list/addTask')
  expect([told.mock.calls, { ...stored }, await titlesOf(next)]).toEqual([[], before, []])
})

test('After the server has ended a session, its drafts are offered to the same account alone', async () => {
  const visited = await visit()
  const { browser, stored, tab, user } = visited
  tab.formDrafts.keep(String(tab.formDrafts.newKey('add')), draft('half a thought'))
  await endOnServer(visited)
  const offeredTo = async (token: string) => {
    stored[tokenKey] = token
    const { formDrafts, unsent } = browser.open()
    return [formDrafts.all('add').map(({ values }) => values.title), unsent.countOfOthers()]
  }
  expect(await offeredTo((await newUser()).token)).toEqual([[], 1])
  expect(await offeredTo(user.token)).toEqual([['half a thought'], 0])
})

test('Two tabs that type at once overwrite neither draft, and after a logout typing on brings none back', async () => {
  const { browser, stored, tab } = await visit()
  const other = browser.open()
  const keys = [tab, other].map(({ formDrafts }) => String(formDrafts.newKey('add')))
  const type = (title: string) =>
    [tab, other].forEach(({ formDrafts }, index) => {
      formDrafts.keep(keys[index] as string, { ...draft(`${title} ${index}`), at: index })
    })
  type('half a thought')
  type('a whole thought')
  const { formDrafts } = browser.open()
  const all = formDrafts.all('add').map(({ values }) => values.title)
  expect(all).toEqual(['a whole thought 1', 'a whole thought 0'])
  clear(stored)
  type('later')
  expect(keptKinds(stored)).toEqual([])
})

test('A typed line reaches the other device of its account, and no other account in the same process', async () => {
  const [ann, ben] = [await newUser(), await newUser()]
  const [laptop, phone, other] = [ann, ann, ben].map((user) => browserOf(user).open()) as [Tab, Tab, Tab]
  typeLine(laptop, 'Buy milk')
  expect(titlesIn(laptop)).toEqual(['Buy milk'])
  await until(() => titlesIn(phone).length === 1)
  typeLine(other, 'Feed the cat')
  await other.journal.answered()
  expect([laptop, phone, other].map(titlesIn)).toEqual([['Buy milk'], ['Buy milk'], ['Feed the cat']])
})

test('After the end of a session its engine sends and stores nothing, also if another account has logged in there', async () => {
  const [ann, ben] = [await newUser(), await newUser()]
  const { browser, network, stored, tab: ended } = await visit(ann)
  typeLine(ended, 'Buy milk')
  await ended.journal.answered()
  stored[tokenKey] = ben.token
  const [kept, calls] = [{ ...stored }, network.calls.length]
  typeLine(ended, 'Buy tea')
  documentsOf(ended).write('Ferry at nine')
  ended.undo.reverseRun('undo')
  ended.close()
  expect(network.calls.length).toBe(calls)
  const next = browser.open()
  typeLine(next, 'Feed the cat')
  await next.journal.answered()
  expect({ ...stored }).toEqual({ ...kept, ...{ unstored: 'said' } })
  expect(titlesIn(next)).toEqual(['Feed the cat'])
  expect(await titlesOf(ann)).toEqual(['Buy milk'])
})

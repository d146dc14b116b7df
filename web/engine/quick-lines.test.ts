import { afterEach, expect, test, vi } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import type { Engine } from './engine.ts'
import type { NewChange } from './entry.ts'
import { testAccounts, titlesOf } from './testing/test-accounts.ts'
import { openTasksIn, type Tab, titlesIn, typeLine, until } from './testing/test-browser.ts'
import { edit } from './verbs/add-edit.ts'
import { complete, remove } from './verbs/complete.ts'
import { rejectedLines } from './waiting.ts'

const { visit } = testAccounts()
afterEach(() => void vi.restoreAllMocks())

const line = ({ quickLines }: Engine) => quickLines.getState()
const offered = (tab: Engine) => line(tab).offered?.map(({ values }) => values.title)
const rejected = ({ journal }: Engine) => rejectedLines(journal.entries())
const rejectedTitles = (tab: Engine) => rejected(tab).map(({ typed }) => typed?.text)
const storedDrafts = (stored: object) => Object.keys(stored).filter((key) => key.startsWith('draft '))
const onFire = { status: 500, json: { detail: 'The disk is on fire.' } }

/** Opens a tab that has looked for drafts of earlier visits. */
function open(browser: { open(): Tab }) {
  const tab = browser.open()
  line(tab).lookUpOffers()
  return tab
}

test.each(['close', 'kill'] as const)(
  'Text of the line is offered after a %s, is in no line by itself, and leaves nothing once it is added or emptied',
  async (end) => {
    const { browser, tab, stored, user } = await visit()
    line(tab).type('Buy m')
    line(tab).type('Buy milk')
    tab[end]()
    const next = open(browser)
    expect([line(next).text, offered(next)]).toEqual(['', ['Buy milk']])
    line(next).type('Call Ann')
    const [draft] = line(next).offered ?? []
    if (draft) line(next).restore(draft)
    expect([line(next).text, offered(next)]).toEqual(['Buy milk', ['Call Ann']])
    typeLine(next, 'Buy milk')
    await next.journal.answered()
    for (const draft of line(next).offered ?? []) line(next).discardOffer(draft)
    line(next).type('Feed the cat')
    line(next).type('')
    expect(storedDrafts(stored)).toEqual([])
    expect(await titlesOf(user)).toEqual(['Buy milk'])
  },
)

test('Lines that were not added outlive their tab, each by itself, beside the half one, and equal ones are two tasks', async () => {
  const { browser, network, tab, stored, user } = await visit()
  const end = network.force('POST /changes', onFire)
  for (const title of ['Buy milk', 'Call Ann']) typeLine(tab, title)
  line(tab).type('Half a th')
  await until(() => rejected(tab).length === 2)
  tab.kill()
  end()
  const next = open(browser)
  expect([offered(next), titlesIn(next)]).toEqual([['Half a th'], []])
  expect(rejectedTitles(next)).toEqual(['Buy milk', 'Call Ann'])
  const [milk, ann] = rejected(next)
  if (milk) next.journal.retry(milk)
  await next.journal.answered()
  if (ann) line(next).edit(ann)
  expect(line(next).text).toBe('Call Ann')
  typeLine(next, line(next).text)
  for (let times = 0; times < 2; times++) typeLine(next, 'Feed the cat')
  await next.journal.answered()
  expect(await titlesOf(user)).toEqual(['Buy milk', 'Call Ann', 'Feed the cat', 'Feed the cat'])
  expect([rejected(next), storedDrafts(stored).length]).toEqual([[], 1])
})

/** The changes of all calls. */
const changesSent = (sent: readonly RequestInit[]) =>
  sent.flatMap(({ body }) => (body ? (JSON.parse(String(body)).changes ?? []) : [])) as {
    mutation: string
    set: { title: string }
  }[]

test.each(['dropped', 'lost'] as const)(
  'A line whose call was %s stays shown, and is sent with the same ids until it is answered, also by the next visit',
  async (how) => {
    const { browser, network, tab, user } = await visit()
    const end = network.force('POST /changes', how)
    typeLine(tab, 'Buy milk')
    for (let calls = 1; calls <= 2; calls++) {
      await until(() => changesSent(network.sent).length === calls)
      tab.needs.tell('online')
    }
    expect([titlesIn(tab), rejected(tab)]).toEqual([['Buy milk'], []])
    const [task] = openTasksIn(tab)
    tab.kill()
    end()
    const next = browser.open()
    await until(() => next.journal.entries().length === 0)
    const { json } = await user.call('GET /list/getLatestTasks')
    expect(json.lists.map(({ _id }) => _id)).toEqual([task?._id])
    expect(new Set(changesSent(network.sent).map(({ mutation }) => mutation)).size).toBe(1)
  },
)

test.each([
  ['completed', [], complete.make],
  ['deleted', [], remove.make],
  ['edited', ['Buy tea'], (task) => edit.make(task, { ...task, title: 'Buy tea' })],
] as [string, string[], (task: Task) => NewChange][])(
  'A line whose answer was lost is not added twice when its task was %s elsewhere meanwhile',
  async (_, left, change) => {
    const { browser, network, tab, user } = await visit()
    const { tab: phone } = await visit(user)
    const end = network.force('POST /changes', 'lost')
    typeLine(tab, 'Buy milk')
    await until(() => titlesIn(phone).length === 1)
    const [task] = openTasksIn(phone)
    if (task) phone.changes.make([change(task)])
    await phone.journal.answered()
    tab.kill()
    end()
    const next = browser.open()
    await until(() => next.journal.entries().length === 0)
    await until(() => titlesIn(next).join() === left.join())
    expect(await titlesOf(user)).toEqual(left)
  },
)

test('A line that fails while the next one is typed leaves that one alone, is edited in exchange for it, and holds back no other line', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { network, tab, user } = await visit()
  const sending = Promise.withResolvers<void>()
  const end = network.handle('POST /changes', async (send) => {
    await sending.promise
    const isFailing = network.sent.at(-1)?.body?.toString().includes('fails')
    return isFailing ? Response.json(onFire.json, { status: 500 }) : await send()
  })
  for (const title of ['one fails', 'second', 'other fails']) typeLine(tab, title)
  line(tab).type('being typed')
  sending.resolve()
  await until(() => rejected(tab).length === 2)
  await until(async () => (await titlesOf(user)).length === 1)
  const [one, other] = rejected(tab)
  expect([line(tab).text, one?.failure?.reason]).toEqual(['being typed', 'The disk is on fire.'])
  if (other) tab.journal.withdraw(other)
  if (one) line(tab).edit(one)
  expect([line(tab).text, offered(tab), rejected(tab)]).toEqual(['one fails', ['being typed'], []])
  end()
  typeLine(tab, 'one works')
  const [draft] = line(tab).offered ?? []
  if (draft) line(tab).restore(draft)
  typeLine(tab, line(tab).text)
  await tab.journal.answered()
  expect(await titlesOf(user)).toEqual(['being typed', 'one works', 'second'])
})

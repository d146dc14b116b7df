import { beforeEach, expect, test, vi } from 'vitest'
import type { NewChange, StoredTask } from './entry.ts'
import { testAccounts } from './testing/test-accounts.ts'
import { openTasksIn, type Tab, taskIn, titlesIn, typeLine, until } from './testing/test-browser.ts'
import { tick } from './verbs/add-edit.ts'
import { complete } from './verbs/complete.ts'
import { move, prioritise } from './verbs/plan.ts'
import { tag } from './verbs/tags.ts'

const { newUser, visit } = testAccounts()
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())

const serverError = {
  status: 500,
  json: { type: 'about:blank', title: 'Internal Server Error', status: 500, detail: 'The disk is on fire.' },
}
const stove = { line: 0, text: 'Stove' }

/** A browser with one tab of an account with the tasks Alpha, Beta and Gamma. */
async function open() {
  const user = await newUser()
  for (const title of ['Alpha', 'Beta', 'Gamma']) await user.addTask({ title, body: '- [ ] Stove' })
  const opened = await visit(user)
  await until(() => opened.tab.replication.cursor && openTasksIn(opened.tab).length === 3)
  const stored = async () => (await user.call('GET /list/getLatestTasks')).json.lists
  return { ...opened, stored }
}

const shown = (tab: Tab) => JSON.stringify([...tab.store.tasks()].map(({ version, ...task }) => task))

/** Each change that is shown before the server has answered, and what its task says if it fails. */
const verbs: [name: string, told: string, make: (task: StoredTask) => NewChange][] = [
  ['move', 'This task was not moved.', (task) => move.make(task, '2031-05-01')],
  ['priority', 'This task was not changed.', (task) => prioritise.make(task, 'high')],
  ['tag', 'This task was not changed.', (task) => tag.make(task, '#home')],
  ['completion', 'This task was not completed.', (task) => complete.make(task)],
  ['tick of a line', 'This line was not changed.', (task) => tick.make(task, stove, true)],
]

test.each(verbs)('A late failure of a %s is told at each task, shown as before', async (_, told, make) => {
  const { browser, tab } = await open()
  const before = shown(tab)
  const tasks = ['Alpha', 'Beta', 'Gamma'].map((title) => taskIn(tab, title))
  browser.network.force('POST /changes', serverError)
  const release = browser.network.hold('POST /changes')
  const made = [tasks.slice(0, 1), tasks.slice(1)].map((some) => tab.changes.make(some.map(make)))
  for (const task of tasks) expect(tab.store.task(task._id)).not.toEqual(task)
  release()
  await Promise.all(made)
  expect(shown(tab)).toBe(before)
  for (const { _id } of tasks)
    expect(tab.changes.failures.getState()[_id]?.text).toBe(`${told} The disk is on fire.`)
  expect(tab.history.getState().undo).toEqual([])
  // The changes wait for a decision, also in the next visit.
  browser.network.cut(true)
  const { changes } = browser.open().waiting.all()
  expect(changes).toMatchObject(tasks.map(({ _id }) => ({ item: _id, failure: { status: 500 } })))
})

test('A rejected change is made once more when a person tries again, and is gone when it is discarded', async () => {
  const { browser, tab, stored } = await open()
  const end = browser.network.force('POST /changes', serverError)
  for (const title of ['Alpha', 'Beta']) await tab.changes.make([prioritise.make(taskIn(tab, title), 'high')])
  end()
  const [alpha, beta] = tab.journal.entries()
  if (alpha && beta) {
    tab.journal.retry(alpha)
    tab.journal.withdraw(beta)
  }
  await tab.journal.answered()
  expect((await stored()).map(({ title, priority }) => [title, priority]).sort()).toEqual([
    ['Alpha', 'high'],
    ['Beta', 'low'],
    ['Gamma', 'low'],
  ])
  expect(tab.waiting.isNothing()).toBe(true)
})

test('A tick, a line, a priority, a move, a completion and its undo are shown before the server has answered any of them', async () => {
  const { browser, tab, stored } = await open()
  const release = browser.network.hold('POST /changes')
  browser.network.calls.splice(0)
  const { make } = tab.changes
  make([tick.make(taskIn(tab, 'Alpha'), stove, true)])
  typeLine(tab, 'Read')
  make([prioritise.make(taskIn(tab, 'Alpha'), 'high')])
  make([move.make(taskIn(tab, 'Alpha'), '2031-05-01')])
  make([complete.make(taskIn(tab, 'Beta'))])
  expect(titlesIn(tab).sort()).toEqual(['Alpha', 'Gamma', 'Read'])
  await tab.undo.reverseRun('undo')
  const alpha = { body: '- [x] Stove', priority: 'high', dueDate: '2031-05-01' }
  expect(taskIn(tab, 'Alpha')).toMatchObject(alpha)
  expect(titlesIn(tab).sort()).toEqual(['Alpha', 'Beta', 'Gamma', 'Read'])
  await until(() => browser.network.calls.length > 0)
  expect(browser.network.calls).toEqual(['POST /changes'])
  release()
  await tab.journal.answered()
  expect((await stored()).find(({ title }) => title === 'Alpha')).toMatchObject(alpha)
  expect((await stored()).map(({ title }) => title).sort()).toEqual(['Alpha', 'Beta', 'Gamma', 'Read'])
})

import { expect, test } from 'vitest'
import { checkLinesIn } from '#contract/check-lines.ts'
import type { Engine } from '../engine.ts'
import { startNotesServer } from '../testing/notes-server.ts'
import { openTasksIn, until } from '../testing/test-browser.ts'
import { tick } from './add-edit.ts'

const { newAccount } = startNotesServer()

const body = 'Tent first.\n- [x] Sleeping bags\n- [ ] Stove\n- [ ] Matches'

/** A tab with a task, and the API of another device. */
async function begin() {
  const { user, browser: open } = await newAccount()
  const task = await user.addTask({ title: 'Pack', body })
  const browser = open()
  const tab = browser.open()
  await until(() => bodyIn(tab))
  const change = (set: object) =>
    user.call('POST /changes', {
      body: { changes: [{ mutation: crypto.randomUUID(), item: task._id, set }] },
    })
  const stored = async () => (await user.call('GET /list/getLatestTasks')).json.lists[0]?.body
  return { browser, tab, change, stored, id: task._id }
}

const bodyIn = (tab: Engine) => openTasksIn(tab)[0]?.body

/** Ticks a line, or unticks it, as its card does. */
function tickLine(tab: Engine, name: string, checked = true) {
  const [task] = openTasksIn(tab)
  const line = [...checkLinesIn(task?.body ?? '')].find(({ text }) => text === name)
  return tab.changes.make(task && line ? [tick.make(task, line, checked)] : [])
}

test('Ticks in quick succession are shown at once and all stored, one after the other', async () => {
  const { browser, tab, stored } = await begin()
  const release = browser.network.hold('POST /changes')
  const calls = browser.network.calls.length
  for (const name of ['Stove', 'Matches']) tickLine(tab, name)
  tickLine(tab, 'Sleeping bags', false)
  const after = 'Tent first.\n- [ ] Sleeping bags\n- [x] Stove\n- [x] Matches'
  expect(bodyIn(tab)).toBe(after)
  release()
  await tab.journal.answered()
  expect([bodyIn(tab), await stored()]).toEqual([after, after])
  expect(browser.network.calls.slice(calls).filter((call) => call === 'POST /changes')).toHaveLength(3)
})

test('A line that was moved elsewhere meanwhile is ticked where it is now, and one that was removed is not, which the card says', async () => {
  const { browser, tab, change, stored, id } = await begin()
  browser.network.force('GET /changes', 'dropped')
  await change({ body: `New line.\n${body}` })
  expect(bodyIn(tab)).toBe(body)
  await tickLine(tab, 'Stove')
  const moved = `New line.\n${body.replace('[ ] Stove', '[x] Stove')}`
  expect([bodyIn(tab), await stored()]).toEqual([moved, moved])
  await change({ body: '- [ ] Gas' })
  await tickLine(tab, 'Matches')
  expect([bodyIn(tab), await stored()]).toEqual(['- [ ] Gas', '- [ ] Gas'])
  expect(tab.changes.failures.getState()[id]?.text).toBe(
    'This line was not changed. It was changed elsewhere. It is shown as it is now.',
  )
})

test('A tick that fails is taken back and says so, until the next one is made', async () => {
  const { browser, tab, id } = await begin()
  const json = { type: 'about:blank', title: 'Full', status: 413, detail: 'No space is left.' }
  const accept = browser.network.force('POST /changes', { status: 413, json })
  await tickLine(tab, 'Stove')
  expect(tab.changes.failures.getState()[id]?.text).toBe('This line was not changed. No space is left.')
  expect(bodyIn(tab)).toBe(body)
  accept()
  await tickLine(tab, 'Stove')
  expect(bodyIn(tab)).toBe(body.replace('[ ] Stove', '[x] Stove'))
  expect(tab.changes.failures.getState()[id]).toBeUndefined()
})

import { expect, test } from 'vitest'
import { todayHere } from '#contract/days.ts'
import type { Engine } from '../engine.ts'
import { openNote, startNotesServer } from '../testing/notes-server.ts'
import { titlesIn, until } from '../testing/test-browser.ts'
import { showLine } from '../unsent-notes.ts'
import { makeLineTask } from './linked-line.ts'
import type { NoteDocument } from './note-document.ts'
import { linkTo } from './task-line.ts'

const { begin } = startNotesServer()

/** Makes the line of a note that has this text a task. */
function makeTask(tab: Engine, note: NoteDocument, title: string) {
  const task = crypto.randomUUID()
  return makeLineTask(tab, note, {
    task,
    set: { title, body: linkTo('Garden', `note:${note.id}`), dueDate: todayHere(), priority: 'low' },
    line: {
      ...{ note: note.id, number: note.text.split('\n').indexOf(title) },
      ...{ plain: title, linked: linkTo(title, `task:${task}`) },
    },
  })
}

const linked = /^Garden\n\[Water\]\(task:.{36}\)$/

test('Undo takes back a line that became a task with its link, also after more was typed, and Redo brings back both', async () => {
  const { id, tab, note, stored, tasks } = await begin('Garden\nWater')
  await makeTask(tab, note, 'Water')
  expect(note.text).toMatch(linked)
  note.edit(`${note.text}\nMow`)
  tab.undo.reverse('undo')
  await stored(id, 'Garden\nWater\nMow')
  await expect.poll(tasks).toEqual([])
  tab.undo.reverse('redo')
  await stored(id, /^Garden\n\[Water\]\(task:.{36}\)\nMow$/)
  await expect.poll(tasks).toEqual(['Water'])
})

test('A later visit takes back the task and the link, whatever another device wrote meanwhile, also without a network', async () => {
  const { browser, id, tab: first, note, get, write, stored, tasks } = await begin('Garden\nWater')
  await makeTask(first, note, 'Water')
  await stored(id, linked)
  first.close()
  await write(id, `New first line\n${(await get(id)).text}`)
  const tab = browser.open({ tab: first.needs.tab })
  await until(() => titlesIn(tab).length === 1)
  await tab.undo.reverse('undo')
  await stored(id, 'New first line\nGarden\nWater')
  await expect.poll(tasks).toEqual([])
  browser.setOnline(false)
  for (const direction of ['redo', 'undo', 'redo'] as const) {
    await tab.undo.reverse(direction)
    expect(titlesIn(tab)).toEqual(direction === 'redo' ? ['Water'] : [])
  }
  browser.setOnline(true)
  await stored(id, /^New first line\nGarden\n\[Water\]\(task:.{36}\)$/)
  await expect.poll(tasks).toEqual(['Water'])
})

test('Without a network lines become tasks, which are undone and redone, and the server gets them after a reload', async () => {
  const { browser, id, tab, note, stored, tasks } = await begin('Garden\nWater\nSow')
  browser.setOnline(false)
  // The server does not have the line as it is now.
  note.edit('Garden\nWater the beans\nSow')
  makeTask(tab, note, 'Water the beans')
  for (let press = 0; press < 5; press++) {
    await tab.undo.reverse('undo')
    await until(() => note.text === 'Garden\nWater the beans\nSow')
    await tab.undo.reverse('redo')
    await until(() => note.text.includes('[Water the beans](task:'))
  }
  makeTask(tab, note, 'Sow')
  expect(titlesIn(tab)).toEqual(['Water the beans', 'Sow'])
  await tab.undo.reverse('undo')
  await until(() => note.text.endsWith('\nSow'))
  note.keepDraft()
  tab.kill()
  browser.setOnline(true)
  browser.open()
  await stored(id, /^Garden\n\[Water the beans\]\(task:.{36}\)\nSow$/)
  await expect.poll(tasks).toEqual(['Water the beans'])
})

test('A line that the server rejects as a task is as it was, and says why, at once and after a wait', async () => {
  const { browser, id, tab, note, stored, tasks } = await begin('Garden\nWater')
  const answerWith = (status: number) => {
    const json = { type: 'about:blank', title: 'Full', status, detail: 'No space is left.' }
    return browser.network.force('POST /changes', { status, json })
  }
  const accept = answerWith(413)
  expect(await makeTask(tab, note, 'Water')).toBe('No space is left.')
  expect([note.text, titlesIn(tab), tab.journal.entries()]).toEqual(['Garden\nWater', [], []])
  accept()
  const acceptLater = answerWith(503)
  const before = browser.network.calls.length
  makeTask(tab, note, 'Water')
  expect(note.text).toMatch(linked)
  await until(() => browser.network.calls.length > before && tab.journal.entries()[0]?.status === 'sent')
  acceptLater()
  const acceptAgain = answerWith(413)
  browser.setOnline(true)
  await until(() => tab.journal.entries()[0]?.failure)
  const [entry] = tab.journal.entries()
  if (entry) tab.journal.withdraw(entry)
  await showLine(tab, entry ?? {})
  expect([note.text, titlesIn(tab)]).toEqual(['Garden\nWater', []])
  acceptAgain()
  await makeTask(tab, note, 'Water')
  await stored(id, linked)
  expect(await tasks()).toEqual(['Water'])
})

test('A line that became a task and its undo are shown in another tab of the note, which keeps what was typed there', async () => {
  const { browser, id, tab, note, stored } = await begin('Garden\nWater\nSow')
  const other = await openNote(browser.open(), id)
  await makeTask(tab, note, 'Water')
  await until(() => other.text.includes('[Water](task:'))
  other.edit(`${other.text} beans`)
  await other.save()
  tab.undo.reverse('undo')
  await until(() => other.text === 'Garden\nWater\nSow beans')
  await stored(id, 'Garden\nWater\nSow beans')
})

test('The task of a line is taken back when its note was deleted for good meanwhile', async () => {
  const { user, id, tab, note, stored, change, tasks } = await begin('Garden\nWater')
  await makeTask(tab, note, 'Water')
  await stored(id, linked)
  note.leave()
  await change(id, { deleted: true })
  expect((await user.call('POST /items/purge', { body: { items: [id] } })).status).toBe(200)
  await tab.undo.reverse('undo')
  expect(titlesIn(tab)).toEqual([])
  await expect.poll(tasks).toEqual([])
})

test('A task whose undo the server rejects keeps its link', async () => {
  const { browser, id, tab, note, stored, tasks } = await begin('Garden\nWater')
  await makeTask(tab, note, 'Water')
  await stored(id, linked)
  browser.network.force('POST /changes/:seq/undo', { status: 409, json: { detail: 'It was changed again.' } })
  await tab.undo.reverse('undo')
  await until(() => tab.history.getState().notice?.about === 'failed')
  expect(tab.history.getState().notice).toMatchObject({ reason: 'It was changed again.' })
  await stored(id, linked)
  expect([titlesIn(tab), await tasks()]).toEqual([['Water'], ['Water']])
})

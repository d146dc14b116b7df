import { expect, test } from 'vitest'
import { startNotesServer } from '../testing/notes-server.ts'
import { openTasksIn, titlesIn, until } from '../testing/test-browser.ts'
import { prioritise } from '../verbs/plan.ts'
import { documentsOf } from './note-documents.ts'
import { changesEverywhere } from './tag-everywhere.ts'

const { begin } = startNotesServer()

/** A tab with a task and a note that have a tag. */
async function beginTagged() {
  const account = await begin('Rest #home')
  const { _id: task } = await account.user.addTask({ title: 'Sow #home' })
  await until(() => titlesIn(account.tab).length === 1)
  return { ...account, task }
}

test('A tag is renamed in tasks and notes, also in a text that another device writes and one that is not saved yet, and a task that changes while the notes are read keeps its newer text', async () => {
  const { browser, tab, id, note, task, user, stored, tasks, get, add } = await beginTagged()
  const written = documentsOf(tab).write('Sleep #home')
  note.edit('Rest #home today')
  const stop = browser.network.handle('GET /notes/:id', async (send) => {
    stop()
    const changes = [{ mutation: crypto.randomUUID(), item: task, set: { title: 'Sow the peas #home' } }]
    await user.call('POST /changes', { body: { changes } })
    await until(() => titlesIn(tab)[0] === 'Sow the peas #home')
    return send()
  })
  const { _id: elsewhere } = await add('Dream #Home')
  await tab.changes.make(await changesEverywhere(tab, '#home', '#garden'))
  expect(await tasks()).toEqual(['Sow the peas #garden'])
  await stored(id, 'Rest #garden today')
  expect([await get(written), await get(elsewhere)]).toMatchObject([
    { text: 'Sleep #garden' },
    { text: 'Dream #garden' },
  ])
  await until(() => note.text === 'Rest #garden today')
})

test('The notes are read after the changes that were made before, and a tag is not renamed while a note cannot be saved', async () => {
  const { browser, tab, note } = await beginTagged()
  const calls = browser.network.calls.length
  const [task] = openTasksIn(tab)
  if (task) tab.changes.make([prioritise.make(task, 'high')])
  await changesEverywhere(tab, '#home', undefined)
  const made = browser.network.calls.slice(calls).map((call) => call.replace(/\/notes\/.*/, '/notes'))
  const own = made.filter((call) => call !== 'GET /changes')
  expect(own).toEqual(['POST /changes', 'GET /search', 'GET /notes'])
  browser.network.force('POST /changes', 'dropped')
  note.edit('Rest #home today')
  await expect(changesEverywhere(tab, '#home', undefined)).rejects.toThrow('A note is not saved yet.')
})

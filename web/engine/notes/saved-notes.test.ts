import { expect, test, vi } from 'vitest'
import { draftsIn, openNote, startNotesServer } from '../testing/notes-server.ts'
import { until } from '../testing/test-browser.ts'
import { saveNotes } from '../unsent-notes.ts'
import { documentsOf } from './note-documents.ts'

const { begin, newAccount } = startNotesServer()

test('While the server is unreachable a note is kept, typing continues, and everything is saved when it is back', async () => {
  const { browser, id, tab, note, stored } = await begin('Ferry')
  browser.setOnline(false)
  note.edit('Ferry one')
  await note.save()
  expect(note.state).toEqual({ is: 'unknown' })
  note.edit('Ferry one two')
  await note.save()
  expect([note.state, documentsOf(tab).failed.getState()]).toEqual([{ is: 'unknown' }, [note]])
  expect(draftsIn(browser)).toHaveLength(1)
  browser.setOnline(true)
  await stored(id, 'Ferry one two')
  await until(() => note.state.is === 'saved' && draftsIn(browser).length === 0)
})

test('A new note that could not be saved is in the list, also at the next visit, and is saved then', async () => {
  const { browser: open, stored } = await newAccount()
  const browser = open()
  browser.setOnline(false)
  const tab = browser.open()
  const id = documentsOf(tab).write('Only here')
  await until(() => documentsOf(tab).get(id)?.state.is === 'unknown')
  expect(tab.store.notes(false)).toMatchObject([{ _id: id, title: 'Only here' }])
  tab.kill()
  const next = browser.open()
  await until(() => next.store.notes(false)[0]?.title === 'Only here')
  // The list has it during the next attempt, too.
  const release = browser.network.hold('POST /changes')
  const calls = browser.network.calls.length
  browser.setOnline(true)
  await until(() => browser.network.calls.includes('POST /changes', calls))
  expect(next.store.notes(false)).toHaveLength(1)
  release()
  await stored(id, 'Only here')
  expect(next.store.notes(false)).toHaveLength(1)
})

test('A save that gets no answer counts as failed after a while, and is sent again', async () => {
  const { browser, id, note, stored } = await begin('Ferry')
  const time = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal)
  const release = browser.network.hold('POST /changes')
  note.edit('Ferry at 8:40')
  const save = note.save()
  await until(() => timeout.mock.calls.length > 0)
  expect(note.state).toEqual({ is: 'waiting' })
  timeout.mockRestore()
  time.abort(new DOMException('', 'TimeoutError'))
  await save
  expect(note.state).toEqual({ is: 'unknown' })
  release()
  await stored(id, 'Ferry at 8:40')
  await until(() => note.state.is === 'saved')
})

test('A note is saved at once when it is left, and when the page is hidden', async () => {
  const { id, tab, note: left, stored } = await begin('Ferry')
  left.edit('Ferry!')
  left.leave()
  expect(left.state).toEqual({ is: 'waiting' })
  await stored(id, 'Ferry!')
  const note = await openNote(tab, id)
  note.edit('Ferry!!')
  tab.close()
  expect(note.state).toEqual({ is: 'waiting' })
  await stored(id, 'Ferry!!')
})

test('A text that is too long says so, is kept, and can be given up', async () => {
  const browser = (await newAccount()).browser()
  const note = documentsOf(browser.open()).create(crypto.randomUUID())
  note.edit('x'.repeat(100_001))
  await note.save()
  expect(note.state).toEqual({ is: 'failed', reason: 'The text must have at most 100,000 characters.' })
  expect([draftsIn(browser).length, note.isOnlyHere]).toEqual([1, true])
  note.discard()
  const sent = browser.network.calls.length
  await note.save()
  expect([draftsIn(browser), note.isUnsaved]).toEqual([[], false])
  expect(browser.network.calls.length).toBe(sent)
})

test('A note that is emptied stays as an empty one, and its text is in the history', async () => {
  const { user, otherSession, add, get } = await newAccount()
  const { _id: id } = await add('Ferry\n8:40')
  const note = await openNote((await otherSession()).open(), id)
  note.edit('')
  await note.save()
  expect(await get(id)).toMatchObject({ text: '', deletedAt: null })
  const { json } = await user.call(`GET /notes/${id}/versions`)
  expect(json.versions.map(({ before }) => before)).toContain('Ferry')
})

test('Before a logout, a save that is in progress is awaited, and what was typed during it is saved', async () => {
  const { browser, id, tab, note, get } = await begin('Ferry')
  const release = browser.network.hold('POST /changes')
  note.edit('Ferry at')
  note.save()
  note.edit('Ferry at 8:40')
  const saved = saveNotes(tab)
  release()
  await saved
  expect((await get(id)).text).toBe('Ferry at 8:40')
  expect([tab.waiting.isNothing(), draftsIn(browser)]).toEqual([true, []])
})

test('A note that changes while its answer is being sent is opened as it is now', async () => {
  const { browser: open, add, write } = await newAccount()
  const [browser, { _id: id }] = [open(), await add('old')]
  const tab = browser.open()
  await until(() => tab.store.note(id))
  const [taken, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const stop = browser.network.handle('GET /notes/:id', async (send) => {
    const answer = await send()
    taken.resolve()
    await released.promise
    return answer
  })
  const opened = openNote(tab, id)
  await taken.promise
  stop()
  await write(id, 'new')
  await until(() => tab.store.note(id)?.title === 'new')
  released.resolve()
  const note = await opened
  documentsOf(tab).catchUp(note)
  await until(() => note.text === 'new')
})

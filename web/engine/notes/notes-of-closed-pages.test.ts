import { expect, test } from 'vitest'
import { draftsIn, openNote, startNotesServer } from '../testing/notes-server.ts'
import { until } from '../testing/test-browser.ts'

const { begin } = startNotesServer()

test('What a page that ended had not saved is saved by the next visit, whatever that shows', async () => {
  const { browser, id, tab, note, stored } = await begin('Ferry')
  browser.setOnline(false)
  note.edit('Ferry at 8:40')
  note.keepDraft()
  tab.kill()
  browser.setOnline(true)
  browser.open()
  await stored(id, 'Ferry at 8:40')
  await until(() => draftsIn(browser).length === 0)
})

test('A page that ends while a save is in progress loses and doubles nothing', async () => {
  const { browser, id, tab, note, get, stored } = await begin('Ferry')
  const forget = browser.network.force('POST /changes', 'lost')
  note.edit('Ferry at 8')
  await note.save()
  note.edit('Ferry at 8:40')
  note.keepDraft()
  tab.kill()
  forget()
  expect((await get(id)).text).toBe('Ferry at 8')
  const next = await openNote(browser.open(), id)
  await stored(id, 'Ferry at 8:40')
  await until(() => next.text === 'Ferry at 8:40')
})

test('The draft of a page that ended is kept beside the draft of the page that takes it over, until both are saved', async () => {
  const { browser, id, tab, note, stored } = await begin('Title\n\nfirst\n\nlast')
  const answer = browser.network.force('POST /changes', 'dropped')
  note.edit('Title\n\nfirst of one\n\nlast')
  note.keepDraft()
  const other = browser.open()
  const otherNote = await openNote(other, id)
  const drafts = draftsIn(browser)
  tab.kill()
  await until(() => draftsIn(browser).length === 1 && draftsIn(browser)[0] !== drafts[0])
  otherNote.edit('Title\n\nfirst\n\nlast of two')
  // A page that is told that it is hidden keeps its draft at once.
  other.close()
  other.kill()
  expect(draftsIn(browser)).toHaveLength(2)
  answer()
  browser.open()
  await stored(id, 'Title\n\nfirst of one\n\nlast of two')
  await until(() => draftsIn(browser).length === 0)
})

import { expect, test } from 'vitest'
import { createStore } from './store.ts'
import { createTags, notesWithTag } from './tags-in-use.ts'
import { taskWith } from './testing/task-with.ts'

const instant = '2026-11-21T12:00:00.000Z'
let version = 0

const task = (_id: string, title: string, fields: object = {}) =>
  taskWith({ _id, title, version: ++version, ...fields })

const times = { pinned: false, deletedAt: null, changedAt: instant, createdAt: instant }
const note = (_id: string, text: string) => ({ _id, text, ...times, version: ++version })

test('tags in use are those of open tasks and notes, most used first and as they are written most often', () => {
  const store = createStore()
  const tags = createTags(store)
  store.put({ tasks: [task('1', '#home and #Work', { body: '#Home' }), task('2', '“#home”')] })
  store.put({
    tasks: [task('3', 'C#x #1 #trip', { doneAt: instant }), task('4', '#gone', { deletedAt: instant })],
  })
  store.put({ texts: [note('5', 'Cake\n\nfor the #party and for #work')] })
  expect(tags.used()).toEqual(['#home', '#Work', '#party'])
  expect(tags.all()).toEqual(['#home', '#Work', '#party', '#trip'])
  const before = tags.used()
  store.put({ tasks: [task('2', '“#home” again')] })
  expect(tags.used()).toBe(before)
  store.put({ tasks: [task('1', 'Neither')], texts: [note('5', 'Cake')] })
  expect(tags.used()).toEqual(['#home'])
  store.remove(['2'])
  expect(tags.all()).toEqual(['#trip'])
})

test('The tags of notes are those of notes alone, and each has its notes, in whichever spelling', () => {
  const store = createStore()
  const tags = createTags(store)
  store.put({ tasks: [task('1', '#home')] })
  store.put({ texts: [note('2', 'Cake #Party #party'), note('3', 'Guests\n\n#party'), note('4', '#work')] })
  expect(tags.ofNotes()).toEqual(['#party', '#work'])
  const found = tags.notesWith('#Party')
  expect([...found]).toEqual(['2', '3'])
  store.put({ texts: [note('4', 'No tag')] })
  expect(tags.ofNotes()).toEqual(['#party'])
  expect(tags.notesWith('#party')).toBe(found)
  store.put({ texts: [note('2', 'Cake')] })
  expect([...tags.notesWith('#party'), tags.notesWith('#home').size]).toEqual(['3', 0])
})

test('a tag knows its items, also done ones and in another spelling, and how it is written most often', () => {
  const store = createStore()
  const tags = createTags(store)
  store.put({
    tasks: [task('1', '#Home #home #home', { doneAt: instant }), task('2', 'Sow #homework')],
    texts: [note('3', 'for #HOME')],
  })
  expect(tags.of('#hOmE')).toEqual({ tag: '#home', ids: new Set(['1', '3']) })
  store.put({ tasks: [task('1', 'Neither')] })
  expect(tags.of('#home')).toEqual({ tag: '#HOME', ids: new Set(['3']) })
  expect(tags.of('#other')).toEqual({ tag: '#other', ids: new Set() })
})

test('Of the notes that a search for a tag finds, those with a similar tag alone are left out', () => {
  const found = (_id: string, title: string, excerpt = '') => ({
    ...{ _id, title, excerpt, snippet: '', ...times, version: ++version },
  })
  const notes = [found('1', 'Plans #Garden'), found('2', 'Plans', 'for #gardens')]
  notes.push(found('3', 'Old', 'a #garden'))
  const ids = (similar: string[]) => notesWithTag({ notes, similar }, '#garden').map(({ _id }) => _id)
  expect(ids(['#gardens'])).toEqual(['1', '3'])
  // Without similar words, all have it: its place may be beyond the excerpt.
  expect(ids([])).toEqual(['1', '2', '3'])
})

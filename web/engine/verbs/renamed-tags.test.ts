import { expect, test } from 'vitest'
import { noteWith } from '../store/testing/note-with.ts'
import { taskWith } from '../store/testing/task-with.ts'
import { renameInNote, renameInTask, withRenamed } from './renamed-tags.ts'

test.each([
  ['Sow #home', 'Sow #garden'],
  ['Sow #Home, then rest', 'Sow #garden, then rest'],
  ['Sow #homework and C#home', 'Sow #homework and C#home'],
  ['“#home” `#home`', '“#garden” `#home`'],
  ['Sow #garden #home', 'Sow #garden'],
  ['Sow #home near #garden', 'Sow #garden near #garden'],
  ['Sow #home\nRest #garden', 'Sow #garden\nRest #garden'],
  ['Rest #garden\nSow #home', 'Rest #garden\nSow #garden'],
  ['Rest\nSow #garden #home', 'Rest\nSow #garden'],
])('“%s” becomes “%s” when #home is renamed to #garden', (text, renamed) => {
  expect(withRenamed(text, '#home', '#garden')).toBe(renamed)
})

test('Another spelling of the same tag is a new name too', () => {
  expect(withRenamed('Sow #home #HOME', '#home', '#Home')).toBe('Sow #Home #Home')
})

test.each([
  ['Sow #home', 'Sow'],
  ['Sow #home #work', 'Sow #work'],
  ['Sow #work #home #home', 'Sow #work'],
  ['Sow #home\nand rest #home', 'Sow\nand rest'],
  ['Sow at #home tomorrow', 'Sow at home tomorrow'],
  ['#home #work', '#work'],
  ['#homework', '#homework'],
  ['- [ ] Sow\n- [ ] #home\n- [ ] Rest', '- [ ] Sow\n- [ ] Rest'],
  ['Plans\r\n> 1. #home #home', 'Plans'],
  ['- [ ] #home #work', '- [ ] #work'],
  ['- #home\n  - Sow', '-\n  - Sow'],
])('“%s” becomes “%s” when #home is removed', (text, left) => {
  expect(withRenamed(text, '#home', undefined)).toBe(left)
})

test('Only the texts that have the tag are changed, and a title does not become empty', () => {
  const task = taskWith({ _id: '1', title: '#home', body: 'Neither' })
  expect(renameInTask(task, '#home', undefined)).toMatchObject({ verb: 'removeTag', to: '#home' })
  expect(renameInTask(task, '#home', undefined)).toHaveProperty('set', { title: 'home' })
  const other = taskWith({ _id: '2', title: 'Sow', body: 'at #home' })
  expect(renameInTask(other, '#home', '#garden')).toHaveProperty('set', { body: 'at #garden' })
})

test('A note gets its whole text with the version that was read, and does not become empty', () => {
  const note = (text: string) => noteWith({ version: 7, text })
  expect(renameInNote(note('Sow #home\n\n`#home`'), '#home', '#garden')).toMatchObject({
    ...{ kind: 'note', base: 7, from: '#home', to: '#garden' },
    set: { text: 'Sow #garden\n\n`#home`' },
  })
  expect(renameInNote(note('#home'), '#home', undefined).set).toEqual({ text: 'home' })
})

import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import { titlesIn, withTitleLinks } from '../markdown/note-titles.ts'
import { markdown, markedOf, stateOf } from '../testing/marked-state.ts'
import { asPlain } from './paste-items.ts'
import { linkTitles } from './written-titles.ts'

const idOf = (title: string) => (title.toLowerCase() === 'budget' ? '0b4c1c8e' : undefined)
const extensions = [markdown, linkTitles(idOf)]
const link = '[Budget](note:0b4c1c8e)'

/** The text after an insertion at `¦`, with the caret. */
function inserted(marked: string, text: string, userEvent: string) {
  const state = stateOf(marked, extensions)
  return markedOf(state.update(state.replaceSelection(text), { userEvent }).state)
}

test('A title in brackets becomes a link to its note when it is typed to its end, and stays without such a note and in code', () => {
  const typed = (marked: string) => inserted(marked, ']', 'input.type')
  expect(typed('- See [[Budget]¦ now')).toBe(`- See ${link}¦ now`)
  expect(typed('[[Budget¦')).toBe('[[Budget]¦')
  expect(typed('[[Harbour]¦')).toBe('[[Harbour]]¦')
  expect(typed('`[[Budget]¦`')).toBe('`[[Budget]]¦`')
  expect(typed('```\n[[Budget]¦\n```')).toBe('```\n[[Budget]]¦\n```')
  // What was there before is not typed.
  expect(typed('[[Budget]] [a¦')).toBe('[[Budget]] [a]¦')
})

test('Titles in brackets become links when they are pasted or imported, except in code', () => {
  const text = '# [[Budget]]\n\n- [[budget]] and [[Harbour]]\n\n```\n[[Budget]]\n```\n\n`[[Budget]]`'
  const linked = `# ${link}\n\n- [budget](note:0b4c1c8e) and [[Harbour]]\n\n\`\`\`\n[[Budget]]\n\`\`\`\n\n\`[[Budget]]\``
  expect(withTitleLinks(text, idOf)).toBe(linked)
  expect(inserted('¦', text, 'input.paste')).toBe(`${linked}¦`)
})

test('A link whose text has brackets stays a link', () => {
  for (const text of [
    '[[Budget]](https://e.org)',
    '[a [[Budget]] b](https://e.org)',
    '![[Budget]](https://e.org)',
  ])
    expect(titlesIn(text), text).toEqual([])
  expect(inserted('¦', '[[Budget]](https://e.org)', 'input.paste')).toBe('[[Budget]](https://e.org)¦')
})

test('Formatted text that still becomes Markdown has no links yet, which would prevent that', () => {
  const state = EditorState.create({ extensions })
  const spec = { changes: { from: 0, insert: '[[Budget]]' }, userEvent: 'input.paste' }
  expect(state.update({ ...spec, annotations: asPlain.of(true) }).newDoc.toString()).toBe('[[Budget]]')
})

import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import { markdown } from '../testing/marked-state.ts'
import { isTextLine } from './syntax.ts'

test.each([
  [
    'plain\n# Heading\n- item\n1. [ ] box\n> - [x] quoted\n`npm test` runs them\n#tag first',
    ['plain', '# Heading', '- item', '1. [ ] box', '> - [x] quoted', '`npm test` runs them', '#tag first'],
  ],
  ['text\n```js\nlet x\n\n- [ ] y\n```', ['text']],
  ['- item\n\n  ```\n  code\n  ```', ['- item']],
  ['text\n\n    code\n    more', ['text']],
  ['text\n\n| a | b |\n|---|---|\n| c | d |', ['text']],
  ['text\n\n<div>\ninside\n</div>', ['text']],
  [
    'text\n\n---\n\n[a]: https://example.org\n\nHeading\n===',
    ['text', '[a]: https://example.org', 'Heading'],
  ],
  ['code over lines `a\nb` c', ['code over lines `a']],
  ['a link over lines [a\nb](https://example.org) c', ['a link over lines [a']],
])('Of the note %j, the lines of text can become tasks, and no others', (doc, texts) => {
  const state = EditorState.create({ doc, extensions: markdown })
  const lines = Array.from({ length: state.doc.lines }, (_, index) => state.doc.line(index + 1))
  const found = lines.filter((line) => line.text !== '' && isTextLine(state, line))
  expect(found.map(({ text }) => text)).toEqual(texts)
})

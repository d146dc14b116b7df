import { foldEffect, foldedRanges } from '@codemirror/language'
import { type ChangeSpec, EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import { headingsOf } from '../markdown/headings.ts'
import { markdown } from '../testing/marked-state.ts'
import { foldedSections, sectionAt } from './folded-sections.ts'

const text = `Title

# One
a
## Inner
b

Two
---
> # Quoted

\`\`\`
# code
\`\`\`
# Last
`

const extensions = [markdown, foldedSections]

test('The outline has the headings of the text, and not those of quotes and code', () => {
  expect(headingsOf(text).map(({ level, title }) => [level, title])).toEqual([
    [1, 'One'],
    [2, 'Inner'],
    [2, 'Two'],
    [1, 'Last'],
  ])
})

test.each([
  ['a', '\na\n## Inner\nb\n\nTwo\n---\n> # Quoted\n\n```\n# code\n```'],
  ['# One', '\na\n## Inner\nb\n\nTwo\n---\n> # Quoted\n\n```\n# code\n```'],
  ['b', '\nb'],
  ['Two', '\n> # Quoted\n\n```\n# code\n```'],
  ['Title', undefined],
  ['# Last', undefined],
])('The section of %j goes to the next heading of its level or above', (line, expected) => {
  const state = EditorState.create({ doc: text, extensions })
  const section = sectionAt(state, text.indexOf(`${line}\n`))
  expect(section && state.sliceDoc(section.from, section.to)).toBe(expected)
})

test('A folded section stays folded while its heading is edited, and is shown if a line is begun behind it or its text is edited', () => {
  const folded = () => {
    const state = EditorState.create({ doc: text, extensions })
    const section = sectionAt(state, text.indexOf('b'))
    return { ...section, state: state.update({ effects: section ? [foldEffect.of(section)] : [] }).state }
  }
  const isFoldedAfter = (change: (section: { from: number; to: number }) => ChangeSpec) => {
    const { state, from = 0, to = 0 } = folded()
    return foldedRanges(state.update({ changes: change({ from, to }) }).state).size > 0
  }
  expect(isFoldedAfter(({ from }) => ({ from, insert: ' more' }))).toBe(true)
  expect(isFoldedAfter(() => ({ from: 0, insert: 'A ' }))).toBe(true)
  expect(isFoldedAfter(({ from }) => ({ from, insert: '\n' }))).toBe(false)
  expect(isFoldedAfter(({ to }) => ({ from: to - 1, insert: 'x' }))).toBe(false)
})

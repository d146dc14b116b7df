import { defineLanguageFacet, Language } from '@codemirror/language'
import { EditorState, type Transaction } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { expect, test } from 'vitest'
import { noteParser } from '../markdown/note-parser.ts'
import { alignedRows, cellsOf, tableKeys } from './tables.ts'

const { extension } = new Language(defineLanguageFacet(), noteParser)

/** The text after Tab in a text where `¦` is the caret, with `‹` and `›` around what is selected then. */
function afterTab(marked: string, isShifted = false): string | undefined {
  const doc = marked.replace('¦', '')
  const state = EditorState.create({ doc, selection: { anchor: marked.indexOf('¦') }, extensions: extension })
  let result: EditorState | undefined
  const dispatch = (transaction: Transaction) => {
    result = transaction.state
  }
  const [binding] = tableKeys
  const run = isShifted ? binding?.shift : binding?.run
  run?.({ state, dispatch } as unknown as EditorView)
  if (!result) return undefined
  const { from, to } = result.selection.main
  const text = result.doc.toString()
  return `${text.slice(0, from)}‹${text.slice(from, to)}›${text.slice(to)}`
}

test('Cells are between pipes, except those behind a backslash', () => {
  const texts = (row: string) => cellsOf(row).map(({ text }) => text)
  expect(texts('| a | b |')).toEqual(['a', 'b'])
  expect(texts('a | b')).toEqual(['a', 'b'])
  expect(texts('|a||c|')).toEqual(['a', '', 'c'])
  expect(texts('| a \\| b | c')).toEqual(['a \\| b', 'c'])
  expect(cellsOf('|  | b |').map(({ from, to }) => [from, to])).toEqual([
    [2, 2],
    [5, 6],
  ])
})

test('The columns are aligned as their delimiters say', () => {
  const rows = ['| Item | Price | |', '|--|--:|:-:|', '| Ticket | 120 | x', 'a'].map((row) =>
    cellsOf(row).map(({ text }) => text),
  )
  expect(alignedRows(rows)).toEqual([
    '| Item   | Price |     |',
    '| ------ | ----: | :-: |',
    '| Ticket |   120 | x   |',
    '| a      |       |     |',
  ])
})

test('Tab selects the next cell, Shift+Tab the previous one, and behind the last cell Tab adds a row', () => {
  expect(afterTab('| a¦ | b |\n|---|---|\n| c | d |')).toBe('| a   | ‹b›   |\n| --- | --- |\n| c   | d   |')
  expect(afterTab('| a | b¦ |\n|---|---|\n| c | d |')).toBe('| a   | b   |\n| --- | --- |\n| ‹c›   | d   |')
  expect(afterTab('| a | b |\n|---|---|\n| ¦c | d |', true)).toBe(
    '| a   | ‹b›   |\n| --- | --- |\n| c   | d   |',
  )
  expect(afterTab('x\n\n| a | b |\n|---|---|\n| c | d¦ |\n\ny')).toBe(
    'x\n\n| a   | b   |\n| --- | --- |\n| c   | d   |\n| ‹›    |     |\n\ny',
  )
})

test('Before the first cell, and outside of tables, Tab is not handled', () => {
  expect(afterTab('| ¦a | b |\n|---|---|', true)).toBe(undefined)
  expect(afterTab('a ¦| b')).toBe(undefined)
  expect(afterTab('> | a¦ | b |\n> |---|---|')).toBe(undefined)
})

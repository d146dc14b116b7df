import type { StateCommand } from '@codemirror/state'
import { expect, test } from 'vitest'
import { cellsOf } from '../markdown/table-cells.ts'
import { commandsOf, markdown, markedOf, run, stateOf } from '../testing/marked-state.ts'
import { addTable, tableKeys } from './table-keys.ts'
import { alignedRows } from './tables.ts'

const commandOf = commandsOf(tableKeys)

/** The text after a command that handles the text. */
function after(command: StateCommand, marked: string) {
  const state = stateOf(marked, markdown)
  const result = run(state, command)
  return result === state ? undefined : markedOf(result)
}

const afterTab = (marked: string, isShifted = false) => after(commandOf('Tab', isShifted), marked)
const afterEnter = (marked: string) => after(commandOf('Enter'), marked)

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
    'x\n\n| a   | b   |\n| --- | --- |\n| c   | d   |\n| ¦    |     |\n\ny',
  )
})

test('Before the first cell, and outside of tables, Tab is not handled', () => {
  expect(afterTab('| ¦a | b |\n|---|---|', true)).toBe(undefined)
  expect(afterTab('a ¦| b')).toBe(undefined)
  expect(afterTab('> | a¦ | b |\n> |---|---|')).toBe(undefined)
})

test('Enter in a cell goes to the next row, adds one at the end, and leaves the table from a last row without text', () => {
  expect(afterEnter('| a | b¦ |\n|---|---|\n| c | d |')).toBe('| a   | b   |\n| --- | --- |\n| ‹c›   | d   |')
  expect(afterEnter('| a | b |\n|---|---|\n| c¦ | d |')).toBe(
    '| a   | b   |\n| --- | --- |\n| c   | d   |\n| ¦    |     |',
  )
  expect(afterEnter('| a | b |\n|---|---|\n| ¦ |  |')).toBe('| a | b |\n|---|---|\n\n¦')
  expect(afterEnter('| a | b |\n|---|---|\n| ¦ |  |\n\nc')).toBe('| a | b |\n|---|---|\n\n¦\nc')
  expect(afterEnter('| a | b |\n|---|---|\n| ¦ |  |\n# c')).toBe('| a | b |\n|---|---|\n\n¦\n# c')
})

test('Enter before a row, behind its last pipe and outside of tables is not handled', () => {
  expect(afterEnter('| a | b |¦\n|---|---|')).toBe(undefined)
  expect(afterEnter('¦| a | b |\n|---|---|')).toBe(undefined)
  expect(afterEnter('a ¦| b')).toBe(undefined)
})

test('A new table is below the line, or in place of one without text, between blank lines', () => {
  const table = '| ¦    |     |\n| --- | --- |\n|     |     |'
  expect(after(addTable, '¦')).toBe(`\n\n${table}\n\n`)
  expect(after(addTable, 'Min¦utes')).toBe(`Minutes\n\n${table}\n\n`)
  expect(after(addTable, 'Minutes\n\n¦')).toBe(`Minutes\n\n${table}\n\n`)
  expect(after(addTable, 'Minutes\n- [ ] a\n- [ ] ¦\nb')).toBe(`Minutes\n- [ ] a\n\n${table}\n\nb`)
  expect(after(addTable, 'Minutes\na¦\n\nb')).toBe(`Minutes\na\n\n${table}\n\nb`)
  expect(after(addTable, '```\na¦\n```\nb')).toBe(`\`\`\`\na\n\`\`\`\n\n${table}\n\nb`)
  expect(after(addTable, '| a¦ |\n|---|\n| b |')).toBe(`| a |\n|---|\n| b |\n\n${table}\n\n`)
})

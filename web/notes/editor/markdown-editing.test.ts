import { expect, test } from 'vitest'
import { commandsOf, markdown, markedOf, run, stateOf } from '../testing/marked-state.ts'
import { markdownKeys } from './markdown-editing.ts'

const after = (marked: string, key: string) =>
  markedOf(run(stateOf(marked, markdown), commandsOf(markdownKeys)(key)))

test('Strong and emphasized text can be combined, in any order, and each is removed alone', () => {
  expect(after('a ‹word›', 'Mod-b')).toBe('a **‹word›**')
  expect(after('a **‹word›**', 'Mod-b')).toBe('a ‹word›')
  expect(after('a *‹word›*', 'Mod-i')).toBe('a ‹word›')
  expect(after('a **‹word›**', 'Mod-i')).toBe('a ***‹word›***')
  expect(after('a *‹word›*', 'Mod-b')).toBe('a ***‹word›***')
  expect(after('a ***‹word›***', 'Mod-i')).toBe('a **‹word›**')
  expect(after('a ***‹word›***', 'Mod-b')).toBe('a *‹word›*')
  expect(after('¦', 'Mod-i')).toBe('*¦*')
})

test('Strong and emphasized lines are marked each around its text, not around the marks of lists, quotes and headings', () => {
  const lines = '‹- one\n  1. two\n\n> # three \nfour›'
  const strong = '‹- **one**\n  1. **two**\n\n> # **three** \n**four**›'
  expect(after(lines, 'Mod-b')).toBe(strong)
  expect(after(strong, 'Mod-b')).toBe(lines)
  expect(after('- o‹ne\n- *two*\n- th›ree', 'Mod-i')).toBe('- o‹*ne*\n- *two*\n- *th*›ree')
  expect(after('‹- one\n- two\n›', 'Mod-i')).toBe('‹- *one*\n- *two*\n›')
})

test('Strong lines leave code, tables and rules between them as they are', () => {
  const others = '```\n# code\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n'
  expect(after(`‹one\n\n${others}\ntwo›`, 'Mod-b')).toBe(`‹**one**\n\n${others}\n**two**›`)
  expect(after('```\n‹a\nb›\n```', 'Mod-b')).toBe('```\n‹a\nb›\n```')
})

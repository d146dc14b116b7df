import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noteFileNames } from './note-file-names.ts'

const namesOf = (...titles: string[]) => titles.map(noteFileNames())

test('a file is named by the letters, digits, spaces and hyphens of the title', () => {
  const names = ['Ferry at 8 40 pier 3.md', 'Café travel.md', '買い物.md', 'قائمة.md', 'क्षमा.md']
  expect(namesOf('Ferry at 8:40 – pier 3', 'Café #travel', '買い物', 'قائمة', 'क्षमा')).toEqual(names)
})

test('no title leads out of the folder, hides the file, or is an option or a device', () => {
  const paths = ['../../etc/passwd', '/etc/passwd', 'C:\\Windows\\x', '..', '.hidden', '-rf', '\u202egpj.exe']
  expect(namesOf(...paths, 'con', 'Com1', '🎉', '')).toEqual([
    ...['etc passwd.md', 'etc passwd (2).md', 'C Windows x.md', 'Untitled.md', 'hidden.md', 'rf.md'],
    ...['gpj exe.md', 'Note con.md', 'Note Com1.md', 'Untitled (2).md', 'Untitled (3).md'],
  ])
})

test('the same title has a number from its second file on, whatever its case and form', () => {
  const titles = ['Ideas', 'ideas', 'IDEAS', 'Straße', 'STRASSE', 'Caf\u00e9', 'Cafe\u0301']
  const names = ['Ideas.md', 'ideas (2).md', 'IDEAS (3).md', 'Straße.md', 'STRASSE (2).md', 'Café.md']
  expect(namesOf(...titles)).toEqual([...names, 'Café (2).md'])
})

test('any titles have names of at most 100 bytes of allowed characters, which differ in more than case', () => {
  const title = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 250 }),
    fc.constantFrom(
      ...['a', 'A', 'x'.repeat(120), `${'x'.repeat(95)}yyy`, `${'X'.repeat(95)}zzz`],
      ...['é'.repeat(60), '𝒳'.repeat(40)],
    ),
  )
  fc.assert(
    fc.property(fc.array(title, { maxLength: 30 }), (titles) => {
      const names = namesOf(...titles)
      for (const name of names) {
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(100)
        expect(name).toMatch(/^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} -]*( \(\d+\))?\.md$/u)
      }
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
    }),
  )
})

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const document = readFileSync(join(root, 'docs/specification-coverage.md'), 'utf8')
const named = [...document.matchAll(/^- `(?<file>[^`]+)` (?<title>.+)$/gm)].map(
  ({ groups }) => groups as Named,
)

type Named = { file: string; title: string }

test('every test that docs/specification-coverage.md names exists', () => {
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((entry) => !exists(entry))).toEqual([])
})

test('every sentence in docs/specification-coverage.md has a test', () => {
  const sentences = document.split(/^> /m).slice(1)
  expect(sentences.length).toBeGreaterThan(100)
  expect(sentences.filter((sentence) => !/^- `/m.test(sentence))).toEqual([])
})

test('docs/specification-coverage.md has every section of the specification from 2 to 9', () => {
  const sections = [...document.matchAll(/^## (\d)\./gm)].map(([, number]) => Number(number))
  expect(sections).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
})

/** Whether the file has a call whose first argument is this title. `…` stands for an interpolated value. */
function exists({ file, title }: Named): boolean {
  const path = join(root, file)
  if (!existsSync(path)) return false
  const words = title
    .split('…')
    .map((part) => part.split("'").map(RegExp.escape).join("\\\\?'"))
    .join('(?:\\$\\{[^}]*\\}|%s)')
  return new RegExp(`\\(\\s*(['"\`])${words}\\1,`).test(readFileSync(path, 'utf8'))
}

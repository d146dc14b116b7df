import { expect, test } from 'vitest'
import { pathOf, tagIn, tagPath, viewNames, viewAt as viewOf, views } from './views.ts'

const viewAt = (path: string) => viewOf(new URL(path, 'http://localhost'))

test('a view is found again at its own URL', () => {
  for (const name of viewNames) expect(viewAt(pathOf(name))).toBe(name)
})

test('the dashboard without a list in its URL shows Today', () => {
  expect(pathOf('today')).toBe('/dashboard')
  expect(viewAt('/dashboard')).toBe('today')
})

test.each(['', 'unknown', 'LATEST', '__proto__', 'constructor'])('a list named "%s" shows Today', (name) => {
  expect(viewAt(`/dashboard?list=${name}`)).toBe('today')
})

test('no two views share a key or a label', () => {
  const all = Object.values(views)
  expect(new Set(all.map(({ key }) => key)).size).toBe(all.length)
  expect(new Set(all.map(({ label }) => label)).size).toBe(all.length)
})

test('a note is shown by the view of the notes', () => {
  expect(viewAt('/dashboard/notes/0b4c1c8e-5a3e-4a55-9d8f-3f1f9f2d7c11')).toBe('notes')
  expect(viewAt('/dashboard?list=notes')).toBe('today')
})

test.each(['#home', '#a/b-c', '#Ärger', '＃家', '#a_1'])(
  'The URL of the place of %s names the tag',
  (tag) => {
    const url = new URL(tagPath(tag), 'http://localhost')
    expect(tagIn(url)).toBe(tag.slice(1))
    expect(viewOf(url)).toBe('today')
  },
)

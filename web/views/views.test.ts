import { expect, test } from 'vitest'
import { pathOf, viewIn, viewNames, views } from './views.ts'

const viewAt = (path: string) => viewIn(new URL(path, 'http://localhost').searchParams)

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

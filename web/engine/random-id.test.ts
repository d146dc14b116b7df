import { expect, onTestFinished, test, vi } from 'vitest'
import { randomId } from './entry.ts'

test('ids are version 4 UUIDs in lower case and differ', () => {
  const ids = Array.from({ length: 200 }, randomId)
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(new Set(ids).size).toBe(ids.length)
})

test('ids can be made on a page that is served over plain HTTP, where randomUUID does not exist', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(randomId()).toHaveLength(36)
})

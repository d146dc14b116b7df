import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from './new-id.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2050, 0, 1) })
})
afterEach(() => {
  vi.useRealTimers()
})

const many = () => Array.from({ length: 10_000 }, newId)

test('an id is a UUIDv7 that begins with its creation time', () => {
  const id = newId()
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.now())
})

test('ids created within one millisecond sort in order of creation', () => {
  const ids = many()
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('ids sort in order of creation even if the clock is set back', () => {
  const before = many()
  vi.setSystemTime(Date.now() - 3_600_000)
  const ids = [...before, ...many()]
  expect(ids.toSorted()).toEqual(ids)
})

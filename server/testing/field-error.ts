import { expect } from 'vitest'
import type { Answer } from './test-client.ts'

/** Checks the form of a problem document with exactly one field error; returns `[status, field, message]`. */
export function fieldErrorOf({ status, headers, json }: Answer) {
  expect(headers['content-type']).toMatch(/^application\/problem\+json/)
  expect(json).toMatchObject({ type: 'about:blank', title: expect.any(String), status })
  expect(json.errors).toHaveLength(1)
  const [{ field, code, message } = {}] = json.errors ?? []
  expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
  const article = json.detail.startsWith('The ') ? 'the ' : ''
  expect(json.detail.toLowerCase()).toBe(`${article}${field} ${message}`.toLowerCase())
  return [status, field, message]
}

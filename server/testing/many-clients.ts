import { afterEach, beforeEach, vi } from 'vitest'

let made = 0

/** Returns an address without earlier attempts. */
export const newAddress = () => `198.18.${Math.floor(++made / 250)}.${made % 250}`

/** Returns an email that no account has. */
export const newEmail = () => `someone-${++made}@example.org`

export const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index))

/** Stops the date in each test of the file. Returns the function that advances it by so many seconds. */
export function stopDate() {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))
  afterEach(() => void vi.useRealTimers())
  return (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
}

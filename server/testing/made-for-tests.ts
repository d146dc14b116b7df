import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

type Closed = { close?: () => unknown }

/** What `make` returns, for the tests of the surrounding block. It has its properties when the first test begins. */
export function forAll<Made extends object & Closed>(make: () => Made | Promise<Made>): Made {
  const made = {} as Made
  beforeAll(async () => void Object.assign(made, await make()))
  afterAll(() => made.close?.())
  return made
}

/** The same, made again for each of these tests. */
export function forEach<Made extends object & Closed>(make: () => Made | Promise<Made>): Made {
  const made = {} as Made
  beforeEach(async () => void Object.assign(made, await make()))
  afterEach(() => made.close?.())
  return made
}

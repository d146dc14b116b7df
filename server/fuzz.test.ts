import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { expect, test, vi } from 'vitest'
import { describedBodies } from './testing/described-bodies.ts'
import { rounds } from './testing/rounds.ts'
import { serverForTest } from './testing/test-server.ts'

// These requests contain thousands of passwords, and real hashing would only make the test slow.
vi.mock('@node-rs/argon2', () => import('./testing/fast-hashing.ts'))

test('requests that the OpenAPI document describes as valid have no errors but those that it names', async () => {
  // The errors do not depend on the database.
  const server = await serverForTest('sqlite')
  let user = await server.newUser()
  const { _id } = await user.addTask()
  const calls = describedBodies(JSON.parse((await server.call('GET /openapi.json')).text))
  expect(calls.length).toBeGreaterThan(10)
  for (const { path, method, refusals, bodies, isValid } of calls) {
    const property = fc.asyncProperty(bodies, async (body) => {
      fc.pre(isValid(body))
      const answer = await server.app.inject({
        method,
        url: path.replace('{id}', _id),
        headers: { authorization: `Bearer ${user.token}` },
        payload: body,
      } as InjectOptions)
      const isRefused = answer.statusCode === 400 || answer.statusCode === 422
      const { code, errors = [{ code }] } = isRefused ? answer.json() : { errors: [] }
      const others = errors.filter((error: { code: string }) => !refusals.includes(error.code))
      expect({ path, others }).toEqual({ path, others: [] })
      // Some calls end the session or the account, and guesses are counted.
      for (const table of ['attempts', 'guesses'] as const)
        await server.database.write((db) => db.deleteFrom(table).execute())
      if (!(await user.isValid())) user = await server.newUser()
    })
    await fc.assert(property, { seed: 1, numRuns: rounds(30) })
  }
})

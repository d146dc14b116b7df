import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { beforeAll, expect, test, vi } from 'vitest'
import { newId } from './new-id.ts'
import { describedBodies } from './testing/described-bodies.ts'
import { onEveryEngine } from './testing/engines.ts'
import { expectProblem } from './testing/expect-problem.ts'
import { type HostileRequest, hostileRequests, type OpenApi } from './testing/hostile-requests.ts'
import { inject } from './testing/inject.ts'
import { rounds } from './testing/rounds.ts'
import { serverForAll, type TestUser } from './testing/test-server.ts'

// These requests contain thousands of passwords, and real hashing would only make the test slow.
vi.mock('@node-rs/argon2', () => import('./testing/fast-hashing.ts'))

const runs = { sqlite: rounds(4000), postgres: rounds(1000) }

onEveryEngine('hostile requests', (engine) => {
  const server = serverForAll(engine)
  let user: TestUser
  let ids: string[]
  beforeAll(async () => {
    user = await server.newUser()
    const note = newId()
    await user.send({ item: note, kind: 'note', base: 0, set: { text: 'Note' } })
    ids = [(await user.addTask())._id, (await user.addTask())._id, note]
  })

  /** Restores the user after a request that ended the session, deleted the account or used up the login attempts. */
  async function restoreUser() {
    for (const table of ['attempts', 'guesses'] as const)
      await server.database.write((db) => db.deleteFrom(table).execute())
    if ((await user.call('GET /user/validate')).status !== 200) user = await server.newUser()
  }

  async function expectHandled({ headers, ...request }: HostileRequest) {
    const authorization = headers.authorization?.replace('$TOKEN', user.token) ?? ''
    const answer = await inject(server.app, {
      ...request,
      headers: { ...headers, authorization },
    } as InjectOptions)
    const { statusCode: status } = answer
    expect(status).toBeGreaterThanOrEqual(200)
    expect(status).toBeLessThan(500)
    if (status >= 400 && request.method !== 'HEAD') {
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
      expectProblem(JSON.parse(answer.body), status)
    }
    if (status === 429 || /logout|changePassword|deleteAccount/.test(request.url)) await restoreUser()
    return status
  }

  test('generated from the OpenAPI document never cause a 5xx, and every error response is a problem document', async () => {
    const document: OpenApi = JSON.parse((await server.call('GET /openapi.json')).text)
    const seen = new Map<number, number>()
    const property = fc.asyncProperty(hostileRequests(document, ids, ['$TOKEN']), async (request) => {
      const status = await expectHandled(request)
      seen.set(status, (seen.get(status) ?? 0) + 1)
    })
    // On failure, fast-check prints the smallest failing request and the seed that reproduces it.
    await fc.assert(property, { seed: 20_261_121, numRuns: runs[engine], timeout: 10_000 })
    // Shows that the requests reached the handlers and were not all rejected by authentication or validation.
    for (const status of [200, 400, 401, 404]) expect(seen.get(status)).toBeGreaterThan(runs[engine] / 100)
    expect((await server.app.inject('/readyz')).statusCode).toBe(200)
  })

  // The errors do not depend on the database.
  if (engine === 'sqlite')
    test('that the OpenAPI document describes as valid have no errors but those that it names', async () => {
      const calls = describedBodies(JSON.parse((await server.call('GET /openapi.json')).text))
      expect(calls.length).toBeGreaterThan(10)
      for (const { path, method, refusals, bodies, isValid } of calls) {
        const property = fc.asyncProperty(bodies, async (body) => {
          fc.pre(isValid(body))
          const answer = await server.app.inject({
            method,
            url: path.replace('{id}', ids[0] ?? ''),
            headers: { authorization: `Bearer ${user.token}` },
            payload: body,
          } as InjectOptions)
          const isRefused = answer.statusCode === 400 || answer.statusCode === 422
          const { code, errors = [{ code }] } = isRefused ? answer.json() : { errors: [] }
          const others = errors.filter((error: { code: string }) => !refusals.includes(error.code))
          expect({ path, others }).toEqual({ path, others: [] })
          await restoreUser()
        })
        await fc.assert(property, { seed: 1, numRuns: rounds(30) })
      }
    })
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { api, type Endpoint } from '#contract/api.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { allRows } from '../testing/rows.ts'
import { startTestServer, type TestServer, type TestUser } from '../testing/test-server.ts'
import { hashOf } from './token.ts'

const endpoints = Object.keys(api) as Endpoint[]
const guarded = endpoints.filter((endpoint) => api[endpoint].access !== 'none')

/** The calls that each scope allows, by their access. */
const allowed: Record<string, string[]> = {
  'of a later version': [],
  feed: [],
  add: ['add'],
  read: ['read'],
  write: ['read', 'add', 'write'],
  session: ['read', 'add', 'write', 'account'],
}

onEveryEngine('the scope of a token', (engine) => {
  let server: TestServer
  let user: TestUser
  beforeAll(async () => {
    server = await startTestServer(engine)
    user = await server.newUser()
  })
  afterAll(() => server.close())

  const change = (values: { scope?: string; expires_at?: number | null }) =>
    server.database.write((db) =>
      db.updateTable('sessions').set(values).where('token_hash', '=', hashOf(user.token)).execute(),
    )

  test.each(Object.keys(allowed))(
    '%s lets its holder make the calls that it allows, and gets a 403 without a change from each other',
    async (scope) => {
      for (const endpoint of guarded) {
        await change({ scope })
        const before = await allRows(server.database)
        const { status, json } = await user.call(endpoint.replace(/:\w+/g, '1'), { body: {} })
        if (allowed[scope]?.includes(api[endpoint].access)) {
          expect([endpoint, status]).toEqual([endpoint, expect.toBeOneOf([200, 400, 404])])
        } else {
          expect([endpoint, status, json.code]).toEqual([endpoint, 403, 'scope-too-narrow'])
          expect(await allRows(server.database)).toEqual(before)
        }
      }
      await change({ scope: 'session' })
    },
  )

  test('add allows one call', () => {
    expect(guarded.filter((endpoint) => api[endpoint].access === 'add')).toEqual(['POST /list/addTask'])
  })

  test('does not matter after the expiry of the token', async () => {
    await change({ expires_at: Date.now() })
    const { status, json } = await user.call('GET /settings')
    expect([status, json.code]).toEqual([401, 'token-invalid'])
    await change({ expires_at: null })
  })
})

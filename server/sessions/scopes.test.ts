import { afterAll, beforeAll, expect, test } from 'vitest'
import { api, type Endpoint } from '#contract/api.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { allRows } from '../testing/rows.ts'
import { startTestServer, type TestServer, type TestUser } from '../testing/test-server.ts'
import { hashOf } from './token.ts'

const endpoints = Object.keys(api) as Endpoint[]
const guarded = endpoints.filter((endpoint) => api[endpoint].access !== 'none')

onEveryEngine('a token whose scope allows nothing', (engine) => {
  let server: TestServer
  let user: TestUser
  beforeAll(async () => {
    server = await startTestServer(engine)
    user = await server.newUser()
    await change({ scope: 'of a later version' })
  })
  afterAll(() => server.close())

  const change = (values: { scope?: string; expires_at?: number | null }) =>
    server.database.write((db) =>
      db.updateTable('sessions').set(values).where('token_hash', '=', hashOf(user.token)).execute(),
    )

  test.each(guarded)('gets a 403 from %s, which changes nothing', async (endpoint) => {
    const before = await allRows(server.database)
    const { status, json } = await user.call(endpoint.replace(/:\w+/g, '1'), { body: {} })
    expect([status, json.code]).toEqual([403, 'scope-too-narrow'])
    expect(await allRows(server.database)).toEqual(before)
  })

  test('is not valid after its expiry', async () => {
    await change({ expires_at: Date.now() })
    const { status, json } = await user.call('GET /settings')
    expect([status, json.code]).toEqual([401, 'token-invalid'])
    await change({ expires_at: null })
  })
})

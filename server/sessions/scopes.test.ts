import { expect, test } from 'vitest'
import { api, type Endpoint } from '#contract/api.ts'
import { allRows } from '../testing/rows.ts'
import { onEveryServer, userForAll } from '../testing/test-server.ts'
import { startReset } from '../users/password-reset.ts'
import { scopesOfCredentials, scopesOfTokens } from './scopes.ts'
import { endCredentials } from './session-queries.ts'
import { hashOf, type SessionKey, sessionKeyOf } from './token.ts'

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

onEveryServer('the scope of a token', ({ server }) => {
  const user = userForAll(server)

  /** Makes the token of the user one of this scope. */
  const become = (scope: string) =>
    server.database.write(async (db) => {
      const { userId: user_id, tokenHash: token_hash } = sessionKeyOf(user.token) as SessionKey
      await endCredentials(db, user_id)
      const row = { user_id, token_hash, name: '', created_at: Date.now(), last_used_at: Date.now() }
      const [table, more] = scope === 'session' ? ['sessions', {}] : ['credentials', { scope }]
      const values = { ...row, ...more }
      await db
        .insertInto(table as 'sessions')
        .values(values)
        .execute()
    })

  test.each(Object.keys(allowed))('%s allows its own calls, and gets a 403 from others', async (scope) => {
    for (const endpoint of guarded) {
      await become(scope)
      const before = await allRows(server.database)
      const { status, json } = await user.call(endpoint.replace(/:\w+/g, '1'), { body: {} })
      if (allowed[scope]?.includes(api[endpoint].access)) {
        expect([endpoint, status]).toEqual([endpoint, expect.toBeOneOf([200, 400, 404])])
      } else {
        expect([endpoint, status, json.code]).toEqual([endpoint, 403, 'scope-too-narrow'])
        expect(await allRows(server.database)).toEqual(before)
      }
    }
    await become('session')
  })

  test('add allows one call', () => {
    expect(guarded.filter((endpoint) => api[endpoint].access === 'add')).toEqual(['POST /list/addTask'])
  })

  test('is in a table that 0.1.0 does not read, which would take a credential of any scope for a session', async () => {
    const { id: userId, call, token, newToken } = await server.newUser()
    for (const scope of scopesOfTokens) await newToken(scope)
    await server.database.write((db) => startReset(db, userId, Date.now()))
    await call('POST /export')
    const { read } = server.database
    const others = read.selectFrom('credentials').select('scope').where('user_id', '=', userId)
    const made = (await others.execute()).map(({ scope }) => scope)
    expect(made.sort()).toEqual(scopesOfCredentials.toSorted())
    const sessions = read.selectFrom('sessions').select('token_hash').where('user_id', '=', userId)
    expect(await sessions.execute()).toEqual([{ token_hash: hashOf(token) }])
  })
})

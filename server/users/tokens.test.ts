import type { KyselyPlugin } from 'kysely'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { tokensPerUser } from '#contract/limits.ts'
import { deleteInBatches } from '../database/expired-rows.ts'
import { newId } from '../new-id.ts'
import { sweepSessions } from '../sessions/session-queries.ts'
import { hashOf, type SessionKey, sessionKeyOf } from '../sessions/token.ts'
import { stopDate } from '../testing/many-clients.ts'
import { openStream } from '../testing/open-stream.ts'
import { listen } from '../testing/raw-client.ts'
import { allRows } from '../testing/rows.ts'
import { onEveryServer, type TestServer, userForEach } from '../testing/test-server.ts'
import { setDisabled } from './administration.ts'
import { startReset } from './password-reset.ts'
import { makeToken } from './token-queries.ts'

const draft = { title: 'Water the plants', dueDate: '2026-11-21', priority: 'low' }
const day = 86_400_000
const pass = stopDate()

onEveryServer('tokens', ({ server }) => {
  beforeAll(() => listen(server.app))
  const user = userForEach(server)

  const make = (scope = 'write', more: object = {}) => user.newToken(scope, more)
  const statusOf = async (token: string, endpoint = 'GET /settings') =>
    (await server.call(endpoint, { token })).status
  const listed = async () => (await user.call('GET /tokens')).json.tokens

  test('are answered once, and only their hash is stored', async () => {
    const { id, token } = await make()
    const list = await user.call('GET /tokens')
    expect(list.json.tokens).toEqual([
      {
        ...{ id, name: 'Laptop script', scope: 'write', createdAt: expect.any(String) },
        ...{ lastUsedAt: null, expiresAt: null },
      },
    ])
    expect(list.text).not.toContain(token)
    expect(await statusOf(token)).toBe(200)
    expect(JSON.stringify(await allRows(server.database))).not.toContain(token)
  })

  test('have the time of their last use, to the hour; a new one has none', async () => {
    const { token } = await make('read')
    expect(await listed()).toMatchObject([{ lastUsedAt: null }])
    pass(60)
    const first = new Date().toISOString()
    await statusOf(token)
    await expect.poll(listed).toMatchObject([{ lastUsedAt: first }])
    pass(3500)
    await statusOf(token)
    // Within an hour of a use that was noted, this one would not be.
    pass(200)
    const third = new Date().toISOString()
    await statusOf(token)
    await expect.poll(listed).toMatchObject([{ lastUsedAt: third }])
  })

  test('are no sessions: the account does not list them, and they are valid without use until they are revoked', async () => {
    const { token } = await make()
    expect((await user.call('GET /account')).json.account.sessions).toHaveLength(1)
    const old = { created_at: Date.now() - 900 * day, last_used_at: Date.now() - 800 * day }
    const ofToken = (db: TestServer['database']['read']) =>
      db.updateTable('credentials').set(old).where('token_hash', '=', hashOf(token))
    await server.database.write((db) => ofToken(db).execute())
    const life = { idle: 90 * day, max: 365 * day }
    const deleteRows = deleteInBatches(server.database, 100, new AbortController().signal)
    await sweepSessions(deleteRows, life, Date.now())
    expect(await statusOf(token)).toBe(200)
  })

  test('end at their expiry, which is in the future when they are made', async () => {
    const past = await make('read', { expiresAt: '2026-01-01T00:00:00Z' })
    expect(past).toMatchObject({ status: 400, errors: [{ field: 'expiresAt', code: 'out-of-range' }] })
    const expiresAt = new Date(Date.now() + day).toISOString()
    const { token } = await make('read', { expiresAt })
    expect(await listed()).toMatchObject([{ expiresAt }])
    expect(await statusOf(token)).toBe(200)
    pass(86_400)
    expect((await server.call('GET /settings', { token })).json.code).toBe('token-invalid')
  })

  test('of the scope add add a task whose fields the response does not have, an earlier one neither', async () => {
    const { token } = await make('add')
    const headers = { 'idempotency-key': newId() }
    for (const title of ['Pay rent', 'Another title']) {
      const body = { ...draft, title }
      const { status, text } = await server.call('POST /list/addTask', { token, headers, body })
      expect([status, text]).toEqual([200, '{}'])
    }
    expect((await user.tasks()).map(({ title }) => title)).toEqual(['Pay rent'])
    const { _id: own } = await user.addTask({ title: 'Mine' })
    const known = { token, headers: { 'idempotency-key': own }, body: { ...draft, title: 'Replaced' } }
    expect((await server.call('POST /list/addTask', known)).text).toBe('{}')
    expect((await user.task(own)).title).toBe('Mine')
  })

  test('are at most fifty in an account, even if all are made concurrently', async () => {
    const made = await Promise.all(Array.from({ length: tokensPerUser + 5 }, () => make('read')))
    expect(made.filter(({ code }) => code === 'too-many-tokens')).toHaveLength(5)
    const [{ id = '' } = {}] = await listed()
    await user.call(`DELETE /tokens/${id}`)
    expect((await make()).token).toEqual(expect.any(String))
  })

  test('that have expired are removed when another is made', async () => {
    const key = sessionKeyOf(user.token) as SessionKey
    const expiring = { name: 'Script', scope: 'read', expiresAt: 2000 } as const
    await server.database.write((db) => makeToken(db, key, expiring, 1000))
    await server.database.write((db) => makeToken(db, key, { ...expiring, expiresAt: 3000 }, 2000))
    const stored = server.database.read.selectFrom('credentials').select('expires_at')
    expect(await stored.where('user_id', '=', key.userId).execute()).toEqual([{ expires_at: 3000 }])
  })

  test('have names without control characters', async () => {
    for (const name of ['Laptop\nscript', '\u001b[31mScript', 'Script\u0085']) {
      const errors = [{ field: 'name', code: 'not-text' }]
      expect(await make('read', { name })).toMatchObject({ status: 400, errors })
    }
    expect((await make('read', { name: 'مِی\u200cخواهم 👩\u200d👧' })).token).toEqual(expect.any(String))
  })

  test.each([
    ['its body arrives', 'POST /list/addTask', { ...draft, title: 'Late' }],
    ['a search runs', 'GET /search?q=plants', undefined],
  ])('that are revoked while %s write nothing and get nothing', async (_, endpoint, body) => {
    const { id, token } = await make()
    await user.addTask()
    const { read } = server.database
    onTestFinished(() => {
      server.database.read = read
    })
    // The token is revoked when it was found to be valid, a second before the call goes on.
    const revoking: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        server.database.read = read
        await user.call(`DELETE /tokens/${id}`)
        pass(1)
        return result
      },
    }
    server.database.read = read.withPlugin(revoking)
    expect((await server.call(endpoint, { token, body })).json.code).toBe('token-invalid')
    expect((await user.call('GET /list/getLatestTasks')).text).not.toContain('Late')
  })

  test('stay valid after a logout with them, when the password is changed and when other sessions end', async () => {
    const { token } = await make()
    expect((await server.call('POST /user/logout', { token })).status).toBe(200)
    await user.call('DELETE /account/sessions')
    const body = { currentPassword: user.password, newPassword: 'another long password' }
    expect((await user.call('POST /user/changePassword', { body })).status).toBe(200)
    expect(await statusOf(token)).toBe(200)
  })

  async function resetPassword() {
    const link = await server.database.write((db) => startReset(db, user.id, Date.now()))
    const body = { token: link, newPassword: 'another long password' }
    return await server.call('POST /user/resetPassword', { body })
  }
  const deleteAccount = () => user.call('POST /user/deleteAccount', { body: { password: user.password } })
  test.each<[string, (id: string) => unknown]>([
    ['they are revoked', (id) => user.call(`DELETE /tokens/${id}`)],
    ['the password is reset by a link', resetPassword],
    ['the account is disabled', () => server.database.write((db) => setDisabled(db, user.id, Date.now()))],
    ['the account is deleted', deleteAccount],
  ])('end when %s, and their streams too', async (_, act) => {
    const { id, token } = await make('write')
    const stream = await openStream(server.app, token)
    await stream.next()
    await act(id)
    expect(await statusOf(token)).toBe(401)
    expect(await stream.next()).toBeUndefined()
    expect((await server.call('POST /list/addTask', { token, body: draft })).status).toBe(401)
  })

  test('that are revoked end no other one, and cannot be revoked again', async () => {
    const [{ id }, kept] = [await make('read'), await make('read')]
    await user.call(`DELETE /tokens/${id}`)
    expect(await statusOf(kept.token)).toBe(200)
    expect((await user.call(`DELETE /tokens/${id}`)).json.code).toBe('no-such-token')
  })

  test('are not made by a session that ends meanwhile', async () => {
    const { read, write } = server.database
    const ending = vi.spyOn(server.database, 'write').mockImplementationOnce(async (work, group) => {
      await write((db) => db.deleteFrom('sessions').where('token_hash', '=', hashOf(user.token)).execute())
      return await write(work, group)
    })
    expect((await user.call('POST /tokens', { body: { name: 'Late', scope: 'write' } })).status).toBe(401)
    ending.mockRestore()
    const late = read.selectFrom('credentials').select('name').where('name', '=', 'Late')
    expect(await late.execute()).toEqual([])
  })
})

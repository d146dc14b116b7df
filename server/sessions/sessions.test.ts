import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { onEveryEngine } from '../testing/engines.ts'
import { allRows } from '../testing/rows.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const hour = 3_600_000
const day = 24 * hour
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

onEveryEngine('sessions', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(engine)
  })
  afterAll(() => server.close())

  const valid = async (token: string) => (await server.call('GET /user/validate', { token })).status === 200
  const sessionOf = (token: string) => {
    const sessions = server.database.read.selectFrom('sessions').selectAll()
    return sessions.where('token_hash', '=', sha256(token)).executeTakeFirst()
  }

  /** As if the session had begun and been used so long ago. */
  async function age(token: string, { begun, used }: { begun: number; used: number }) {
    const now = Date.now()
    await server.database.write((db) =>
      db
        .updateTable('sessions')
        .set({ created_at: now - begun, last_used_at: now - used })
        .where('token_hash', '=', sha256(token))
        .execute(),
    )
  }

  test('a token is 32 random bytes in base64url, another one each time', async () => {
    const tokens = [(await server.newUser()).token, (await server.newUser()).token]
    for (const token of tokens) {
      expect(token).toMatch(/^[\w-]{43}$/)
      expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    }
    expect(tokens[0]).not.toBe(tokens[1])
  })

  test('of a token only its SHA-256 is stored', async () => {
    const { token } = await server.newUser()
    expect(await sessionOf(token)).toBeDefined()
    expect(JSON.stringify(await allRows(server.database))).not.toContain(token)
  })

  test('what is stored of a token does not sign in', async () => {
    const { token } = await server.newUser()
    expect(await valid(sha256(token))).toBe(false)
  })

  test('logging out ends that session alone, and doing it again is no error', async () => {
    const user = await server.newUser()
    const { json } = await server.call('POST /user/login', { body: user })
    for (let time = 0; time < 2; time++) {
      const { status, text } = await user.call('POST /user/logout')
      expect({ status, text }).toEqual({ status: 200, text: '{}' })
    }
    expect(await sessionOf(user.token)).toBeUndefined()
    expect([await valid(user.token), await valid(json.token)]).toEqual([false, true])
  })

  test('logging out without a token is no error and ends nothing', async () => {
    const before = await allRows(server.database)
    expect((await server.call('POST /user/logout')).status).toBe(200)
    expect(await allRows(server.database)).toEqual(before)
  })

  test('a session ends seven days after its last use', async () => {
    const { token } = await server.newUser()
    await age(token, { begun: 20 * day, used: 7 * day + 1000 })
    expect(await valid(token)).toBe(false)
    await age(token, { begun: 20 * day, used: 7 * day - 60_000 })
    expect(await valid(token)).toBe(true)
  })

  test('a session ends thirty days after it began, however much it is used', async () => {
    const { token } = await server.newUser()
    await age(token, { begun: 30 * day + 1000, used: 0 })
    expect(await valid(token)).toBe(false)
    await age(token, { begun: 30 * day - 60_000, used: 0 })
    expect(await valid(token)).toBe(true)
  })

  test('the last use is noted once an hour has passed since the last note', async () => {
    const { token } = await server.newUser()
    await age(token, { begun: day, used: hour + 60_000 })
    const start = Date.now()
    expect(await valid(token)).toBe(true)
    await vi.waitFor(async () => {
      expect((await sessionOf(token))?.last_used_at).toBeGreaterThanOrEqual(start)
    })
  })

  test('a request within the hour writes nothing', async () => {
    const user = await server.newUser()
    await age(user.token, { begun: day, used: hour - 60_000 })
    const write = vi.spyOn(server.database, 'write')
    expect((await user.call('GET /list/getLatestTasks')).status).toBe(200)
    expect(write).not.toHaveBeenCalled()
    write.mockRestore()
  })

  test.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['the word alone', 'Bearer'],
    ['the word and a space', 'Bearer '],
    ['the token alone', '$TOKEN'],
    ['another scheme', 'Basic $TOKEN'],
    ['the scheme without a space', 'Bearer$TOKEN'],
    ['the scheme with a colon', 'Bearer: $TOKEN'],
    ['the token in quotes', 'Bearer "$TOKEN"'],
    ['two tokens', 'Bearer $TOKEN $TOKEN'],
    ['two schemes', 'Bearer Bearer $TOKEN'],
    ['a token cut short', 'Bearer $CUT'],
    ['a token lengthened', 'Bearer $TOKENA'],
    ['a token padded as base64', 'Bearer $TOKEN='],
    ['a token that nobody was given', `Bearer ${'x'.repeat(43)}`],
    ['an endless token', `Bearer ${'x'.repeat(5000)}`],
    ['SQL', `Bearer ' or ''='`],
  ])('%s opens nothing: 403 to validate, 401 with WWW-Authenticate to the rest', async (_, template) => {
    const user = await server.newUser()
    const header = template?.replace('$CUT', user.token.slice(0, -1)).replaceAll('$TOKEN', user.token)
    const headers: Record<string, string> = header === undefined ? {} : { authorization: header }
    const validate = await server.call('GET /user/validate', { headers })
    expect(validate.status).toBe(403)
    expect(validate.headers['content-type']).toMatch(/^application\/problem\+json/)
    const list = await server.call('GET /list/getLatestTasks', { headers })
    expect(list.status).toBe(401)
    expect(list.headers['www-authenticate']).toBe('Bearer')
    expect(list.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(await valid(user.token)).toBe(true)
  })

  test('the scheme’s name is read in any case', async () => {
    const { token } = await server.newUser()
    for (const scheme of ['bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${token}` }
      expect((await server.call('GET /user/validate', { headers })).status).toBe(200)
    }
  })

  test('a token in the address or in a cookie opens nothing', async () => {
    const { token } = await server.newUser()
    const headers = { cookie: `token=${token}` }
    const answer = await server.call(`GET /list/getLatestTasks?token=${token}&access_token=${token}`, {
      headers,
    })
    expect(answer.status).toBe(401)
  })
})

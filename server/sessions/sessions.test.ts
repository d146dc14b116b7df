import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { newId } from '../new-id.ts'
import { many } from '../testing/many-clients.ts'
import { watchQueries } from '../testing/postgres-queries.ts'
import { allRows } from '../testing/rows.ts'
import { logOf } from '../testing/stored-rows.ts'
import { onEveryServer, serverForTest } from '../testing/test-server.ts'
import { newToken } from './token.ts'

const hour = 3_600_000
const day = 24 * hour
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

onEveryServer('sessions', ({ server, user }) => {
  const valid = (token: string) => server.as(token).isValid()
  const sessionOf = (token: string) => {
    const sessions = server.database.read.selectFrom('sessions').selectAll()
    return sessions.where('token_hash', '=', sha256(token)).executeTakeFirst()
  }

  /** Sets the start and the last use of the session back by these times. */
  async function age(token: string, { started, used }: { started: number; used: number }) {
    const times = { created_at: Date.now() - started, last_used_at: Date.now() - used }
    await server.database.write((db) =>
      db.updateTable('sessions').set(times).where('token_hash', '=', sha256(token)).execute(),
    )
  }

  test('a token is the id of its user and 32 random bytes in base64url, other ones each time', async () => {
    const { token } = (await server.call('POST /user/login', { body: user })).json
    const [one, two] = [user.token, token].map((text) => Buffer.from(text, 'base64url').toString('hex'))
    const { user_id } = (await sessionOf(token)) ?? {}
    const ofUser = new RegExp(`^${user_id?.replaceAll('-', '')}[0-9a-f]{64}$`)
    for (const hex of [one, two]) expect(hex).toMatch(ofUser)
    expect(one?.slice(32)).not.toBe(two?.slice(32))
  })

  test('a token with the id of another user opens nothing', async () => {
    const [ada, eve] = [await server.newUser(), await server.newUser()]
    const bytes = [ada, eve].map(({ token }) => Buffer.from(token, 'base64url'))
    const mixed = Buffer.concat([bytes[0]?.subarray(0, 16) ?? '', bytes[1]?.subarray(16) ?? ''] as Buffer[])
    expect(await valid(mixed.toString('base64url'))).toBe(false)
  })

  test('only the SHA-256 of a token is stored, which opens nothing', async () => {
    const { token } = await server.newUser()
    expect(await sessionOf(token)).toBeDefined()
    expect(JSON.stringify(await allRows(server.database))).not.toContain(token)
    expect(await valid(sha256(token))).toBe(false)
  })

  test('the log and the history of a note name the session or token of each change, after it has ended too', async () => {
    const phone = { 'user-agent': 'Mozilla/5.0 (Android 16; Mobile; rv:153.0) Gecko/153.0 Firefox/153.0' }
    const onPhone = await user.newSession(phone)
    const { _id: task } = await user.addTask()
    const { _id: item } = await onPhone.addNote('One')
    await onPhone.deleteTask(task)
    await onPhone.purge(task)
    await onPhone.call('POST /user/logout')
    await user.send({ item, kind: 'note', base: 2, set: { text: 'Two' } })
    const { id, token } = await user.newToken('write')
    await server.as(token).send({ item, kind: 'note', base: 5, set: { text: 'Three' } })
    await user.call(`DELETE /tokens/${id}`)

    const byPhone = { own: false, by: 'Firefox on Android' }
    const { versions } = (await user.call(`GET /notes/${item}/versions`)).json
    expect(versions).toMatchObject([
      { own: false, by: 'Laptop script', after: 'Three' },
      { own: true, by: '', after: 'Two' },
      { ...byPhone, after: 'One' },
    ])
    const versionOf = async (seq: number) =>
      (await user.call(`GET /notes/${item}/versions/${seq}`)).json.version
    expect(await versionOf(2)).toMatchObject(byPhone)
    expect(await versionOf(5)).toMatchObject({ own: true, by: '' })
    const authors = (await logOf(server.database, user.id)).map(({ by }) => by)
    expect(authors).toEqual(['', '', ...Array(3).fill(byPhone.by), '', 'Laptop script'])
  })

  test('logging out ends only that session, and logging out again or without a token is not an error', async () => {
    const { json } = await server.call('POST /user/login', { body: user })
    for (let time = 0; time < 2; time++) {
      const { status, text } = await user.call('POST /user/logout')
      expect({ status, text }).toEqual({ status: 200, text: '{}' })
    }
    expect(await sessionOf(user.token)).toBeUndefined()
    expect((await server.call('POST /user/logout')).status).toBe(200)
    expect([await valid(user.token), await valid(json.token)]).toEqual([false, true])
  })

  test.each([
    ['90 days after its last use', { started: 200 * day, used: 90 * day }],
    ['365 days after its start, even if it is used', { started: 365 * day, used: 0 }],
  ])('a session ends %s', async (_, { started, used }) => {
    const { token } = await server.newUser()
    for (const [more, isValid] of [
      [1000, false],
      [-60_000, true],
    ] as const) {
      await age(token, { started: started + more, used: Math.max(0, used + more) })
      expect(await valid(token)).toBe(isValid)
    }
  })

  test('the last use of a session is stored if the stored one is more than an hour old, with the name that earlier versions did not store', async () => {
    const { token, call } = await server.newUser()
    await age(token, { started: day, used: hour + 60_000 })
    const start = Date.now()
    expect((await call('GET /user/validate', { headers: { 'user-agent': 'curl/8.14.1' } })).status).toBe(200)
    await expect.poll(async () => (await sessionOf(token))?.last_used_at).toBeGreaterThanOrEqual(start)
    expect((await sessionOf(token))?.name).toBe('curl')
  })

  test('the calls whose use cannot be stored are answered, and log one short line together', async () => {
    const { token } = await server.newUser()
    await age(token, { started: day, used: 2 * hour })
    const write = vi.spyOn(server.database, 'write').mockRejectedValue(new Error('read-only'))
    const warn = vi.spyOn(server.app.log, 'warn')
    for (let i = 0; i < 3; i++) expect(await valid(token)).toBe(true)
    expect(write).toHaveBeenCalledTimes(3)
    write.mockRestore()
    expect(warn.mock.calls[0]).toEqual([{ req: expect.anything(), reason: 'read-only' }, expect.any(String)])
    // If the machine is slow, the others are counted before this line.
    expect(warn.mock.calls.slice(1).filter(([about]) => !('times' in (about as object)))).toEqual([])
    warn.mockRestore()
  })

  test('a request within the hour writes nothing', async () => {
    await age(user.token, { started: day, used: hour - 60_000 })
    const write = vi.spyOn(server.database, 'write')
    expect((await user.call('GET /list/getLatestTasks')).status).toBe(200)
    expect(write).not.toHaveBeenCalled()
    write.mockRestore()
  })

  test.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['the scheme without a token', 'Bearer'],
    ['the scheme and a space', 'Bearer '],
    ['the token without a scheme', '$TOKEN'],
    ['another scheme', 'Basic $TOKEN'],
    ['the scheme without a space', 'Bearer$TOKEN'],
    ['the scheme with a colon', 'Bearer: $TOKEN'],
    ['the token in quotes', 'Bearer "$TOKEN"'],
    ['two tokens', 'Bearer $TOKEN $TOKEN'],
    ['two schemes', 'Bearer Bearer $TOKEN'],
    ['a truncated token', 'Bearer $CUT'],
    ['a token with one more character', 'Bearer $TOKENA'],
    ['a token with base64 padding', 'Bearer $TOKEN='],
    ['an unknown token', `Bearer ${'x'.repeat(64)}`],
    ['a text that is not a token', `Bearer ${'x'.repeat(43)}`],
    ['a very long token', `Bearer ${'x'.repeat(5000)}`],
    ['SQL', `Bearer ' or ''='`],
  ])('%s is rejected: /user/validate answers 403, others 401 with a header', async (_, template) => {
    const header = template?.replace('$CUT', user.token.slice(0, -1)).replaceAll('$TOKEN', user.token)
    const headers: Record<string, string> = header === undefined ? {} : { authorization: header }
    const validate = await server.call('GET /user/validate', { headers })
    const list = await server.call('GET /list/getLatestTasks', { headers })
    expect([validate.status, list.status, list.headers['www-authenticate']]).toEqual([403, 401, 'Bearer'])
    for (const answer of [validate, list])
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(await valid(user.token)).toBe(true)
  })

  test('the authentication scheme is not case-sensitive', async () => {
    const { token } = await server.newUser()
    for (const scheme of ['bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${token}` }
      expect((await server.call('GET /user/validate', { headers })).status).toBe(200)
    }
  })

  test('a token in the URL or in a cookie is ignored', async () => {
    const { token } = await server.newUser()
    const headers = { cookie: `token=${token}` }
    const list = `GET /list/getLatestTasks?token=${token}&access_token=${token}`
    expect((await server.call(list, { headers })).status).toBe(401)
  })
})

test('many invented tokens at once ask all parts of the database one question at a time', async () => {
  const server = await serverForTest('postgres')
  await server.newUser()
  let [asked, running, most] = [0, 0, 0]
  watchQueries(async (text, run) => {
    if (!/"closed_at" is null limit/.test(text)) return await run()
    asked += 1
    most = Math.max(most, ++running)
    return await run().finally(() => running--)
  })
  const calls = many(40, () => server.call('GET /settings', { token: newToken(newId()) }))
  const answers = await Promise.all(calls)
  expect(new Set(answers.map(({ json }) => json.code))).toEqual(new Set(['account-gone']))
  expect([asked > 0, most]).toEqual([true, 1])
})

import { expect, test } from 'vitest'
import { newEmail } from '../testing/many-clients.ts'
import { allRows } from '../testing/rows.ts'
import { onEveryServer } from '../testing/test-server.ts'

const password = 'correct horse battery'

onEveryServer('users', ({ server }) => {
  const register = (email: string, more: object = {}) =>
    server.call('POST /user/register', { body: { name: 'Ada', email, password, ...more } })
  const login = (email: string, given = password) =>
    server.call('POST /user/login', { body: { email, password: given } })
  const validate = async (token: string) => (await server.call('GET /user/validate', { token })).json

  test('registering answers 200 with a valid token', async () => {
    const { status, json } = await register(newEmail())
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['token'])
    expect(await validate(json.token)).toEqual({ valid: true })
  })

  test('logging in answers 200 with a new token, and earlier tokens remain valid', async () => {
    const email = newEmail()
    const first = (await register(email)).json.token
    const { status, json } = await login(email)
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['token'])
    expect(json.token).not.toBe(first)
    expect([await validate(first), await validate(json.token)]).toEqual([{ valid: true }, { valid: true }])
  })

  test.each([
    ['the same', (email: string) => email],
    ['one in other letters’ case', (email: string) => email.toUpperCase()],
    ['one with space around', (email: string) => ` \t${email}\n`],
  ])('a second account with an email gets a 409, and the first logs in with it: %s', async (_, variant) => {
    const email = newEmail()
    await register(email)
    // The attempts are counted.
    const stored = async () => ({ ...(await allRows(server.database)), attempts: [], guesses: [] })
    const before = await stored()
    const { status, headers, json } = await register(variant(email), { name: 'Eve', password: 'another one' })
    expect(`${status} ${headers['content-type']}`).toMatch(/^409 application\/problem\+json/)
    const message = 'already has an account; log in instead'
    expect(json.errors).toEqual([{ field: 'email', code: 'taken', message }])
    expect(await stored()).toEqual(before)
    expect((await login(variant(email))).status).toBe(200)
  })

  test('emails that differ by a dot, a plus or an accent are different accounts', async () => {
    const [name = ''] = newEmail().split('@')
    const emails = [name, `${name}.`, `${name}+tag`, `${name}é`, `${name}e`]
    for (const each of emails) expect((await register(`${each}@example.org`)).status).toBe(200)
  })

  test('passwords are compared exactly: case, spaces and accents matter', async () => {
    const email = newEmail()
    await register(email, { password: ' Pässword ' })
    expect((await login(email, ' Pässword ')).status).toBe(200)
    for (const other of ['Pässword', ' pässword ', ' Password ', ' Pässword  ']) {
      expect((await login(email, other)).status).toBe(401)
    }
  })

  test('a wrong password and an unknown email get the same response, byte for byte', async () => {
    const email = newEmail()
    await register(email)
    const [wrong, unknown] = [await login(email, 'not the password'), await login(newEmail())]
    expect(wrong.status).toBe(401)
    expect(wrong.json.detail).toBe('Email or password is wrong.')
    expect(wrong.headers['www-authenticate']).toBe('Bearer')
    for (const answer of [wrong, unknown]) Object.assign(answer.headers, { date: '', 'x-request-id': '' })
    expect(unknown).toEqual(wrong)
  })

  test('a wrong password and an unknown email take the same time', async () => {
    const least = { wrong: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY }
    // The minimum CPU time of several runs, including hashing threads, does not depend on the load of the machine.
    async function fail(kind: keyof typeof least, email: string) {
      const start = process.cpuUsage()
      await login(email, 'not the password')
      const { user, system } = process.cpuUsage(start)
      least[kind] = Math.min(least[kind], user + system)
    }
    const isSame = () => least.unknown / least.wrong > 0.5 && least.unknown / least.wrong < 2
    // More rounds bring the minimums nearer to the time that the work itself takes.
    for (let round = 0; round < 3 || (round < 30 && !isSame()); round++) {
      const email = newEmail()
      await register(email)
      await fail('wrong', email)
      await fail('unknown', newEmail())
    }
    expect(least).toSatisfy(isSame)
  })

  test('only a salted argon2id hash of a password is stored', async () => {
    const emails = [newEmail(), newEmail()]
    const secret = 'the very secret one'
    for (const email of emails) await register(email, { password: secret })
    const users = server.database.read.selectFrom('users').select('password_hash as hash')
    const hashes = (await users.where('email', 'in', emails).execute()).map(({ hash }) => hash)
    expect(new Set(hashes).size).toBe(2)
    for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(JSON.stringify(await allRows(server.database))).not.toContain(secret)
  })

  test('no response contains the password or its hash', async () => {
    const email = newEmail()
    const { token } = (await register(email)).json
    const answers = [
      await register(email),
      await login(email),
      await login(email, `${password}!`),
      await server.call('GET /user/validate', { token }),
      await server.call('POST /user/logout', { token }),
    ]
    for (const { text, headers } of answers) {
      expect(text + JSON.stringify(headers)).not.toMatch(/correct horse battery|argon2/)
    }
  })

  test('a name is stored without the whitespace around it', async () => {
    const { token } = (await register(newEmail(), { name: '  Ada Lovelace  ' })).json
    expect((await server.call('GET /account', { token })).json.account.name).toBe('Ada Lovelace')
  })

  test('names, emails and passwords of maximum and minimum length are accepted', async () => {
    const [name, long] = ['𝒳'.repeat(100), '😀'.repeat(256)]
    const email = `${newEmail()}`.padStart(254, 'x')
    expect((await register(email, { name, password: long })).status).toBe(200)
    expect((await login(email, long)).status).toBe(200)
    const shortest = '😀@a'
    expect((await register(shortest, { name: 'A', password: '8 chars.' })).status).toBe(200)
    expect((await login(shortest, '8 chars.')).status).toBe(200)
  })
})

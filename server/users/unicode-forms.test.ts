import { hash } from '@node-rs/argon2'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { composeEmails, isComposed } from '../database/composed-emails.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { addUser } from '../testing/open-test-database.ts'
import { execute, setAccount } from '../testing/stored-rows.ts'
import { serverForAll } from '../testing/test-server.ts'
import { normalizeEmail } from './user-queries.ts'

const forms = ['NFC', 'NFD'] as const
const [password, other] = ['crème brûlée à la carte', 'ein ganz anderes Paßwört']

test('The forms of one email are the same email', () => {
  const property = fc.property(fc.string({ unit: 'binary' }), (email) => {
    const normalized = normalizeEmail(email)
    expect(forms.map((form) => normalizeEmail(email.normalize(form)))).toEqual([normalized, normalized])
    expect(normalizeEmail(normalized)).toBe(normalized)
  })
  fc.assert(property, { numRuns: 2000 })
})

onEveryEngine('the forms of one text', (engine) => {
  const server = serverForAll(engine, { SIGNUP_RATE: '1000' })

  const login = async (email: string, password: string) =>
    (await server.call('POST /user/login', { body: { email, password } })).status
  const register = async (email: string, password: string) =>
    (await server.call('POST /user/register', { body: { name: 'Zoë', email, password } })).status
  const hashOfUser = async (email: string) => {
    const users = server.database.read.selectFrom('users').select('password_hash').where('email', '=', email)
    return (await users.executeTakeFirstOrThrow()).password_hash
  }

  /** Stores an account as 0.1.0 did: as it was typed. */
  async function storeEarlier(email: string, password: string) {
    const passwordHash = await hash(password, { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 })
    const id = await server.database.write((db) => addUser(db, email))
    await setAccount(server.database, id, { password_hash: passwordHash })
  }

  test.each(forms)('are one account, whose email and password were typed as %s', async (form) => {
    const email = `zoë.${form}@éxample.org`
    expect(await register(email.normalize(form), password.normalize(form))).toBe(200)
    for (const typed of forms) {
      expect(await login(email.normalize(typed), password.normalize(typed))).toBe(200)
      expect(await register(email.normalize(typed), other)).toBe(409)
    }
    expect(await login(email, other)).toBe(401)
    const names = server.database.read.selectFrom('users').select('name')
    const stored = await names.where('email', '=', normalizeEmail(email)).execute()
    expect(stored).toEqual([{ name: 'Zoë'.normalize('NFC') }])
  })

  test('of a password that was stored as it was typed match once it has been typed so again', async () => {
    const [email, typed] = ['earlier@example.org', password.normalize('NFD')]
    await storeEarlier(email, typed)
    const before = await hashOfUser(email)
    expect(await login(email, password.normalize('NFC'))).toBe(401)
    expect(await login(email, typed)).toBe(200)
    expect(await hashOfUser(email)).not.toBe(before)
    const replaced = await hashOfUser(email)
    for (const form of forms) expect(await login(email, password.normalize(form))).toBe(200)
    expect(await hashOfUser(email)).toBe(replaced)
  })

  test('of a password that was stored as it was typed change the password, and delete the account', async () => {
    const [email, typed] = ['change@example.org', password.normalize('NFD')]
    await storeEarlier(email, typed)
    const { token } = (await server.call('POST /user/login', { body: { email, password: typed } })).json
    const earlier = await hash(typed)
    await execute(server.database, sql`update users set password_hash = ${earlier} where email = ${email}`)
    const body = { currentPassword: typed, newPassword: other.normalize('NFD') }
    expect((await server.call('POST /user/changePassword', { token, body })).status).toBe(200)
    expect(await login(email, other)).toBe(200)
    const confirmed = { token, body: { password: other.normalize('NFD') } }
    expect((await server.call('POST /user/deleteAccount', confirmed)).status).toBe(200)
    expect(await login(email, other)).toBe(401)
  })

  test('of an email that 0.1.0 stored are one account after the migration, unless two accounts have them', async () => {
    const [free, taken] = ['frée@example.org', 'takén@example.org']
    await storeEarlier(free.normalize('NFD'), password)
    await storeEarlier(taken.normalize('NFD'), password)
    await storeEarlier(taken.normalize('NFC'), other)
    const accounts = await server.database.read.selectFrom('accounts').select(['email', 'user_id']).execute()
    const others = accounts.filter(({ email }) => !isComposed(email))
    await server.database.write((db) => composeEmails(db, others))
    for (const form of forms) {
      expect(await login(free.normalize(form), password)).toBe(200)
      expect(await login(taken.normalize(form), other)).toBe(200)
      for (const email of [free, taken]) expect(await register(email.normalize(form), password)).toBe(409)
    }
    expect(await login(taken.normalize('NFD'), password)).toBe(200)
    expect(await login(taken.normalize('NFC'), password)).toBe(401)
    const body = { email: free, password }
    const { token } = (await server.call('POST /user/login', { body })).json
    expect((await server.call('POST /user/deleteAccount', { token, body: { password } })).status).toBe(200)
    expect(await register(free.normalize('NFD'), password)).toBe(200)
  })
})

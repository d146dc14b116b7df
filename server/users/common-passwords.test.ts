import { expect, test } from 'vitest'
import { fieldErrorOf } from '../testing/field-error.ts'
import { allRows } from '../testing/rows.ts'
import { setAccount } from '../testing/stored-rows.ts'
import { onEveryServer } from '../testing/test-server.ts'
import { hashPassword } from './password.ts'

const message = 'must be harder to guess: it is one of the 3,000 most common passwords'
const common = ['12345678', 'password', 'PassWord', 'qwertyuiop', '1234567890', 'trustno1', 'Iloveyou']

onEveryServer('the most common passwords', ({ server }) => {
  const register = (password: string, email = 'ada@example.org') =>
    server.call('POST /user/register', { body: { name: 'Ada', email, password } })

  test.each(common)('%s is rejected at sign-up with its field, and changes nothing', async (password) => {
    const before = await allRows(server.database)
    expect(fieldErrorOf(await register(password))).toEqual([400, 'password', message])
    expect(await allRows(server.database)).toEqual(before)
  })

  test('one is rejected as a new password with its field, and changes nothing', async () => {
    const user = await server.newUser()
    const before = await allRows(server.database)
    const body = { currentPassword: user.password, newPassword: 'Password1' }
    const refused = await user.call('POST /user/changePassword', { body })
    expect(fieldErrorOf(refused)).toEqual([400, 'newPassword', message])
    expect(await allRows(server.database)).toEqual(before)
  })

  test('an account that already has one can still log in', async () => {
    const user = await server.newUser()
    const passwordHash = await hashPassword('password', '127.0.0.1')
    await setAccount(server.database, user.id, { password_hash: passwordHash })
    const body = { email: user.email, password: 'password' }
    expect((await server.call('POST /user/login', { body })).status).toBe(200)
  })

  test('one with additions, or in a sentence, is accepted', async () => {
    for (const [i, password] of ['password of mine', '12345678 and on', 'xkqwertyuiopxk'].entries()) {
      expect((await register(password, `someone-${i}@example.org`)).status).toBe(200)
    }
  })
})

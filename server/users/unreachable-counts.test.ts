import { expect, test, vi } from 'vitest'
import { onPostgres } from '../testing/engines.ts'
import { many } from '../testing/many-clients.ts'
import { serverForEach } from '../testing/test-server.ts'

// These tests count guesses, so hashing is replaced by a fast function.
vi.mock('@node-rs/argon2', () => import('../testing/fast-hashing.ts'))

const [password, wrong] = ['a long enough password', 'a wrong password']

const server = serverForEach('postgres')

/** Makes a table fail like one whose worker does not run: reads by a view, changes by its trigger. */
const breaking = (table: string, code: string) => `
  create function unreachable() returns boolean language plpgsql stable as
    $$ begin raise exception 'connection to the remote node failed' using errcode = '${code}'; end $$;
  create function refuse() returns trigger language plpgsql as $$ begin perform unreachable(); return null; end $$;
  create trigger refuse before insert or update or delete on ${table} for each statement execute function refuse();
  alter table ${table} rename to stored_${table};
  create view ${table} as select * from stored_${table} where unreachable()`

const post = async (path: string, body: object, from = '198.51.100.1', token = '') =>
  (await server.call(`POST /user/${path}`, { body, from, token })).status
const login = (email: string, password: string, from?: string) => post('login', { email, password }, from)

test.each(['08006', '57P01', 'XX000'])(
  'while the counts of networks cannot be reached (%s), everybody logs in, signs up and deletes accounts, and guesses at an account are limited as before',
  async (code) => {
    const [owner, other] = [await server.newUser(), await server.newUser()]
    await onPostgres(server.url, breaking('attempts', code))
    expect(await login(owner.email, password)).toBe(200)
    expect(await post('register', { name: 'Ada', email: 'new@example.org', password })).toBe(200)
    expect(await post('deleteAccount', { password }, '198.51.100.1', other.token)).toBe(200)
    for (const email of [owner.email, 'nobody@example.org']) {
      const statuses = await Promise.all(many(20, () => login(email, wrong, '203.0.113.1')))
      expect(statuses.filter((status) => status === 401)).toHaveLength(10)
      expect(new Set(statuses)).toEqual(new Set([401, 429]))
      expect(await login(email, password, '203.0.113.1')).toBe(429)
    }
    expect(await login(owner.email, password)).toBe(200)
  },
)

test('while the counts of an account cannot be reached, no password of it is checked', async () => {
  const { email, token } = await server.newUser()
  await onPostgres(server.url, breaking('guesses', '08006'))
  expect(await login(email, password)).toBe(503)
  expect(await login(email, wrong)).toBe(503)
  expect(await post('deleteAccount', { password }, '198.51.100.1', token)).toBe(503)
})

test('a count of a network that was reached only later is not lowered by the login that it did not count', async () => {
  const { email } = await server.newUser()
  expect(await login('nobody@example.org', wrong)).toBe(401)
  const network = () => onPostgres(server.url, `select count from attempts where key like 'login network %'`)
  // Only this transaction fails: that which counts the guess.
  await onPostgres(
    server.url,
    `create sequence changes_of_counts;
    create function fail_once() returns trigger language plpgsql as $$ begin
      if nextval('changes_of_counts') = 1 then raise exception 'not reached' using errcode = '08006'; end if; return null; end $$;
    create trigger fail_once before insert on attempts for each statement execute function fail_once()`,
  )
  expect(await login(email, password)).toBe(200)
  expect(await network()).toEqual([{ count: 1 }])
})

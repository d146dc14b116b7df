import { expect, test, vi } from 'vitest'
import { onEveryEngine } from '../testing/engines.ts'
import { accountRaces, distances, newPassword } from './account-races.ts'

// These tests are about interleaving in the database, so hashing is replaced by a fast function.
vi.mock('@node-rs/argon2', () => import('../testing/fast-hashing.ts'))

const hour = 3_600_000

onEveryEngine('of two concurrent calls of one account', (engine) => {
  const races = accountRaces(engine)
  const { newAccount, send, login, register, change, remove, anotherSession } = races
  const { write, isValid, logsIn, countOf, usersOf, after, race } = races

  test('a login with the old password leaves no session after a password change', () =>
    race(
      async (account) => [() => login(account), () => change(account, account.token)],
      async (account, [loggedIn, changed]) => {
        expect([200, 401]).toContain(loggedIn)
        expect(changed).toBe(200)
        expect([await countOf('sessions', account), await isValid(account.token)]).toEqual([1, true])
      },
    ))

  test('a login during account deletion is rejected, or its session is deleted', () =>
    race(
      async (account) => [() => login(account), () => remove(account, account.token)],
      async (account, [loggedIn, removed]) => {
        expect([200, 401]).toContain(loggedIn)
        expect(removed).toBe(200)
        expect([await countOf('sessions', account), await usersOf(account.email)]).toEqual([0, 0])
      },
    ))

  test('two logins leave at most twenty sessions', () =>
    race(
      async (account) => {
        await write(async (db) => {
          const session = { user_id: account.id, created_at: Date.now() - hour, last_used_at: Date.now() }
          const hashes = Array.from({ length: 19 }, (_, i) => `${account.id} ${i}`)
          const rows = hashes.map((token_hash) => ({ ...session, token_hash }))
          await db.insertInto('sessions').values(rows).execute()
        })
        return [() => login(account), () => login(account)]
      },
      async (account, statuses) => {
        expect(statuses).toEqual([200, 200])
        expect(await countOf('sessions', account)).toBe(20)
      },
    ))

  test('one password change succeeds, and only the session that made it remains', () =>
    race(
      async (account) => {
        const second = await anotherSession(account)
        return [() => change(account, account.token, 'the first of two'), () => change(account, second)]
      },
      async (account, statuses) => {
        expect(statuses.filter((status) => status === 200)).toHaveLength(1)
        const [firstWon] = statuses.map((status) => status === 200)
        expect([await countOf('sessions', account), await isValid(account.token)]).toEqual([1, firstWon])
        expect(await logsIn(account.email, firstWon ? 'the first of two' : newPassword)).toBe(true)
      },
    ))

  test('a password change and an account deletion leave the state of the one that succeeded', () =>
    race(
      async (account) => {
        const second = await anotherSession(account)
        return [() => change(account, account.token), () => remove(account, second)]
      },
      async (account, [changed, removed]) => {
        if (removed === 200) {
          expect([200, 401]).toContain(changed)
          expect([await countOf('sessions', account), await usersOf(account.email)]).toEqual([0, 0])
          return
        }
        expect([changed, [400, 401].includes(removed)]).toEqual([200, true])
        expect([await countOf('sessions', account), await isValid(account.token)]).toEqual([1, true])
        expect(await logsIn(account.email, newPassword)).toBe(true)
      },
    ))

  test('one account deletion succeeds, and the other gets a 401', () =>
    race(
      async (account) => {
        const second = await anotherSession(account)
        return [() => remove(account, account.token), () => remove(account, second)]
      },
      async (account, statuses) => {
        expect(statuses.toSorted()).toEqual([200, 401])
        expect([await countOf('sessions', account), await usersOf(account.email)]).toEqual([0, 0])
      },
    ))

  test('one registration of an email succeeds, and the other gets a 409', () =>
    race(
      async ({ id }) => [() => register(`${id}@example.com`), () => register(`${id}@example.com`)],
      async ({ id }, statuses) => {
        expect(statuses.toSorted()).toEqual([200, 409])
        expect(await usersOf(`${id}@example.com`)).toBe(1)
      },
    ))

  test('a registration with the email of an account in deletion is rejected or creates a new account', () =>
    race(
      async (account) => [() => register(account.email), () => remove(account, account.token)],
      async (account, [registered, removed]) => {
        expect([[200, 409].includes(registered), removed]).toEqual([true, 200])
        expect(await logsIn(account.email, account.password)).toBe(false)
        expect(await logsIn(account.email, newPassword)).toBe(registered === 200)
      },
    ))

  test('a logout ends the session that another call uses', () =>
    race(
      async (account) => {
        // An old last use makes the server update the row that the logout deletes.
        const used = { last_used_at: Date.now() - 2 * hour }
        await write((db) => db.updateTable('sessions').set(used).where('user_id', '=', account.id).execute())
        return [
          () => send('POST /user/logout', account.token),
          () => send('GET /list/getLatestTasks', account.token),
        ]
      },
      async (account, [loggedOut, listed]) => {
        expect([loggedOut, [200, 401].includes(listed)]).toEqual([200, true])
        expect([await countOf('sessions', account), await isValid(account.token)]).toEqual([0, false])
      },
    ))

  test('a logout leaves no session after a password change', () =>
    race(
      async (account) => [
        () => send('POST /user/logout', account.token),
        () => change(account, account.token),
      ],
      async (account, [loggedOut, changed]) => {
        expect([loggedOut, [200, 401].includes(changed)]).toEqual([200, true])
        expect(await countOf('sessions', account)).toBe(0)
      },
    ))

  const draft = { title: 'Water the plants', dueDate: '2026-11-21', priority: 'low' }
  test.each([
    ['added', (token: string) => send('POST /list/addTask', token, draft)],
    ['edited', (token: string, id: string) => send(`PUT /list/updateTask/${id}`, token, draft)],
    ['deleted', (token: string, id: string) => send(`DELETE /list/deleteTask/${id}`, token)],
  ])('a task that is %s during account deletion is deleted with the account', async (_, act) => {
    await race(
      async (account) => {
        const { _id } = await account.addTask()
        return [() => act(account.token, _id), () => remove(account, account.token)]
      },
      async (account, [acted, removed]) => {
        expect([200, 401, 404]).toContain(acted)
        expect(removed).toBe(200)
        await expect.poll(() => countOf('tasks', account)).toBe(0)
      },
    )
  })

  test('no combination of calls gets a 500, and a deletion leaves nothing', async () => {
    for (const seed of distances) {
      const account = await newAccount()
      const { _id } = await account.addTask()
      const others = [await anotherSession(account), await anotherSession(account)] as const
      const removal = () => remove(account, account.token)
      const racers = [
        ...[removal, () => login(account), () => login(account), () => change(account, others[0])],
        ...[() => change(account, others[1], 'a third password'), () => register(account.email)],
        () => send('POST /user/logout', others[1]),
        () => send('POST /list/addTask', account.token, draft),
        () => send(`PUT /list/updateTask/${_id}`, account.token, draft),
        () => send(`DELETE /list/deleteTask/${_id}`, others[0]),
        () => send('GET /list/getLatestTasks', others[1]),
      ]
      const [removed, ...statuses] = await Promise.all(
        // The order differs for each seed: the factors and the number of calls are coprime.
        racers.map((racer, index) => after((index * 5 + (seed + 16) * 3) % racers.length, racer)),
      )
      expect(Math.max(removed ?? 500, ...statuses)).toBeLessThan(500)
      if (removed !== 200) continue
      expect(await countOf('sessions', account)).toBe(0)
      await expect.poll(() => countOf('tasks', account)).toBe(0)
    }
  })
})

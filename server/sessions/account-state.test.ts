import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../new-id.ts'
import { startTestServer } from '../testing/test-server.ts'
import { newToken } from './token.ts'

test('many invented tokens at once ask all parts of the database one question at a time', async () => {
  const server = await startTestServer('postgres')
  await server.newUser()
  let [asked, running, most] = [0, 0, 0]
  const { query } = pg.Client.prototype
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [first] = given as [string | { text: string }]
    const isOfAll = /"closed_at" is null limit/.test(typeof first === 'string' ? first : first.text)
    if (isOfAll) {
      asked += 1
      running += 1
      most = Math.max(most, running)
    }
    try {
      return await query.apply(this, given as Parameters<typeof query>)
    } finally {
      if (isOfAll) running -= 1
    }
  } as typeof query)
  onTestFinished(async () => {
    spy.mockRestore()
    await server.close()
  })
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => server.call('GET /settings', { token: newToken(newId()) })),
  )
  expect(new Set(answers.map(({ json }) => json.code))).toEqual(new Set(['account-gone']))
  expect([asked > 0, most]).toEqual([true, 1])
})

import { expect, test } from 'vitest'
import { newId } from '../new-id.ts'
import { watchQueries } from '../testing/postgres-queries.ts'
import { serverForTest } from '../testing/test-server.ts'
import { newToken } from './token.ts'

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
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => server.call('GET /settings', { token: newToken(newId()) })),
  )
  expect(new Set(answers.map(({ json }) => json.code))).toEqual(new Set(['account-gone']))
  expect([asked > 0, most]).toEqual([true, 1])
})

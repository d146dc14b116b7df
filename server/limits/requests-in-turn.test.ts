import { expect, onTestFinished, test, vi } from 'vitest'
import { apiBase } from '#contract/limits.ts'
import { inEachTurn, listenTo } from '../testing/event-loop.ts'
import { many } from '../testing/many-clients.ts'
import { bearer, eventually, gets, listen, openRawClient } from '../testing/raw-client.ts'
import { serverForTest } from '../testing/test-server.ts'
import { accountGroupOf, claimIn } from './requests-in-turn.ts'

test('Requests that arrive in one turn are all processed before the first response is sent', async () => {
  const { app, newUser } = await serverForTest('sqlite')
  await listen(app)
  const request = gets(`${apiBase}/list/getLatestTasks`, 1, bearer(await newUser()))
  const clients = await Promise.all([1, 2, 3].map(() => openRawClient(app)))
  const askAll = async () => {
    await Promise.all(clients.map((client) => client.send(request)))
    await Promise.all(clients.map((client) => client.read(client.bytes() + 1)))
  }
  // Afterwards the server has accepted all connections.
  await askAll()
  const events: string[] = []
  inEachTurn(() => events.push('|'))
  listenTo('http.server.request.start', () => events.push('s'))
  listenTo('http.server.response.finish', () => events.push('f'))

  // However slow this machine is, no turn uses up its time.
  const time = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(time)
  await askAll()
  clock.mockRestore()
  expect(events.filter((event) => event !== '|').toSorted()).toEqual([...'fffsss'])
  // The requests arrive in one turn or in several. A turn ends before or after its mark, so responses of the turn before can
  // precede its requests.
  for (const turn of events.join('').split('|')) expect(turn).toMatch(/^f*s*f*$/)
  expect(clients.flatMap((client) => client.statuses())).toEqual(Array(6).fill(200))
})

test('A response that cannot be sent closes its connection and affects no other', async () => {
  const { app } = await serverForTest('sqlite')
  app.get('/broken', (_request, reply) => {
    reply.raw.writeHead(200)
    return reply.send('The headers are sent again, which throws.')
  })
  await listen(app)
  const [broken, whole] = [await openRawClient(app), await openRawClient(app)]
  await Promise.all([broken.send(gets('/broken')), whole.send(gets('/readyz'))])
  expect(await broken.readToEnd()).toBe('')
  await whole.read(1)
  expect(whole.statuses()).toEqual([200])
})

test('The accounts that requests claim form a limited number of groups, and one account is always in the same group', () => {
  const address = '192.0.2.1'
  const claims = many(10_000, (number) => `Bearer ${number}`.padEnd(28, 'x'))
  const groups = new Set(claims.map((claim) => accountGroupOf(address, claim)))
  expect(groups.size).toBe(256)
  expect(accountGroupOf(address, `${claims[0]} and its secret`)).toBe(accountGroupOf(address, claims[0]))
  const token = 'x'.repeat(64)
  const byAddress = claimIn({}, `/feed/${token}.ics?done=true`)
  const byHeader = claimIn({ authorization: `Bearer ${token}` }, '/api/v1/settings')
  expect(accountGroupOf(address, byAddress)).toBe(accountGroupOf(address, byHeader))
})

test('Long responses that are begun together are made and sent one after another', async () => {
  const server = await serverForTest('sqlite')
  const events: string[] = []
  let time = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => time)
  onTestFinished(() => clock.mockRestore())
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let arrived = 0
  server.app.get('/long', async (_request, { raw: response }) => {
    const { end } = response
    response.end = (...given: unknown[]) => {
      events.push('sent')
      return Reflect.apply(end, response, given)
    }
    arrived++
    await released
    return {
      toJSON() {
        events.push('made')
        // Each uses up the time of its turn.
        time += 100
        return 'x'.repeat(100_000)
      },
    }
  })
  const answers = many(4, () => server.app.inject('/long'))
  await eventually(() => arrived).toBe(4)
  release()
  for (const { statusCode } of await Promise.all(answers)) expect(statusCode).toBe(200)
  expect(events).toEqual(many(4, () => ['made', 'sent']).flat())
})

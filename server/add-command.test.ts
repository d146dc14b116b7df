import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from './testing/free-port.ts'
import { expectRefused, runProgram } from './testing/run-program.ts'
import { serverForAll, type TestUser } from './testing/test-server.ts'

const server = serverForAll('sqlite')
let user: TestUser
let address: string
let token: string
beforeAll(async () => {
  address = await server.app.listen({ host: '127.0.0.1', port: 0 })
  user = await server.newUser()
  token = await newToken('add')
})

const newToken = async (scope: string) =>
  (await user.call('POST /tokens', { body: { name: 'Laptop script', scope } })).json.token

const run = (args: string[], environment: Record<string, string> = {}) =>
  runProgram('add-command.ts', args, {
    ...{ LC_ALL: 'en_US.UTF-8', DAYMARK_SERVER: address, DAYMARK_TOKEN: token },
    ...environment,
  })
/** Starts to listen until the test ends. */
async function originOf(other: Server) {
  onTestFinished(() => void other.close())
  await once(other.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(other.address() as AddressInfo).port}`
}

const newest = async () => (await user.call('GET /list/getLatestTasks?limit=1')).json.lists[0]

test('the command add reads a line as the quick line does, in the language of its environment, and says what it added', async () => {
  for (const [words, environment, sentence, fields] of [
    [
      ['Pay rent on 24 December 2090 at 9am !high'],
      {},
      'Added "Pay rent": due on Sunday, 24 December 2090 at 09:00, high priority.\n',
      { title: 'Pay rent', dueDate: '2090-12-24', dueTime: '09:00', priority: 'high', repeat: null },
    ],
    [
      ['Miete', 'zahlen', 'am 24.12.2090 um 9 Uhr'],
      { LC_ALL: 'de_DE.UTF-8' },
      'Added "Miete zahlen": due on Sunday, 24 December 2090 at 09:00, medium priority.\n',
      { title: 'Miete zahlen', dueDate: '2090-12-24', dueTime: '09:00' },
    ],
    [
      ['Order firewood someday p4'],
      {},
      'Added "Order firewood": without a date, low priority.\n',
      { title: 'Order firewood', dueDate: null, priority: 'low' },
    ],
    [
      ['Bins every month on the 31st from 1 December 2090, remind me at 8pm'],
      {},
      /^Added "Bins": due on Sunday, 31 December 2090, medium priority, repeated by the rule \S+, with the reminder 0d20:00\.\n$/,
      { title: 'Bins', dueDate: '2090-12-31', repeat: expect.any(String), reminders: '0d20:00' },
    ],
  ] as const) {
    const { code, stdout, stderr } = await run([...words], environment)
    expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(sentence), ''])
    expect(await newest()).toMatchObject(fields)
  }
})

test('the command add makes a task for today, on the clock of its machine, of a line without a day', async () => {
  const zone = { TZ: 'Pacific/Kiritimati' }
  const today = () => new Date().toLocaleDateString('sv', { timeZone: zone.TZ })
  const [before, , after] = [today(), await run(['Water the plants'], zone), today()]
  expect([before, after]).toContain((await newest())?.dueDate)
})

test.each([
  ['the first response is lost', 'Once', false],
  ['the first response ends early', 'Once more', true],
])('the command add adds one task if %s', async (_, title, hasBegun) => {
  const keys: (string | undefined)[] = []
  const lossy = createServer(async (request, response) => {
    const { authorization = '', 'idempotency-key': key = '' } = request.headers as Record<string, string>
    keys.push(key)
    const answered = await fetch(address + request.url, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': key },
      body: await text(request),
    })
    if (keys.length === 1) {
      if (hasBegun) response.writeHead(answered.status, { 'content-length': 1000 }).write('{')
      setImmediate(() => request.socket.destroy())
    } else
      response.writeHead(answered.status, { 'content-type': 'application/json' }).end(await answered.text())
  })
  const { code, stdout } = await run([title], { DAYMARK_SERVER: await originOf(lossy) })
  expect([code, stdout]).toEqual([0, expect.stringContaining(`Added "${title}"`)])
  expect(keys).toEqual([expect.any(String), keys[0]])
  const { lists } = (await user.call('GET /list/getLatestTasks')).json
  expect(lists.filter((task) => task.title === title)).toHaveLength(1)
})

test('the command add says in one line why it added nothing, and ends with 1', async () => {
  const read = await newToken('read')
  const before = await newest()
  const other = createServer((_, response) => response.end('<title>Log in</title>'))
  const wrong = await originOf(other)
  const closed = `http://127.0.0.1:${await freePort()}`
  for (const [args, environment, message] of [
    [[], {}, /^Name the task, as in: add/],
    [['Milk'], { DAYMARK_TOKEN: '' }, /^DAYMARK_TOKEN or --token must be a token/],
    [['Milk', '--token', 'two words'], {}, /^DAYMARK_TOKEN or --token must be a token/],
    [['Milk'], { DAYMARK_SERVER: '' }, /^DAYMARK_SERVER or --server must be the address of a server/],
    [['Milk', '--server', 'file:///etc'], {}, /^DAYMARK_SERVER or --server must be/],
    [['Milk', '--server', closed], {}, /^No response from http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/],
    [['Milk', '--server', wrong], {}, /is not a Daymark server: it responded with the status 200\.$/m],
    [['Milk', '--servr', 'x'], {}, /^There is no option '--servr'\. Is --server meant\?$/m],
    [
      ['Milk'],
      { DAYMARK_TOKEN: 'guessed' },
      /^The token is not valid, or no longer: make one under Account at http/,
    ],
    [['Milk'], { DAYMARK_TOKEN: read }, /token/],
    [['x'.repeat(501)], {}, /^title must/],
  ] as const) {
    expectRefused(await run([...args], environment), message)
  }
  expect(await newest()).toEqual(before)
})

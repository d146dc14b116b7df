import { randomUUID } from 'node:crypto'
import { apiBase } from '#contract/limits.ts'
import { openConnection } from './connection.ts'
import { type DayCall, learn, type Person, recordedDay, requestOf } from './day-session.ts'
import { median, ratio } from './load.ts'
import { processorTime } from './process.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { engines, type Server, start, startDaymark } from './servers.ts'

const userCount = Number(process.env.BENCH_USERS ?? 1500)

/** At most half of the users, so that no user has two calls at a time. */
const connectionCount = Math.max(1, Math.min(32, Math.floor(userCount / 2)))

/** How many calls each user makes in a round. */
const callsEach = 8

/** Compares the calls that the page makes in a day, of 1,500 users, each at another moment of it, with a bare `node:http` server. */
export async function day(rounds: number) {
  for (const [engine, withDatabase] of engines()) await withDatabase((url) => compare(engine, url, rounds))
}

async function compare(engine: string, url: URL, rounds: number) {
  section(`The day of ${userCount.toLocaleString('en')} users, ${engine}, ${connectionCount} connections`)
  const { opening, all } = await recordedDay()
  const tokens = await seed(url, Array(userCount).fill(75))
  const daymark = await startDaymark(url)
  const people: Person[] = []
  for (const token of tokens) people.push(await meet(daymark.base, token))
  const openings = people.map(() => opening)
  const began = await play(daymark, people, openings, true)
  const floor = await start('floor.ts', { ANSWER: JSON.stringify({ text: 'x'.repeat(began.bytesPerCall) }) })

  const moments = people.map((_, index) => index % all.length)
  const nextCalls = () =>
    moments.map((moment, index) => {
      moments[index] = moment + callsEach
      return Array.from({ length: callsEach }, (_, step) => all[(moment + step) % all.length] as DayCall)
    })
  const results = { floor: [] as Played[], daymark: [] as Played[] }
  // The first round only warms up.
  for (let round = 0; round <= rounds; round++) {
    const calls = nextCalls()
    const [bare, real] = [await play(floor, people, calls, false), await play(daymark, people, calls, true)]
    if (round === 0) continue
    results.floor.push(bare)
    results.daymark.push(real)
  }
  const of = (server: keyof typeof results, what: keyof Played) => results[server].map((each) => each[what])
  const rate = (values: number[]) => `${median(values).toFixed(0)}/s`
  const share = (some: number[], all: number[]) => ratio(some, all).toFixed(3)
  const time = (values: number[]) => `${(median(values) * 1000).toFixed(0)} µs`
  row(`opening all dashboards after the start, ${opening.length} calls each`, rate([began.perSecond]))
  row('bare node:http', rate(of('floor', 'perSecond')))
  row('Daymark', rate(of('daymark', 'perSecond')))
  row('Daymark, of bare node:http', share(of('daymark', 'perSecond'), of('floor', 'perSecond')))
  row('processor time of a call, bare node:http', time(of('floor', 'serverTime')))
  row('processor time of a call, Daymark', time(of('daymark', 'serverTime')))
  row(
    'processor time, bare node:http of Daymark',
    share(of('floor', 'serverTime'), of('daymark', 'serverTime')),
  )
  row('processor time of a call in the client, bare node:http', time(of('floor', 'clientTime')))
  row('processor time of a call in the client, Daymark', time(of('daymark', 'clientTime')))
  row('bytes of a response', median(of('daymark', 'bytesPerCall')).toFixed(0))
  for (const { stream } of people) stream?.close()
  await Promise.all([daymark.stop(), floor.stop()])
}

/** Gives a user a note, because a day may begin after the moment at which the recorded one was written. */
async function meet(base: string, token: string): Promise<Person> {
  const call = async (path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    return await (await fetch(base + apiBase + path, request)).json()
  }
  const set = { text: 'Meeting with Ann\n\nThe delivery comes in March.' }
  const changes = [{ mutation: randomUUID(), item: randomUUID(), kind: 'note', base: 0, set }]
  const { items, cursor } = await call('/changes', { changes })
  const { lists: tasks } = await call('/list/getLatestTasks')
  return { token, tasks, note: items[0].item, newest: cursor, before: cursor }
}

/** Times are in milliseconds of processor time per call. */
type Played = { perSecond: number; serverTime: number; clientTime: number; bytesPerCall: number }

/**
 * Makes the calls of all users in turns: first the first call of each, then the second one. Without `isReal` the server
 * is the baseline, whose answers contain no values for later calls.
 */
async function play(server: Server, people: Person[], calls: DayCall[][], isReal: boolean): Promise<Played> {
  const jobs = (calls[0] ?? []).flatMap((_, step) =>
    people.map((person, index) => ({ person, call: calls[index]?.[step] as DayCall })),
  )
  const count = jobs.length
  let bytes = 0
  const [used, client, began] = [await processorTime(server.pid), process.cpuUsage(), performance.now()]
  const queue = jobs.values()
  const workers = Array.from({ length: connectionCount }, async () => {
    const connection = openConnection(server.base)
    for (const { person, call } of queue) {
      const isStream = isReal && call.call === 'GET /changes/stream'
      if (isStream) {
        person.stream?.close()
        person.stream = openConnection(server.base)
      }
      const answer = await (isStream ? person.stream : connection)?.send(requestOf(call, person))
      if (answer?.status !== 200) throw new Error(`${call.call}: ${answer?.status} ${answer?.body()}`)
      bytes += answer.bytes
      if (isReal) learn(person, call, answer)
    }
    connection.close()
  })
  await Promise.all(workers)
  const { user, system } = process.cpuUsage(client)
  return {
    perSecond: (count / (performance.now() - began)) * 1000,
    serverTime: ((await processorTime(server.pid)) - used) / count,
    clientTime: (user + system) / 1000 / count,
    bytesPerCall: Math.round(bytes / count),
  }
}

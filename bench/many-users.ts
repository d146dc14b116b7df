import { setTimeout as delay } from 'node:timers/promises'
import { inTurns, median, ratio } from './load.ts'
import { memory } from './process.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { start, startDaymark, withSqliteFile } from './servers.ts'
import { loadOfUsers } from './wrk.ts'

const userCount = 1500

/** Enough for every list to contain 25. */
const tasksEach = 75

/** Compares the calls of 1,500 users in random order with a bare `node:http` server that sends as many bytes. */
export async function manyUsers(rounds: number) {
  section('1,500 users in random order, SQLite, 32 connections of wrk')
  await withSqliteFile(async (url) => {
    const [reader, ...writers] = (await seed(url, Array(userCount).fill(tasksEach))) as [string, ...string[]]
    const daymark = await startDaymark(url)
    const get = async (path: string) => {
      const headers = { authorization: `Bearer ${reader}` }
      return await (await fetch(`${daymark.base}/api/v1${path}`, { headers })).json()
    }
    const list = await get('/list/getLatestTasks?limit=20')
    const { cursor } = await get('/changes')
    const listFloor = await start('floor.ts', { ANSWER: JSON.stringify(list) })
    const createFloor = await start('floor.ts', { ANSWER: JSON.stringify({ task: list.lists[0] }) })
    const results = await inTurns(rounds, {
      listFloor: () => loadOfUsers(listFloor.base, 'keptLists', writers),
      kept: () => loadOfUsers(daymark.base, 'keptLists', [reader]),
      cold: () => loadOfUsers(daymark.base, 'coldLists', writers),
      quietDeltas: () => loadOfUsers(daymark.base, 'quietDeltas', [`${reader} ${cursor}`]),
      createFloor: () => loadOfUsers(createFloor.base, 'creates', writers),
      creates: () => loadOfUsers(daymark.base, 'creates', writers),
      // Each round has its own user, so that no user reaches the limit of tasks.
      ofOneUser: () => loadOfUsers(daymark.base, 'creates', [writers.pop() as string]),
    })
    const memoryAfter = await memory(daymark.pid)
    await delay(30_000)
    const memoryLater = await memory(daymark.pid)
    const rate = (of: number[]) => `${median(of).toFixed(0)}/s`
    row('bare node:http, a list of 20', rate(results.listFloor))
    row('cached lists of 20 of one user', rate(results.kept))
    row('lists of 15 to 25, hardly any cached', rate(results.cold))
    row('deltas of one user without changes', rate(results.quietDeltas))
    row('bare node:http, a task', rate(results.createFloor))
    row('creates', rate(results.creates))
    row('creates of one user', rate(results.ofOneUser))
    row('cached lists, of bare node:http (at least 0.25)', ratio(results.kept, results.listFloor))
    row(
      'lists that are not cached, of bare node:http (at least 0.12)',
      ratio(results.cold, results.listFloor),
    )
    row('deltas without changes, of cached lists (at least 1)', ratio(results.quietDeltas, results.kept))
    row('creates, of bare node:http (at least 0.08)', ratio(results.creates, results.createFloor))
    row('creates of one user, of bare node:http', ratio(results.ofOneUser, results.createFloor))
    row('resident memory after the last round', `${memoryAfter.toFixed(0)} MB`)
    row('resident memory 30 seconds later (at most 150 MB)', `${memoryLater.toFixed(0)} MB`)
    await Promise.all([daymark, listFloor, createFloor].map((server) => server.stop()))
  })
}

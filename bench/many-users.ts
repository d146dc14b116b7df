import { inTurns, median, ratio } from './load.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { start, startDaymark, withSqliteFile } from './servers.ts'
import { loadOfUsers } from './wrk.ts'

const userCount = 1500

/** Enough for every list to hold 25. */
const tasksEach = 75

/** Compares the calls of 1,500 users in random order with a bare `node:http` server that sends as many bytes. */
export async function manyUsers(rounds: number) {
  section('1,500 users in random order, SQLite, loaded by wrk on 32 connections')
  await withSqliteFile(async (url) => {
    const tokens = await seed(url, Array(userCount).fill(tasksEach))
    const daymark = await startDaymark(url)
    const authorization = `Bearer ${tokens[0]}`
    const path = '/api/v1/list/getLatestTasks?limit=20'
    const list = await (await fetch(daymark.base + path, { headers: { authorization } })).text()
    const task = JSON.stringify({ task: JSON.parse(list).lists[0] })
    const floors = {
      lists: await start('floor.ts', { ANSWER: list }),
      creates: await start('floor.ts', { ANSWER: task }),
    }
    const [one] = tokens as [string]
    const results = await inTurns(rounds, {
      listFloor: () => loadOfUsers(floors.lists.base, 'keptLists', tokens),
      keptLists: () => loadOfUsers(daymark.base, 'keptLists', [one]),
      coldLists: () => loadOfUsers(daymark.base, 'coldLists', tokens),
      createFloor: () => loadOfUsers(floors.creates.base, 'creates', tokens),
      creates: () => loadOfUsers(daymark.base, 'creates', tokens),
    })
    const rate = (of: keyof typeof results) => `${median(results[of]).toFixed(0)}/s`
    row('bare node:http, the bytes of a list of 20', rate('listFloor'))
    row('lists of 20 of one user, cached', rate('keptLists'))
    row('lists of 15 to 25, hardly any cached', rate('coldLists'))
    row('ratio of cached lists to bare node:http', ratio(results.keptLists, results.listFloor))
    row('ratio of lists that are not cached (at least 0.12)', ratio(results.coldLists, results.listFloor))
    row('bare node:http, the bytes of a task', rate('createFloor'))
    row('creates', rate('creates'))
    row('ratio of creates to bare node:http (at least 0.11)', ratio(results.creates, results.createFloor))
    await Promise.all([daymark, ...Object.values(floors)].map((server) => server.stop()))
  })
}

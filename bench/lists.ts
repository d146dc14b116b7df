import { lists as taskLists } from '#contract/lists.ts'
import { openDatabase } from '../server/database/open-database.ts'
import { findSession } from '../server/sessions/session-queries.ts'
import { sessionKeyOf } from '../server/sessions/token.ts'
import { listQuery } from '../server/tasks/task-queries.ts'
import { inTurns, load, median, ratio } from './load.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { start, startDaymark, withSqliteFile } from './servers.ts'

const path = '/api/v1/list/getLatestTasks?limit=20'

/** Compares listing 20 tasks, including authentication, with a bare `node:http` server that sends the same bytes. */
export async function lists(rounds: number) {
  section('Lists of 20, SQLite')
  await withSqliteFile(async (url) => {
    const [many, few] = (await seed(url, [10_000, 20])) as [string, string]
    const daymark = await startDaymark(url)
    const ANSWER = await fetch(daymark.base + path, { headers: { authorization: `Bearer ${many}` } }).then(
      (r) => r.text(),
    )
    const floor = await start('floor.ts', { ANSWER })
    const rate = async (base: string, token: string) => (await load(base, { path, token })).requestsPerSecond
    const results = await inTurns(rounds, {
      floor: () => rate(floor.base, many),
      many: () => rate(daymark.base, many),
      few: () => rate(daymark.base, few),
    })
    row('bare node:http', `${median(results.floor).toFixed(0)}/s`)
    row('of a user who owns 10,000', `${median(results.many).toFixed(0)}/s`)
    row('ratio to bare node:http (at least 0.22)', ratio(results.many, results.floor))
    row('10,000 owned against 20 owned (at least 0.9)', ratio(results.many, results.few))
    await Promise.all([daymark.stop(), floor.stop()])
  })
}

/** Compares the same list in a large and in a small database. */
export async function growth(rounds: number) {
  section('Lists of 20 as the database grows, SQLite')
  await withSqliteFile((small) =>
    withSqliteFile(async (large) => {
      const [fewToken] = (await seed(small, [500, 500])) as [string]
      const [manyToken] = (await seed(large, Array(10).fill(100_000))) as [string]
      const [few, many] = [await startDaymark(small), await startDaymark(large)]
      const rate = async (base: string, token: string) =>
        (await load(base, { path, token })).requestsPerSecond
      const served = await inTurns(rounds, {
        many: () => rate(many.base, manyToken),
        few: () => rate(few.base, fewToken),
      })
      await Promise.all([few.stop(), many.stop()])
      row(
        '1,000,000 tasks, 100,000 owned, against 1,000 in all (at least 0.9)',
        ratio(served.many, served.few),
      )

      // The server caches list responses; this measures the queries without the cache.
      const [fewQueries, manyQueries] = [
        await listQueries(small, fewToken),
        await listQueries(large, manyToken),
      ]
      const asked = await inTurns(rounds, { many: manyQueries, few: fewQueries })
      row('the same, queries only', ratio(asked.many, asked.few))
    }),
  )
}

/** Returns a measurement of the list's query in this process, in queries per second. */
export async function listQueries(url: URL, token: string) {
  const { read } = await openDatabase(url)
  const findTasks = listQuery(taskLists.latest)
  const key = sessionKeyOf(token)
  const session = key && (await findSession(read, key, { idle: 1e9, max: 1e9 }, Date.now()))
  return async () => {
    const began = performance.now()
    for (let i = 0; i < 2000; i++) await findTasks(read, session?.userId ?? '', { today: '', limit: 20 })
    return 2_000_000 / (performance.now() - began)
  }
}

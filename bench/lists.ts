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

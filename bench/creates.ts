import { addTask, inTurns, load, median, ratio } from './load.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { start, startDaymark, withSqliteFile } from './servers.ts'

/** Compares acknowledged creates at `synchronous=FULL` with one commit per write and with a bare `node:http` server. */
export async function creates(rounds: number) {
  section('Acknowledged creates, SQLite at synchronous=FULL, 32 connections')
  await withSqliteFile((gathered) =>
    withSqliteFile(async (alone) => {
      const gatheredTokens = await seed(gathered, Array(rounds).fill(0))
      const aloneTokens = await seed(alone, Array(rounds).fill(0))
      const servers = {
        floor: await start('floor.ts', { ANSWER: addTask.body }),
        gathered: await startDaymark(gathered),
        alone: await start('commit-each-alone.ts', { DATABASE_URL: alone.href, LOG_LEVEL: 'silent' }),
      }
      // Each round has its own user, so that no user reaches the limit of tasks.
      const rate = async (base: string, token?: string) =>
        (await load(base, { ...addTask, ...(token ? { token } : {}) })).requestsPerSecond
      const results = await inTurns(rounds, {
        floor: () => rate(servers.floor.base),
        gathered: () => rate(servers.gathered.base, gatheredTokens.pop()),
        alone: () => rate(servers.alone.base, aloneTokens.pop()),
      })
      row('bare node:http', `${median(results.floor).toFixed(0)}/s`)
      row('Daymark', `${median(results.gathered).toFixed(0)}/s`)
      row('Daymark, each write committed alone', `${median(results.alone).toFixed(0)}/s`)
      row('ratio to committing each alone (at least 3)', ratio(results.gathered, results.alone))
      row('ratio to bare node:http', ratio(results.gathered, results.floor))
      await Promise.all(Object.values(servers).map((server) => server.stop()))
    }),
  )
}

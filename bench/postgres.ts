import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createPostgresServer } from '../server/testing/postgres-server.ts'
import { addTask, inTurns, load, median, ratio } from './load.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { startDaymark } from './servers.ts'

const path = '/api/v1/list/getLatestTasks?limit=20'

/** Calls `work` with the URL of a database on a new PostgreSQL server, and removes the server afterwards. */
export async function withPostgres(work: (url: URL) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'daymark-bench-'))
  // When this runs as root, PostgreSQL runs as another user, which needs access to the folder.
  await chmod(folder, 0o755)
  const server = await createPostgresServer(folder)
  await server.start()
  await work(server.url('postgres'))
  await server.stop()
  await rm(folder, { recursive: true })
}

/** Compares list requests to the server with the same SQL through `pg` alone, with a concurrency of 32. */
export async function postgres(rounds: number) {
  section('Lists of 20, PostgreSQL')
  await withPostgres(async (url) => {
    const [token] = (await seed(url, [10_000])) as [string]
    const daymark = await startDaymark(url)
    const pool = new pg.Pool({ connectionString: url.href, max: 20 })
    const { rows } = await pool.query('select id from users')
    const results = await inTurns(rounds, {
      pg: () => queries(pool, rows[0].id),
      daymark: async () => (await load(daymark.base, { path, token })).requestsPerSecond,
    })
    row('the same SQL through pg, no HTTP', `${median(results.pg).toFixed(0)}/s`)
    row('Daymark', `${median(results.daymark).toFixed(0)}/s`)
    row('ratio (at least 0.5)', ratio(results.daymark, results.pg))
    await pool.end()
    await daymark.stop()
  })
}

/** Compares a server that keeps statements prepared with one that does not. */
export async function prepared(rounds: number) {
  section('POSTGRES_PREPARED=on against off, 32 connections')
  const calls = {
    'a cached list': { environment: {}, call: { path } },
    'a list that is not cached': { environment: { LIST_CACHE_SIZE: '1KiB' }, call: { path } },
    'a create': { environment: {}, call: addTask },
  } as const
  for (const [name, { environment, call }] of Object.entries(calls)) {
    await withPostgres(async (url) => {
      const [token] = (await seed(url, [1000])) as [string]
      const [off, on] = [
        await startDaymark(url, environment),
        await startDaymark(url, { ...environment, POSTGRES_PREPARED: 'on' }),
      ]
      const rate = async (base: string) => (await load(base, { ...call, token })).requestsPerSecond
      const results = await inTurns(rounds, { on: () => rate(on.base), off: () => rate(off.base) })
      row(name, `${median(results.on).toFixed(0)}/s, ${ratio(results.on, results.off)} of off`)
      await Promise.all([off.stop(), on.stop()])
    })
  }
}

const sessionSql = `select sessions.user_id, sessions.last_used_at, users.seq, users.head from sessions
  inner join users on users.id = sessions.user_id
  where sessions.user_id = $1 and sessions.created_at > $2 and sessions.last_used_at > $3`
const listSql = `select id, version, title, body, due_date, priority, created_at from tasks
  where user_id = $1 and done_at is null and deleted_at is null order by created_at desc, id desc limit $2`

/** Runs the queries of a list call with a concurrency of 32 for four seconds. Returns list calls per second. */
async function queries(pool: pg.Pool, userId: string) {
  const ends = Date.now() + 4000
  let answered = 0
  const repeat = async () => {
    while (Date.now() < ends) {
      await pool.query(sessionSql, [userId, 0, 0])
      await pool.query(listSql, [userId, 21])
      answered++
    }
  }
  await Promise.all(Array.from({ length: 32 }, repeat))
  return answered / 4
}

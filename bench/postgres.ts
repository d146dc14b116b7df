import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createPostgresServer } from '../server/testing/postgres-server.ts'
import { inTurns, load, median, ratio } from './load.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { startDaymark } from './servers.ts'

/** Compares list requests to the server with the same SQL through `pg` alone, with a concurrency of 32. */
export async function postgres(rounds: number) {
  section('Lists of 20, PostgreSQL')
  const folder = await mkdtemp(join(tmpdir(), 'daymark-bench-'))
  // When this runs as root, PostgreSQL runs as another user, which needs access to the folder.
  await chmod(folder, 0o755)
  const server = await createPostgresServer(folder)
  await server.start()
  const url = server.url('postgres')
  const [token] = (await seed(url, [10_000])) as [string]
  const daymark = await startDaymark(url)
  const pool = new pg.Pool({ connectionString: url.href, max: 20 })
  const { rows } = await pool.query('select id from users')
  const path = '/api/v1/list/getLatestTasks?limit=20'
  const results = await inTurns(rounds, {
    pg: () => queries(pool, rows[0].id),
    daymark: async () => (await load(daymark.base, { path, token })).requestsPerSecond,
  })
  row('the same SQL through pg, no HTTP', `${median(results.pg).toFixed(0)}/s`)
  row('Daymark', `${median(results.daymark).toFixed(0)}/s`)
  row('ratio (at least 0.5)', ratio(results.daymark, results.pg))
  await pool.end()
  await daymark.stop()
  await server.stop()
  await rm(folder, { recursive: true })
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

import { readFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { listQueries } from './lists.ts'
import { addTask, inTurns, load, median, ratio } from './load.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { startDaymark, withSqliteFile } from './servers.ts'

const users = 20
const changesPerTask = 5

/** The number of changes that a delta returns. */
const behind = 60

/** Compares a database of 1,000,000 tasks and 5,000,000 changes with one of 1,000 and 5,000. */
export async function longLog(rounds: number) {
  section('1,000,000 tasks and 5,000,000 changes against 1,000 and 5,000 (at least 0.9), SQLite')
  await withSqliteFile((small) =>
    withSqliteFile(async (large) => {
      const [few, many] = [await open(small, 50), await open(large, 50_000)]
      const compare = async (what: string, measure: (of: typeof few) => Promise<number>) => {
        const results = await inTurns(rounds, { many: () => measure(many), few: () => measure(few) })
        row(`${what}, ${median(results.many).toFixed(0)}/s`, ratio(results.many, results.few))
      }
      const get = (path: string) => async (of: typeof few) =>
        (await load(of.base, { path: `/api/v1${path}`, token: of.token })).requestsPerSecond
      await compare('cached lists', get('/list/getLatestTasks?limit=20'))
      await compare('list queries', (of) => of.queries())
      await compare('deltas without changes', (of) => get(`/changes?since=${of.head}`)(of))
      await compare(`deltas of ${behind} changes`, (of) => get(`/changes?since=${of.since}`)(of))
      await compare('creates', async (of) => {
        const add = { ...addTask, token: of.writers.pop() as string, seconds: 2 }
        return (await load(of.base, add)).requestsPerSecond
      })
      await Promise.all([few.stop(), many.stop()])
    }),
  )
}

/** Seeds a database, starts a server on it and returns the values that the measurements need. */
async function open(url: URL, tasksEach: number) {
  const tokens = await seed(url, Array(users).fill(tasksEach))
  const { head, since } = appendLog(fileURLToPath(url))
  const [token, ...writers] = tokens as [string, ...string[]]
  const [server, queries] = [await startDaymark(url), await listQueries(url, token)]
  await untilChecked(server.pid)
  await queries()
  return { ...server, token, writers, head, since, queries }
}

/** Waits for the integrity check at the start: it reads 2 GB, in a child process on the other core. */
async function untilChecked(pid: number) {
  const hasChild = async () => (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim() !== ''
  do await delay(2000)
  while (await hasChild())
}

/** Appends changes to the log of every user. Returns the first user's newest cursor and an earlier one. */
function appendLog(path: string) {
  const file = new DatabaseSync(path)
  const owners = file.prepare('select id from users order by id').all()
  const append = file.prepare(`
    insert into changes (user_id, seq, id, at, device, kind, item, fields, before)
    select user_id, round.value * count + number, ${uuid}, created_at, '', 'task', id, 'title',
      '{"title":"Ask about the delivery in March"}'
    from (
      select *, row_number() over (order by id) as number, count(*) over () as count from tasks where user_id = ?
    ), (select value from json_each(?)) as round
    order by 2`)
  const rounds = JSON.stringify(Array.from({ length: changesPerTask }, (_, index) => index))
  const updateTasks = file.prepare(`
    update tasks set version = (select max(seq) from changes where user_id = tasks.user_id and item = tasks.id)
    where user_id = ?`)
  const updateUser = file.prepare(`
    update users set (seq, head) = (select seq, id from changes where user_id = users.id order by seq desc limit 1)
    where id = ?`)
  for (const { id } of owners) {
    file.exec('begin')
    append.run(String(id), rounds)
    updateTasks.run(String(id))
    updateUser.run(String(id))
    file.exec('commit')
  }
  const newest = file.prepare(
    `select seq || '.' || id as cursor from changes where user_id = ? order by seq desc`,
  )
  const cursors = newest.all(String(owners[0]?.id))
  file.close()
  return { head: cursors[0]?.cursor, since: cursors[behind]?.cursor }
}

const hex = 'lower(hex(randomblob(2)))'
const uuid = [`${hex} || ${hex}`, hex, hex, hex, `${hex} || ${hex} || ${hex}`].join(` || '-' || `)

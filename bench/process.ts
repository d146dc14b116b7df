import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { addTask, load, median } from './load.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { startDaymark, withSqliteFile } from './servers.ts'

const path = '/api/v1/list/getLatestTasks?limit=20'

/** Resident memory of a process, in MB. */
export async function memory(pid: number): Promise<number> {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** The processor time that a process has used, with all its threads, in milliseconds. */
export async function processorTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number)
  // Linux counts in hundredths of a second.
  return ((user as number) + (system as number)) * 10
}

/** Measures the time from process start to the first response, and the memory of an idle server. */
export async function startAndIdle(rounds: number) {
  section('A process, SQLite with 1,000,000 tasks')
  await withSqliteFile(async (url) => {
    const [token] = (await seed(url, Array(10).fill(100_000))) as [string]
    const [times, sizes]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      const began = performance.now()
      const daymark = await startDaymark(url)
      const { status } = await fetch(daymark.base + path, { headers: { authorization: `Bearer ${token}` } })
      if (status !== 200) throw new Error(`the first answer was ${status}`)
      times.push(performance.now() - began)
      await delay(2000)
      sizes.push(await memory(daymark.pid))
      await daymark.stop()
    }
    row('process start to first answer (at most 500 ms)', `${median(times).toFixed(0)} ms`)
    row('idle memory (at most 110 MB)', `${median(sizes).toFixed(0)} MB`)
  })
}

/** Records memory during mixed load of `BENCH_MINUTES` (default: 60). */
export async function soak() {
  const minutes = Number(process.env.BENCH_MINUTES ?? 60)
  section(`Memory over ${minutes} minutes of lists and creates, SQLite`)
  await withSqliteFile(async (url) => {
    const [reader, ...writers] = (await seed(url, [10_000, ...Array(minutes).fill(0)])) as [
      string,
      ...string[],
    ]
    const daymark = await startDaymark(url)
    for (const [minute, token] of writers.entries()) {
      const shots = [load(daymark.base, { path, token: reader, connections: 8, seconds: 60 })]
      // The rate keeps one user's tasks below the limit of tasks per user.
      shots.push(load(daymark.base, { ...addTask, token, connections: 2, seconds: 60, rate: 1000 }))
      await Promise.all(shots)
      if (minute % 5 === 0 || minute === minutes - 1) {
        row(`minute ${minute + 1}`, `${(await memory(daymark.pid)).toFixed(0)} MB`)
      }
    }
    await daymark.stop()
  })
}

import { setTimeout as delay } from 'node:timers/promises'
import autocannon from 'autocannon'
import { newId } from '../server/new-id.ts'

export type Load = { requestsPerSecond: number; p99: number }

export type Shot = {
  path: string
  token?: string
  method?: 'GET' | 'POST'
  body?: string
  connections?: number
  seconds?: number
  /** Maximum requests per second. */
  rate?: number
  /** Whether non-2xx responses are expected. */
  allowErrors?: boolean
}

/** The request of the page that adds a task. */
export const addTask = {
  path: '/api/v1/list/addTask',
  method: 'POST',
  body: JSON.stringify({
    title: 'Ask about the delivery in March',
    body: 'Prices as agreed on the phone; the new address is on the second page.',
    dueDate: '2026-11-21',
    priority: 'high',
  }),
} as const

/** Gives each addition an id of its own, as the page does. */
const withNewKey = (request: autocannon.Request) => ({
  ...request,
  headers: { ...request.headers, 'idempotency-key': newId() },
})

/** Sends requests on `connections` (default: 32) for `seconds`. Throws on non-2xx responses. p99 is in milliseconds. */
export async function load(base: string, shot: Shot): Promise<Load> {
  const { path, token, method = 'GET', body, connections = 32, seconds = 4, rate, allowErrors } = shot
  const result = await autocannon({
    url: base + path,
    method,
    connections,
    duration: seconds,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body } : {}),
    ...(path === addTask.path ? { requests: [{ setupRequest: withNewKey }] } : {}),
    ...(rate ? { overallRate: rate } : {}),
  })
  if (!allowErrors && (result.non2xx || result.errors)) {
    throw new Error(`${path}: ${result.non2xx} not 2xx, ${result.errors} errors`)
  }
  return { requestsPerSecond: result['2xx'] / result.duration, p99: result.latency.p99 }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** Runs all measurements in every round, so that other load on the machine affects them equally. */
export async function inTurns<Name extends string>(
  rounds: number,
  measurements: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measurements) as Name[]
  const results = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round < rounds; round++) {
    for (const name of names) results[name].push(await measurements[name]())
  }
  return results
}

/** The median of the pairwise ratios a/b. */
export const ratio = (a: number[], b: number[]) =>
  median(a.map((value, round) => value / (b[round] as number)))

/** The milliseconds of lists, one each 10 ms, until it is over. */
export async function listing(
  base: string,
  token: string,
  isOver: (count: number) => Promise<boolean>,
): Promise<number[]> {
  const times: number[] = []
  while (!(await isOver(times.length))) {
    const start = performance.now()
    await (
      await fetch(`${base}/api/v1/list/getLatestTasks?limit=20`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).arrayBuffer()
    times.push(performance.now() - start)
    await delay(10)
  }
  return times
}

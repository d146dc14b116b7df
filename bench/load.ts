import autocannon from 'autocannon'

export type Load = { requestsPerSecond: number; p99: number }

export type Shot = {
  path: string
  token?: string
  method?: 'GET' | 'POST'
  body?: string
  connections?: number
  seconds?: number
  /** Requests a second to send at most. */
  rate?: number
  /** Whether 503 is an answer to be expected. */
  allowRefusals?: boolean
}

/** Keeps `connections` (32) busy for some seconds. Milliseconds for p99. An answer other than 2xx ends the run. */
export async function load(base: string, shot: Shot): Promise<Load> {
  const { path, token, method = 'GET', body, connections = 32, seconds = 4, rate, allowRefusals } = shot
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
    ...(rate ? { overallRate: rate } : {}),
  })
  if (!allowRefusals && (result.non2xx || result.errors)) {
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

/** Runs the measurements in turn, round after round, so that whatever slows the machine slows all of them alike. */
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

/** The median of the ratios a/b, pair by pair. */
export const ratio = (a: number[], b: number[]) =>
  median(a.map((value, round) => value / (b[round] as number)))

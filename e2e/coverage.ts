import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The names of the functions that ran, by file: `web/engine/entry.ts`. A file that was loaded has `(module)`. */
export type Ran = Map<string, Set<string>>

export type Profiler = (method: string, parameters?: object) => Promise<unknown>
type Coverage = { result: { url: string; functions: { functionName: string; ranges: Range[] }[] }[] }
type Range = { startOffset: number; count: number }

/** The files of `part`, without components and their hooks. */
export const filesOf = (ran: Ran, part: 'contract' | 'server' | 'web'): string[] =>
  [...ran.keys()].filter((file) => file.startsWith(`${part}/`) && !/\.tsx$|\/use-[^/]+$/.test(file)).sort()

/** The functions that have run since the last time, until some time has passed in which none did. */
export async function untilQuiet(profilers: Profiler[]): Promise<Ran> {
  const all: Ran = new Map()
  for (let quiet = 0; quiet < 3; ) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    let isQuiet = true
    for (const profiler of profilers) {
      for (const [file, names] of ranSince((await profiler('Profiler.takePreciseCoverage')) as Coverage)) {
        isQuiet = false
        all.set(file, (all.get(file) ?? new Set()).union(names))
      }
    }
    quiet = isQuiet ? quiet + 1 : 0
  }
  return all
}

function ranSince({ result }: Coverage): Ran {
  const ran: Ran = new Map()
  for (const { url, functions } of result) {
    const file = fileOf(url)
    if (!file) continue
    const names = functions
      .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
      .map(
        ({ functionName, ranges }) =>
          functionName || (ranges[0]?.startOffset === 0 ? '(module)' : '(callback)'),
      )
    if (names.length > 0) ran.set(file, new Set(names))
  }
  return ran
}

/** The page has files of `web/` by their path there, and the others by their whole path. */
function fileOf(url: string): string | undefined {
  if (!URL.canParse(url)) return
  const { protocol, pathname } = new URL(url)
  const path =
    protocol === 'file:'
      ? pathname
      : pathname.startsWith('/@fs/')
        ? pathname.slice(4)
        : `${root}/web${pathname}`
  const file = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : ''
  return /^(contract|server|web)\/.*\.tsx?$/.test(file) ? file : undefined
}

/** What ran in both. */
export const common = (one: Ran, other: Ran): Ran =>
  new Map(
    [...one]
      .map(([file, names]) => [file, names.intersection(other.get(file) ?? new Set())] as const)
      .filter(([, names]) => names.size > 0),
  )

/** The profiler of a process of Node with an inspector at this port. */
export async function openInspector(port: number): Promise<{ call: Profiler; close: () => void }> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  const waiting = new Map<number, (result: unknown) => void>()
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(data)
    waiting.get(id)?.(result)
  }
  let last = 0
  return {
    call: (method, params = {}) =>
      new Promise((resolve) => {
        waiting.set(++last, resolve)
        socket.send(JSON.stringify({ id: last, method, params }))
      }),
    // The process does not end while the inspector is connected.
    close: () => socket.close(),
  }
}

import { onTestFinished, vi } from 'vitest'
import type { Endpoint } from '#contract/api.ts'
import { todayHere } from '#contract/days.ts'
import { apiBase, tokenKey } from '#contract/limits.ts'
import type { Task, TaskValues } from '#contract/tasks.ts'
import { createEngine, type Engine } from '../engine.ts'
import type { Needs } from '../needs.ts'
import { taskListOf } from '../store/task-lists.ts'
import { edit } from '../verbs/add-edit.ts'
import { remove } from '../verbs/complete.ts'
import { testNeeds } from './test-needs.ts'

/** `dropped`: the call does not reach the server. `lost`: it does, and its answer does not reach the page. */
type Answer = { status: number; json?: object } | 'dropped' | 'lost'

type Handler = (send: () => Promise<Response>) => Promise<Response>

const unreachable = () => new TypeError('Failed to fetch')

/** The network of a browser, which can be cut. Single calls can be held, or answered in place of the server. */
function createNetwork(origin: string) {
  const connections = new Set<AbortController>()
  const handlers: { pattern: RegExp; handle: Handler }[] = []
  const calls: string[] = []
  const sent: RequestInit[] = []
  let isCut = false

  /** Handles a call until the returned function is called. The newest handler of a call decides. */
  function handle(endpoint: Endpoint, handle: Handler): () => void {
    const handler = { pattern: new RegExp(`^${endpoint.replace(/:\w+/g, '[^/]+')}$`), handle }
    handlers.unshift(handler)
    return () => void handlers.splice(handlers.indexOf(handler), 1)
  }

  return {
    /** Every call that was made so far, in order, like `GET /list/getTodayTasks`. */
    calls,
    /** What was sent with each of these calls. */
    sent,
    isCut: () => isCut,
    cut(isNow: boolean) {
      isCut = isNow
      if (isCut) for (const connection of connections) connection.abort(unreachable())
    },
    handle,
    /** Answers a call in place of the server until the returned function is called. */
    force: (endpoint: Endpoint, answer: Answer) =>
      handle(endpoint, async (send) => {
        if (typeof answer === 'object') return Response.json(answer.json ?? {}, { status: answer.status })
        if (answer === 'lost') await send()
        throw unreachable()
      }),
    /** Keeps a call waiting until the returned function is called. */
    hold(endpoint: Endpoint): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      const release = handle(endpoint, async (send) => {
        await promise
        return await send()
      })
      return () => {
        release()
        resolve()
      }
    },
    async fetch(path: string, init: RequestInit, closed: AbortSignal): Promise<Response> {
      if (isCut || closed.aborted) throw unreachable()
      const call = `${init.method ?? 'GET'} ${new URL(path, origin).pathname.replace(apiBase, '')}`
      calls.push(call)
      sent.push(init)
      const connection = new AbortController()
      connections.add(connection)
      const signal = AbortSignal.any([connection.signal, closed, ...(init.signal ? [init.signal] : [])])
      const send = () => fetch(origin + path, { ...init, signal })
      const ended = new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      )
      ended.catch(() => {})
      const handler = handlers.find(({ pattern }) => pattern.test(call))
      return await Promise.race([handler ? handler.handle(send) : send(), ended])
    },
  }
}

/** The locks of a browser for a tab, which loses its own when it is left. */
function locksOf(browser: string, left: AbortSignal): LockManager {
  const untilLeft = new Promise((resolve) => left.addEventListener('abort', resolve))
  const request: LockManager['request'] = (name: string, ...rest: unknown[]) => {
    const work = rest.pop() as (lock: Lock | null) => unknown
    const run = (lock: Lock | null) => Promise.race([work(lock), untilLeft])
    return navigator.locks.request(`${browser} ${name}`, ...(rest as [LockOptions]), run) as Promise<never>
  }
  return { request, query: () => navigator.locks.query() }
}

/** An engine with nothing mounted, whose list of the newest tasks is open. */
export type Tab = Engine & {
  /** Closes the tab as a person does: the page is told that it is hidden. */
  close(): void
  /** Ends the tab in the middle of what it does: from now on it stores and sends nothing more. */
  kill(): void
}

export type TestBrowser = ReturnType<typeof openBrowser>

/** A browser in which an account is signed in. Its tabs share storage, locks, channels and network, as those of a real one do. */
export function openBrowser(origin: string, { token }: { token: string }) {
  const stored: Record<string, string> = { [tokenKey]: token }
  const network = createNetwork(origin)
  const tabs = new Map<Needs, (change: { key: string; newValue: string | null }) => void>()
  const name = crypto.randomUUID()
  const browser = {
    network,
    /** What all tabs share in local storage. */
    stored,
    /** Whether the local storage takes nothing more. */
    isFull: false,
    /** Loses the connection, or gets it back, and tells the pages so. */
    setOnline(isOnline: boolean) {
      network.cut(!isOnline)
      for (const { tell } of tabs.keys()) tell(isOnline ? 'online' : 'offline')
    },
    open,
  }

  function storageOf(closed: AbortSignal, isOwn: (needs: Needs) => boolean): Storage {
    const write = (key: string, newValue: string | null) => {
      if (closed.aborted) return
      if (newValue === null) delete stored[key]
      else stored[key] = newValue
      for (const [needs, told] of tabs) if (!isOwn(needs)) setImmediate(told, { key, newValue })
    }
    const methods: Record<string, unknown> = {
      getItem: (key: string) => stored[key] ?? null,
      removeItem: (key: string) => write(key, null),
      setItem(key: string, value: string) {
        if (browser.isFull) throw new DOMException('Full', 'QuotaExceededError')
        write(key, value)
      },
    }
    return new Proxy(stored, { get: (_, key: string) => methods[key] ?? stored[key] }) as unknown as Storage
  }

  /** Opens a tab. `given`: what its engine gets in place of what a tab has. */
  function open(given: Parameters<typeof testNeeds>[0] = {}): Tab {
    const closed = new AbortController()
    const left = new AbortController()
    const needs: Needs = testNeeds({
      fetch: (path: string, init: RequestInit) => network.fetch(path, init, closed.signal),
      accountToken: stored[tokenKey] ?? token,
      local: storageOf(closed.signal, (other) => other === needs),
      isOnline: () => !network.isCut(),
      locks: locksOf(name, left.signal),
      openChannel(shared) {
        const channel = new BroadcastChannel(`${name} ${shared}`)
        left.signal.addEventListener('abort', () => channel.close())
        return channel
      },
      onStored: (listener) => void tabs.set(needs, listener),
      ...given,
    })
    tabs.set(needs, () => {})
    const engine = createEngine(needs)
    const stop = engine.start()
    taskListOf(engine, 'latest').prefetch()
    const close = () => {
      needs.tell('hidden')
      stop()
      tabs.delete(needs)
      left.abort()
    }
    const kill = () => {
      closed.abort(unreachable())
      close()
    }
    onTestFinished(kill)
    return Object.assign(engine, { close, kill })
  }

  return browser
}

/** Types a line of the quick field and enters it. */
export function typeLine({ quickLines }: Engine, title: string, more: Partial<TaskValues> = {}) {
  quickLines.getState().type(title)
  quickLines.getState().enter({ title, body: '', dueDate: todayHere(), priority: 'low', ...more })
}

export const openTasksIn = ({ store }: Engine) =>
  [...store.tasks()].filter(({ doneAt, deletedAt }) => doneAt === null && deletedAt === null)
export const titlesIn = (engine: Engine) => openTasksIn(engine).map(({ title }) => title)

/** Waits until `look` returns something true. */
export const until = <Value>(look: () => Value) => vi.waitUntil(look, { timeout: 60_000, interval: 5 })

/** The one task with this title, as it is shown. */
export function taskIn({ store }: Engine, title: string) {
  const found = [...store.tasks()].find((task) => task.title === title)
  if (!found) throw new Error(`There is no task ${title}.`)
  return found
}

/** Deletes a task by its specified call, as its card does. */
export function deleteIn(engine: Engine, title: string) {
  const over = taskIn(engine, title)
  return engine.changes.makeAwaited(remove.make(over), { over })
}

/** Saves an edit of this version of a task, as the Edit dialog does. */
export function saveIn({ changes }: Engine, over: Task, values: Partial<TaskValues>) {
  const { title, body, dueDate, priority } = over
  return changes.makeAwaited(edit.make(over, { title, body, dueDate, priority, ...values }), { over })
}

/** Answers the next call as a gateway does that has lost the answer of the server, or the call itself. */
export function loseNext({ network }: TestBrowser, endpoint: Endpoint, isApplied: boolean) {
  const stop = network.handle(endpoint, async (send) => {
    stop()
    if (isApplied) await send()
    return new Response('<h1>Bad gateway</h1>', { status: 502 })
  })
}

/** The writes among the calls of a browser, each with `N` for its numbers and ids. */
export const writesIn = ({ network }: TestBrowser) =>
  network.calls
    .filter((call) => !call.startsWith('GET '))
    .map((call) => call.replace(/\/[\w-]*\d[\w-]*/g, '/N'))

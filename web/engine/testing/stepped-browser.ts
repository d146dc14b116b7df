import { vi } from 'vitest'
import { apiBase, tokenKey } from '#contract/limits.ts'
import { createEngine, type Engine } from '../engine.ts'
import type { Entry } from '../entry.ts'
import type { Journal } from '../journal/journal.ts'
// Loaded before the tests, as with the first use of the page.
import '../journal/ways.ts'
import '../verbs/derived-changes.ts'
import { type Account, type Answer, serveAccounts } from './stepped-account.ts'
import { testNeeds } from './test-needs.ts'

/** The status of a call that the page has given up. */
export const timedOut = -1

/** `lose`: the call does not reach the server, or its answer does not reach the page. */
export type How = 'answer' | 'double' | 'lose'

/**
 * `isPrompt`: tabs learn in their next turn what others have stored. `ahead`: in milliseconds, how far the clock is before the server's.
 * `hasRepeats`: the code of repeats loads.
 */
type Options = {
  tabs?: number
  hasLocks?: boolean
  isPrompt?: boolean
  ahead?: number
  hasRepeats?: boolean
}

/** A browser of an account, whose tabs call the server, wait and learn of each other when a script says so. */
export class SteppedBrowser {
  stored: Record<string, string> = {}
  tabs: SteppedTab[] = []
  /** How many more values it has space for. */
  space = Number.POSITIVE_INFINITY
  isOffline = false
  locks = new Map<string, Promise<unknown>>()
  readonly account: Account
  readonly options: Required<Options>

  constructor(account: Account, options: Options = {}) {
    this.account = account
    this.options = { tabs: 1, hasLocks: true, isPrompt: false, ahead: 0, hasRepeats: true, ...options }
    for (let index = 0; index < this.options.tabs; index++) this.open(index)
  }

  open(index = 0) {
    const tab = new SteppedTab(this)
    this.tabs[index] = tab
    return tab
  }

  /** Sets the time to that of this browser, whose clock may be ahead of the server's. */
  setTime = () => vi.setSystemTime(this.account.now + this.options.ahead)
}

/** A tab with an engine. */
export class SteppedTab {
  calls: { ask: () => Promise<Answer>; answer?: Answer; end: (answer?: Answer, status?: number) => void }[] =
    []
  events: (() => void)[] = []
  isDead = false
  /** After how many accesses of the storage it ends. */
  left = Number.POSITIVE_INFINITY
  made: Entry[] = []
  /** The mutations of changes whose caller was told that they were not stored, or that were taken back. */
  told = new Set<string>()
  /** Those that were taken back before they were sent. */
  withdrawn = new Set<string>()
  readonly browser: SteppedBrowser
  readonly engine: Engine
  readonly stop: () => void
  private readonly ended = Promise.withResolvers<void>()
  private heard: (change: { key: string; newValue: string | null }) => void = () => {}

  constructor(browser: SteppedBrowser) {
    this.browser = browser
    const { hasLocks, hasRepeats } = browser.options
    this.engine = createEngine(
      testNeeds({
        fetch: (path: string, init: RequestInit) => this.fetch(path, init),
        accountToken: browser.account.user.token,
        local: this.storage(),
        locks: hasLocks ? this.locks() : undefined,
        onStored: (listener) => {
          this.heard = listener
        },
      }),
    )
    if (!hasRepeats) Object.freeze(this.engine.repeats)
    this.note(this.engine.journal)
    this.stop = this.engine.start()
    // As with the answer to its first list.
    this.engine.replication.answered(browser.account.cursor)
  }

  get store() {
    return this.engine.store
  }
  get journal() {
    return this.engine.journal
  }
  task = (id: string) => this.store.task(id)

  /** Remembers what is made and withdrawn. */
  private note(journal: Journal) {
    const { make, withdraw } = journal
    journal.make = (...of) => {
      const made = make(...of)
      for (const { entry, outcome } of made) {
        this.made.push(entry)
        outcome.catch(() => this.told.add(entry.mutation))
      }
      return made
    }
    journal.withdraw = (...entries) => {
      const items = new Set(entries.map(({ item }) => item))
      const before = journal.entries()
      try {
        withdraw(...entries)
        for (const { mutation, status } of entries) if (status === 'new') this.withdrawn.add(mutation)
      } finally {
        const after = new Set(journal.entries())
        // A tab that ends meanwhile may have removed the later ones of the items too.
        for (const entry of before)
          if (this.isDead ? items.has(entry.item) : !after.has(entry)) this.told.add(entry.mutation)
      }
    }
  }

  private access() {
    if (!this.isDead && this.left-- <= 0) this.die()
    if (this.isDead) throw new Error('dead')
  }

  private storage(): Storage {
    const { stored, account } = this.browser
    const write = (key: string, newValue: string | null) => {
      this.access()
      const isNew = newValue !== null && !(key in stored)
      if (newValue !== null && (this.browser.space <= 0 || (isNew && this.browser.space-- <= 0)))
        throw new DOMException('Full', 'QuotaExceededError')
      if (newValue === null && !(key in stored)) return
      if (newValue === null) delete stored[key]
      else stored[key] = newValue
      for (const tab of this.browser.tabs) {
        if (tab === this || tab.isDead) continue
        tab.events.push(() => tab.heard({ key, newValue }))
        if (this.browser.options.isPrompt) setImmediate(() => tab.hear())
      }
    }
    const methods: Record<string, unknown> = {
      getItem: (key: string) => {
        if (key === tokenKey) return account.user.token
        this.access()
        return stored[key] ?? null
      },
      removeItem: (key: string) => write(key, null),
      setItem: (key: string, value: string) => write(key, value),
    }
    return new Proxy(stored, { get: (_, key: string) => methods[key] ?? stored[key] }) as unknown as Storage
  }

  /** The locks of the browser, of which the tab loses its own when it ends. */
  private locks(): LockManager {
    const { locks } = this.browser
    const request = (name: string, _: LockOptions, work: (lock: Lock | null) => unknown) => {
      const before = locks.get(name) ?? Promise.resolve()
      const turn = before.then(() => (this.isDead ? new Promise(() => {}) : work(null)))
      const end = before.then(() => Promise.race([turn, this.ended.promise]))
      locks.set(
        name,
        end.catch(() => {}),
      )
      return turn
    }
    return { request } as unknown as LockManager
  }

  die() {
    this.isDead = true
    this.calls = []
    this.events = []
    this.ended.resolve()
  }

  private fetch(path: string, init: RequestInit): Promise<Response> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error = new TypeError('Failed to fetch')) => reject(error)
      const { account, isOffline } = this.browser
      if (path === '/livez') return isOffline ? fail() : resolve(new Response())
      if (this.isDead || path.endsWith('/changes/stream')) return
      const end = (answer?: Answer, status = 0) => {
        if (answer) resolve(new Response(answer.text || null, answer))
        else if (status === 0) fail()
        else if (status === timedOut) fail(new DOMException('', 'TimeoutError'))
        else resolve(new Response('<h1>', { status }))
      }
      const call = `${init.method} ${path.slice(apiBase.length)}`
      const headers = Object.fromEntries(new Headers(init.headers))
      this.calls.push({ ask: () => account.call(call, init.body ?? undefined, headers), end })
    })
  }

  /**
   * A call reaches the server, or gets its answer, the one after the other. A lost call or answer gets this status of a gateway, or with 0 none.
   */
  async step(how: How = 'answer', index = 0, status = 0) {
    const call = this.calls[index % this.calls.length]
    if (!call) return
    const isLost = how === 'lose' || this.browser.isOffline
    if (!isLost && !call.answer) {
      call.answer = await call.ask()
      if (how === 'double') await call.ask()
      return
    }
    this.calls = this.calls.filter((other) => other !== call)
    this.browser.setTime()
    if (isLost) call.end(undefined, status)
    else call.end(call.answer)
  }

  /** Learns what other tabs have stored. */
  hear(count = this.events.length) {
    for (const event of this.events.splice(0, count)) event()
  }

  /** The stream says what is new. */
  stream() {
    const { needs, replication } = this.engine
    const { cursor } = this.browser.account
    needs.afterWrites(() => replication.onCursor(cursor))
  }

  /** The wait for the next attempt ends. */
  wake = () => this.engine.needs.tell('other tab shown')

  /** A person retries the first rejected change, or takes it back. */
  decide(isRetried: boolean) {
    const entry = this.journal.entries().find(({ failure }) => failure)
    if (entry && isRetried) this.journal.retry(entry)
    else if (entry) this.journal.withdraw(entry)
  }
}

/** Waits until no tab can continue without the script. */
export async function idle() {
  for (let turns = 0; turns < 10; turns++) await new Promise((done) => setImmediate(done))
}

/** Lets all calls, waits and events of the tabs happen until there are none. */
export async function calm(tabs: readonly SteppedTab[]) {
  await idle()
  for (let rounds = 0; rounds < 300; rounds++) {
    for (const tab of tabs) {
      tab.browser.setTime()
      tab.wake()
      tab.hear()
    }
    await idle()
    if (tabs.every(({ calls, events }) => calls.length + events.length === 0)) return
    for (const tab of tabs)
      for (let left = 2 * tab.calls.length; left > 0; left--) {
        await tab.step()
        await idle()
      }
  }
  throw new Error('The tabs never stop to call.')
}

/** Lets the tabs learn all that the server has. */
export async function catchUp(tabs: readonly SteppedTab[]) {
  await calm(tabs)
  for (const tab of tabs) tab.stream()
  await calm(tabs)
}

/** Starts the real server for the tests of a file. Returns functions that open a new account. */
export function serve() {
  const openAccount = serveAccounts()

  /** A browser of an account with tasks of these titles. */
  async function open(titles: readonly string[], options?: Options) {
    const { account, ids } = await openAccount(titles.map((title) => ({ title, body: '- [ ] line' })))
    const browser = new SteppedBrowser(account, options)
    const { tabs } = browser
    await catchUp(tabs)
    return { account, ids, browser, tabs, tab: tabs[0] as SteppedTab, other: tabs[1] as SteppedTab }
  }

  return { openAccount, open }
}

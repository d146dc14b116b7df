import { type Change, type Entry, type ItemSet, nameOf, type Values } from '../entry.ts'
import { createJournal, type Journal, type Needs } from '../journal/journal.ts'
import { createReplication } from '../store/replication.ts'
import { createStore } from '../store/store.ts'
import { settled } from '../store/testing/log-server.ts'
import { type ChangeServer, problem } from './change-server.ts'

export const changes = [
  'create',
  'quick line',
  'tick',
  { title: 'one' },
  { title: 'two' },
  { title: 'invalid' },
  { title: 'long' },
  { priority: 'high' },
  { dueDate: '2026-11-25' },
  { dueDate: null },
  { dueTime: '17:30', dueDate: '2026-11-26' },
  { done: true },
  { done: false },
  { deleted: true },
] as const satisfies ('create' | 'quick line' | 'tick' | ItemSet)[]

/** The state that all tabs of a browser share. */
export class Browser {
  stored = new Map<string, string>()
  tabs: Tab[] = []
  isFull = false
  /** How many entries it still has space for. */
  left = Number.POSITIVE_INFINITY
  holder: Tab | undefined
  waiting: { tab: Tab; begin: () => void }[] = []
  made = 0
  /** Whether this device alone has no network. */
  isOffline = false
  /** With which the names of its mutations begin. */
  readonly name: string
  readonly hasLocks: boolean
  readonly server: ChangeServer

  constructor(server: ChangeServer, hasLocks: boolean, tabs = 3, name = 'm') {
    this.server = server
    this.hasLocks = hasLocks
    this.name = name
    for (let count = 0; count < tabs; count++) this.open(count)
  }

  open(index: number) {
    this.tabs[index] = new Tab(this)
  }

  grant() {
    if (this.holder) return
    const next = this.waiting.shift()
    this.holder = next?.tab
    next?.begin()
  }
}

type Reply<Answer> = { answer: Answer } | { error: unknown }

/** A tab, whose calls, waits and events happen when the script says so. */
export class Tab {
  readonly browser: Browser
  store = createStore()
  replication = createReplication(this.store)
  requests: { ask: () => void; fail: () => void; answer?: () => void }[] = []
  waits: (() => void)[] = []
  events: (() => void)[] = []
  journal: Journal
  isDead = false
  /** After how many accesses of the storage it ends. */
  left = Number.POSITIVE_INFINITY
  made: Entry[] = []
  before = new Map<Entry, Values>()
  /** The outcome of each mutation in the tab. */
  rejected = new Set<string>()
  withdrawn = new Set<string>()
  /** Those too that the tab may not have withdrawn, because it ended. */
  withdrawing = new Set<string>()
  seqs = new Map<string, number>()
  listener: { wrote: (entry: Entry) => void; removed: (mutation: string) => void } | undefined

  constructor(browser: Browser) {
    this.browser = browser
    const { server } = browser
    const journal = createJournal(this.store, this.needs())
    this.journal = { ...journal, make: (...of) => this.noted(journal.make(...of)) }
    this.replication.start({
      begin() {},
      fetch: (since) => this.call(() => server.changes(since, 2)),
      wait: async () => {},
    })
    this.replication.answered(server.cursor)
    this.journal.onNumbered((entry, seq) => seq !== undefined && this.seqs.set(nameOf(entry), seq))
    this.journal.start()
  }

  needs(): Needs {
    const { browser } = this
    const others = () => browser.tabs.filter((tab) => tab !== this && !tab.isDead)
    return {
      storage: {
        read: () => this.access(() => [...browser.stored.values()].map((text) => JSON.parse(text))),
        get: (mutation) => this.access(() => JSON.parse(browser.stored.get(mutation) ?? 'null') ?? undefined),
        write: (entry) => {
          try {
            return this.access(() => {
              if (browser.isFull || browser.left-- <= 0) return false
              const text = JSON.stringify(entry)
              browser.stored.set(entry.mutation, text)
              for (const tab of others()) tab.events.push(() => tab.listener?.wrote(JSON.parse(text)))
              return true
            })
          } catch {
            return false
          }
        },
        remove: (mutation) =>
          this.access(() => {
            if (!browser.stored.delete(mutation)) return
            for (const tab of others()) tab.events.push(() => tab.listener?.removed(mutation))
          }),
        follow: (wrote, removed, signal) => {
          this.listener = { wrote, removed }
          signal.addEventListener('abort', () => {
            this.listener = undefined
          })
        },
      },
      send: async (requests) => {
        const { results, cursor } = await this.call(() => {
          const results = browser.server.send(requests)
          return { results, cursor: browser.server.cursor }
        })
        this.replication.answered(cursor)
        return results
      },
      exclusively: async (work) => {
        if (browser.hasLocks) {
          await new Promise<void>((begin) => {
            browser.waiting.push({ tab: this, begin })
            browser.grant()
          })
        }
        try {
          await work()
        } finally {
          if (browser.holder === this) browser.holder = undefined
          browser.grant()
        }
      },
      wait: (_, signal) =>
        new Promise((resolve) => {
          if (this.isDead) return
          this.waits.push(resolve)
          signal.addEventListener('abort', () => {
            this.waits = this.waits.filter((wait) => wait !== resolve)
            resolve()
          })
        }),
      newId: () => `${browser.name}${browser.made++}`,
      now: () => Date.now(),
    }
  }

  access<Value>(work: () => Value): Value {
    if (!this.isDead && this.left-- <= 0) this.die()
    if (this.isDead) throw new Error('dead')
    return work()
  }

  die() {
    this.isDead = true
    this.requests = []
    this.waits = []
    this.events = []
    const { browser } = this
    browser.waiting = browser.waiting.filter(({ tab }) => tab !== this)
    if (browser.holder === this) browser.holder = undefined
    browser.grant()
  }

  call<Answer>(ask: () => Answer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.isDead) return
      const request: Tab['requests'][number] = {
        ask: () => {
          const reply = replyOf(ask)
          request.answer = () =>
            'error' in reply ? reject(reply.error) : resolve(structuredClone(reply.answer))
        },
        fail: () => reject(problem(0)),
      }
      this.requests.push(request)
    })
  }

  step(index: number, how: 'answer' | 'double' | 'lose answer' | 'lose request') {
    const request = this.requests[index % this.requests.length]
    if (!request) return
    const isOffline = this.browser.isOffline || this.browser.server.isOffline
    if (how !== 'lose request' && !request.answer && !isOffline) {
      request.ask()
      if (how === 'double') request.ask()
      return
    }
    this.requests = this.requests.filter((other) => other !== request)
    if (how === 'answer' && request.answer && !isOffline) request.answer()
    else request.fail()
  }

  make(changes: Change[], options: Parameters<Journal['make']>[1] = {}) {
    this.journal.make(changes, options)
  }

  /** Remembers what was made, by the page too. */
  noted(made: ReturnType<Journal['make']>) {
    for (const { entry, before, outcome } of made) {
      this.made.push(entry)
      this.before.set(entry, before)
      outcome.catch(() => this.rejected.add(entry.mutation))
    }
    return made
  }

  changeOf(id: string, change: (typeof changes)[number]): Change | [] {
    const task = this.store.task(id)
    if (change === 'create' || change === 'quick line') {
      const set = { title: change, body: '- [ ] line', dueDate: '2026-11-21', priority: 'low' } as const
      return task ? [] : { item: id, set }
    }
    if (!task) return []
    if (change !== 'tick') return { item: id, base: task.version, set: change }
    const checked = !task.body.includes('[x]')
    return task.body ? { item: id, check: { line: 0, text: 'line', checked } } : []
  }

  change(ids: readonly string[], change: (typeof changes)[number], isKept: boolean) {
    const made = ids.flatMap((id) => this.changeOf(id, change))
    const group = made.length > 1 && { group: `${this.browser.made} group` }
    const typed = change === 'quick line' && { typed: { text: 'typed', dismissed: [] } }
    this.make(made, { ...group, ...typed, isKept })
  }

  /** Takes a change, or a group of them, back, as the bar does. */
  undo(index: number) {
    const entry = this.made[index % this.made.length]
    if (!entry) return
    const name = nameOf(entry)
    const isTold = ({ mutation }: Entry) => this.rejected.has(mutation) || this.withdrawn.has(mutation)
    const left = this.made.filter((other) => nameOf(other) === name && !isTold(other))
    const held = this.journal.named(name)
    if (left.length === 0 || held.some(({ failure }) => failure)) return
    if (held.length === left.length && held.every(({ status }) => status === 'new')) {
      for (const { mutation } of held) this.withdrawing.add(mutation)
      this.journal.withdraw(...held)
      for (const { mutation } of held) this.withdrawn.add(mutation)
      return
    }
    const seq = this.seqs.get(name)
    const undo = { of: name, ...(seq !== undefined && { seq }), ...(entry.group && { isGroup: true }) }
    const shows = Object.fromEntries(left.map((each) => [each.item, this.before.get(each) ?? {}]))
    this.make([{ item: entry.item, undo, shows }])
  }

  decide(isRetried: boolean) {
    const entry = this.journal.entries().find(({ failure }) => failure)
    if (entry && isRetried) this.journal.retry(entry)
    else if (entry) {
      this.rejected.add(entry.mutation)
      this.journal.withdraw(entry)
    }
  }
}

function replyOf<Answer>(ask: () => Answer): Reply<Answer> {
  try {
    return { answer: ask() }
  } catch (error) {
    return { error }
  }
}

/** Waits until no tab can continue without the script. */
export async function idle() {
  for (let turns = 0; turns < 3; turns++) await settled()
}

/** Lets all calls, waits and events of the tabs happen until there are none. */
export async function calm(tabs: Tab[]) {
  await idle()
  for (let rounds = 0; rounds < 500; rounds++) {
    const isCalm = tabs.every(
      ({ requests, waits, events }) => requests.length + waits.length + events.length === 0,
    )
    if (isCalm) return
    for (const each of tabs) {
      for (const event of each.events.splice(0)) event()
      for (const wait of each.waits.splice(0)) wait()
      each.step(0, 'answer')
    }
    await idle()
  }
  throw new Error('The tabs never stop to call.')
}

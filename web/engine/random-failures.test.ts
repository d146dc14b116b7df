import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { todayHere } from '#contract/days.ts'
import { titleLength } from '#contract/limits.ts'
import { nextId, nextRepeat } from '#contract/repeats.ts'
import type { Task } from '#contract/tasks.ts'
import { type Entry, hasValues, itemsOfEntry, type NewChange, nameOf, randomId } from './entry.ts'
import { how, numRuns, of, status } from './testing/random-steps.ts'
import { type Account, sorted } from './testing/stepped-account.ts'
import { catchUp, idle, SteppedBrowser, type SteppedTab, serve } from './testing/stepped-browser.ts'
import { add, edit, tick } from './verbs/add-edit.ts'
import { complete, remove, reopen, restore } from './verbs/complete.ts'
import * as derived from './verbs/derived-changes.ts'
import { move, prioritise, stop } from './verbs/plan.ts'

const { openAccount } = serve()
const dayLength = 86_400_000

/** The first tasks of three repeats, of which two never end, and two other tasks. */
const first = {
  daily: { repeat: 'FREQ=DAILY', dueDate: '2026-11-20', body: '- [x] line' },
  counted: { repeat: 'FREQ=WEEKLY;BYDAY=MO,TH,SA;COUNT=5', dueDate: '2026-11-21' },
  late: { repeat: 'FREQ=DAILY;INTERVAL=3', dueDate: '2026-11-18', repeatFrom: 'done' },
  plain: { dueDate: '2026-11-25', body: '- [ ] line' },
  other: { dueDate: null },
} as const satisfies Record<string, Partial<Task>>

type Ids = Record<keyof typeof first, string>

/** The tasks of a repeat: the first one, and each that follows from the one before. */
function chainOf(series: string, taskOf: (id: string) => Task | undefined): Task[] {
  const chain: Task[] = []
  for (let id = series, task = taskOf(id); task; id = nextId(series, id), task = taskOf(id)) chain.push(task)
  return chain
}

const isOpen = ({ doneAt, deletedAt }: Task) => doneAt === null && deletedAt === null

/** The changes of a task that a person can make. */
const verbs: Record<string, (task: Task, tab: SteppedTab) => NewChange | undefined> = {
  complete: complete.make,
  skip: derived.skipThis,
  move: (task) => move.make(task, '2026-11-28'),
  'move without a date': (task) => move.make(task, null),
  edit: (task) => edit.make(task, { ...task, title: `${task.title.slice(0, 20)}!` }),
  prioritise: (task) => prioritise.make(task, task.priority === 'high' ? 'low' : 'high'),
  'change rule': (task) => edit.make(task, { ...task, repeat: 'FREQ=DAILY;INTERVAL=2' }),
  'refused edit': (task) => edit.make(task, { ...task, title: 'x'.repeat(titleLength.max + 1) }),
  tick: (task) =>
    task.body ? tick.make(task, { line: 0, text: 'line' }, !task.body.includes('[x]')) : undefined,
  stop: stop.make,
  delete: (task) => remove.make(task),
  restore: (task) => restore.make(task),
  reopen: reopen.make,
  'keep today': (task, { store }) => derived.keepToday(store, task),
}

/** Of several tabs, two are of one browser. */
const anyTab = fc.nat(2)
const act = fc.oneof(
  of('make', 12, {
    tab: anyTab,
    /** Of the tasks, open ones first. */
    which: fc.oneof(
      { weight: 3, arbitrary: fc.tuple(fc.nat(6)) },
      { weight: 1, arbitrary: fc.uniqueArray(fc.nat(6), { minLength: 2, maxLength: 4 }) },
    ),
    verb: fc.constantFrom('complete', 'complete', ...Object.keys(verbs)),
    isKept: fc.boolean(),
  }),
  of('add', 2, { tab: anyTab, isTyped: fc.boolean(), repeat: fc.constantFrom(null, 'FREQ=DAILY') }),
  of('reverse', 5, { tab: anyTab, direction: fc.constantFrom('undo' as const, 'undo', 'redo') }),
  of('decide', 1, { tab: anyTab, isRetried: fc.boolean() }),
  of('network', 24, { tab: anyTab, index: fc.nat(3), how, status }),
  of('hear', 6, { tab: anyTab, count: fc.nat(3) }),
  of('wake', 4, { tab: anyTab }),
  of('stream', 3, { tab: anyTab }),
  of('catch up', 2, { tab: anyTab }),
  of('end after', 1, { tab: anyTab, left: fc.nat(20) }),
  of('open again', 1, { tab: anyTab }),
  of('full', 1, { tab: anyTab, is: fc.boolean() }),
  of('offline', 2, { tab: anyTab, is: fc.boolean() }),
  of('refuse', 1, { status: fc.constantFrom(undefined, undefined, 401, 403, 412, 429, 503, 507) }),
  of('purge', 1, { name: fc.constantFrom('plain', 'other') }),
  of('next day', 2, {}),
)
type Act = typeof act extends fc.Arbitrary<infer Each> ? Each : never

const world = fc.record({
  script: fc.array(act, { maxLength: 70, size: 'max' }),
  hasLocks: fc.boolean(),
  hasRepeats: fc.boolean(),
  ahead: fc.constantFrom(0, dayLength),
})

/** Two browsers of an account: one with two tabs, and one whose clock may be wrong. */
class World {
  readonly all = new Set<SteppedTab>()
  /** The mutations that waited for a decision when everything else was done. */
  readonly undecided = new Set<string>()
  readonly account: Account
  readonly ids: Ids
  readonly browsers: SteppedBrowser[]

  constructor(account: Account, ids: Ids, options: Pick<WorldOptions, 'hasLocks' | 'hasRepeats' | 'ahead'>) {
    this.account = account
    this.ids = ids
    const { hasLocks, hasRepeats, ahead } = options
    this.browsers = [
      new SteppedBrowser(account, { tabs: 2, hasLocks, hasRepeats }),
      new SteppedBrowser(account, { hasRepeats, ahead }),
    ]
  }

  get tabs() {
    const tabs = this.browsers.flatMap(({ tabs }) => tabs)
    for (const tab of tabs) this.all.add(tab)
    return tabs
  }

  static async open(options: WorldOptions) {
    const tasks = Object.entries(first).map(([title, values]) => ({ title, ...values }))
    const { account, ids } = await openAccount(tasks)
    const named = Object.fromEntries(tasks.map(({ title }, index) => [title, ids[index]])) as Ids
    const world = new World(account, named, options)
    await catchUp(world.tabs)
    return world
  }

  async perform(step: Act) {
    const { account } = this
    if (step.kind === 'next day') account.now += dayLength
    if (step.kind === 'refuse') account.status = step.status
    if (step.kind === 'purge') {
      const item = this.ids[step.name as keyof Ids]
      await account.call(`DELETE /list/deleteTask/${item}`)
      await account.call('POST /items/purge', { items: [item] })
    }
    const tab = 'tab' in step ? (this.tabs[step.tab] as SteppedTab) : undefined
    if (!tab) return
    const { browser, engine } = tab
    browser.setTime()
    if (step.kind === 'offline') browser.isOffline = step.is
    if (step.kind === 'full') browser.space = step.is ? 0 : Number.POSITIVE_INFINITY
    if (step.kind === 'open again') {
      tab.die()
      browser.open(browser.tabs.indexOf(tab))
    }
    if (tab.isDead) return
    if (step.kind === 'make') this.make(tab, step)
    if (step.kind === 'add') {
      const set = { title: 'added', dueDate: '2026-11-24', priority: 'low', repeat: step.repeat } as const
      const typed = step.isTyped ? { typed: { text: 'added', dismissed: [] } } : {}
      engine.changes.attempt([add.make(randomId(), set)], typed).catch(ignoreEnd)
    }
    if (step.kind === 'reverse') engine.undo.reverse(step.direction).catch(ignoreEnd)
    if (step.kind === 'decide') tab.decide(step.isRetried)
    if (step.kind === 'network') await tab.step(step.how, step.index, step.status)
    if (step.kind === 'hear') tab.hear(step.count)
    if (step.kind === 'wake') tab.wake()
    if (step.kind === 'stream') tab.stream()
    if (step.kind === 'end after') tab.left = step.left
    if (step.kind === 'catch up' && !browser.isOffline && account.status === undefined) await catchUp([tab])
  }

  make(tab: SteppedTab, { which, verb, isKept }: Extract<Act, { kind: 'make' }>) {
    const { engine, store } = tab
    const all = sorted(store.tasks())
    const tasks = [...all.filter(isOpen), ...all.filter((task) => !isOpen(task))]
    const made = which.flatMap((index) => {
      const task = tasks[index]
      const change = task && verbs[verb]?.(task, tab)
      return change ? [{ task, change }] : []
    })
    const changes = made.map(({ change }) => change)
    const before = new Set(tab.journal.entries())
    engine.changes.attempt(changes, { isKept }).catch(ignoreEnd)
    if (verb !== 'complete' || !engine.repeats.withDerived) return
    for (const { task } of made) {
      const isFollowed = isOpen(task) && task.repeat !== null && nextRepeat(task, todayHere()) !== undefined
      const isMade = tab.journal.entries().some((entry) => entry.item === task._id && !before.has(entry))
      if (isFollowed && isMade)
        expect(store.current(nextId(String(task.series), task._id)), 'The next task').toBeDefined()
    }
  }

  /** Lets everything reach the server, and takes back what waits for a decision then. */
  async end() {
    this.account.status = undefined
    for (const browser of this.browsers) {
      browser.isOffline = false
      browser.space = Number.POSITIVE_INFINITY
      for (const [index, tab] of browser.tabs.entries()) {
        tab.left = Number.POSITIVE_INFINITY
        if (tab.isDead) browser.open(index)
      }
    }
    for (;;) {
      await catchUp(this.tabs)
      for (const { journal } of this.tabs) this.expectToWait(journal.entries())
      const undecided = this.tabs.filter(({ journal }) => journal.entries().length > 0)
      if (undecided.length === 0) return
      for (const tab of undecided) tab.decide(false)
    }
  }

  /** What is left was rejected, or was made after a rejected change of its item. */
  expectToWait(entries: readonly Entry[]) {
    const stopped = new Set<string>()
    for (const entry of entries) {
      const items = itemsOfEntry(entry)
      const isStopped = entry.failure || items.some((item) => stopped.has(item))
      expect(isStopped, 'An entry that is left awaits a decision').toBeTruthy()
      for (const item of items) stopped.add(item)
      this.undecided.add(entry.mutation)
    }
  }
}
type WorldOptions = typeof world extends fc.Arbitrary<infer Options> ? Options : never

test('Each change that a browser has kept reaches the server once or awaits a decision, whatever fails, every tab equals the server, and no repeat is doubled or ends', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (options) => {
      const opened = await World.open(options)
      const { account, browsers } = opened
      for (const step of options.script) {
        const shown = new Map(opened.tabs.map((tab) => [tab, [...tab.store.tasks()]]))
        await opened.perform(step).catch(ignoreEnd)
        await idle()
        if (step.kind !== 'network') continue
        for (const [tab, tasks] of shown) await expectNoneGone(account, tab, tasks)
      }
      await opened.end()

      expect(vi.mocked(console.error).mock.calls.filter(([error]) => isUnexpected(error))).toEqual([])
      for (const { stored } of browsers)
        expect(Object.keys(stored).filter((key) => key.startsWith('outbox'))).toEqual([])
      expect(await account.repeated()).toEqual([])
      await expectNoneLost(opened, options)
      const tasks = await account.tasks()
      for (const { store, journal } of opened.tabs) {
        expect(sorted(store.tasks())).toEqual(tasks.map((task) => ({ ...task, kind: 'task' })))
        expect(journal.unstored()).toBe(0)
      }
      const byId = new Map(tasks.map((task) => [task._id, task]))
      for (const { _id, series } of tasks) {
        // The first task may have been removed for good.
        if (series === null || !byId.has(series)) continue
        const chain = chainOf(series, (id) => byId.get(id))
        expect(chain, 'A completed task has one next task').toContain(byId.get(_id))
        expectToBeWhole(chain, account)
      }
      for (const { stop } of opened.all) stop()
    }),
    { numRuns },
  )
})

/** The tab has ended in the middle of what it did. */
function ignoreEnd(error: unknown) {
  if ((error as Error).message !== 'dead') throw error
}

/** An error of the page itself. */
const isUnexpected = (error: unknown) => !(error instanceof Error) || error instanceof TypeError

/** An answer removes no task from a page that has heard of all of it. A next task that was removed and made again is shown when the log has both. */
async function expectNoneGone(account: Account, tab: SteppedTab, before: readonly Task[]) {
  const gone = before.filter(({ _id }) => !tab.isDead && tab.events.length === 0 && !tab.task(_id))
  if (gone.length === 0) return
  const left = new Set((await account.tasks()).map(({ _id }) => _id))
  const purged = (await account.log()).filter(({ event }) => event === 'purge')
  const wasPurged = ({ _id, version }: Task) => purged.some(({ item, seq }) => item === _id && seq > version)
  expect(gone.filter((task) => left.has(task._id) && !wasPurged(task))).toEqual([])
}

/** The server has each change, or somebody was told or has decided that it was not stored, or it was not needed any more. */
async function expectNoneLost({ account, all, undecided }: World, { script, hasLocks }: WorldOptions) {
  const log = await account.log()
  const applied = new Set(log.map(({ mutation }) => mutation))
  const effective = new Set(log.flatMap(({ mutation, event }) => (event === 'same' ? [] : [mutation])))
  const entries = [...all].flatMap(({ made }) => made)
  const told = new Set([...all].flatMap((tab) => [...tab.told]))
  const purged = new Set(log.flatMap(({ item, event }) => (event === 'purge' ? [item] : [])))
  // With a full storage, the other tabs do not learn that one has begun to send.
  const wasFull = script.some((step) => step.kind === 'full' && step.is)
  for (const { withdrawn } of wasFull ? [] : all)
    for (const mutation of withdrawn)
      expect(applied.has(mutation), 'A withdrawn change is applied').toBe(false)
  const lost = entries.filter((entry) => {
    const { mutation, item } = entry
    if (applied.has(mutation) || told.has(mutation) || undecided.has(mutation)) return false
    // It went with the addition of its item.
    if (entries.some((own) => own.item === item && !own.was && told.has(own.mutation))) return false
    if ('check' in entry)
      return !account.versions.some(
        ({ _id, body }) => _id === item && body.includes('[x]') === entry.check.checked,
      )
    if (!('undo' in entry)) return true
    const hasBeen = ([id, values]: [string, object | null]) =>
      values === null || account.versions.some((task) => task._id === id && hasValues(task, { ...values }))
    if (Object.entries(entry.shows).every(hasBeen)) return false
    const isExplained = ({ mutation }: Entry) => told.has(mutation) && (!hasLocks || purged.has(item))
    const undone = entries.filter((other) => nameOf(other) === entry.undo.of)
    return undone.some((other) => effective.has(other.mutation) && !isExplained(other))
  })
  expect(lost, 'Lost changes').toEqual([])
}

/** No task of a repeat but the last is open, and the last one is, unless it was its last time or a person ended the repeat. */
function expectToBeWhole(chain: readonly Task[], { versions }: Account) {
  const was = ({ _id }: Task, is: (task: Task) => unknown) =>
    versions.some((task) => task._id === _id && is(task))
  for (const [index, task] of chain.entries())
    if (chain[index + 1] && isOpen(task))
      expect(
        was(task, (earlier) => !isOpen(earlier)),
        `${task.title} was open before`,
      ).toBe(true)
  const last = chain.at(-1) as Task
  const isEnded = was(last, ({ deletedAt, repeat }) => deletedAt !== null || repeat === null)
  if (!last.repeat?.includes('COUNT'))
    expect(last.doneAt === null || isEnded, `${last.title} goes on`).toBe(true)
}

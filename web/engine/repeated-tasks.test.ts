import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { todayHere } from '#contract/days.ts'
import { nextId, nextRepeat } from '#contract/repeats.ts'
import type { Task } from '#contract/tasks.ts'
import { createChanges, type Repeats } from './changes.ts'
import type { NewChange } from './entry.ts'
import { createAllFetched } from './store/fetched.ts'
import { Browser, calm, idle, type Tab } from './testing/browser.ts'
import { ChangeServer } from './testing/change-server.ts'
import { testNeeds } from './testing/test-needs.ts'
import { createUndo } from './undo.ts'
import { createUndoHistory } from './undo-history.ts'
import { edit } from './verbs/add-edit.ts'
import { complete, remove, reopen, restore } from './verbs/complete.ts'
import * as derived from './verbs/derived-changes.ts'
import { move, stop } from './verbs/plan.ts'

const dayLength = 86_400_000
const noon = Date.parse('2026-11-21T12:00Z')

/** The first tasks of three repeats. Two never end. */
const first = {
  daily: { repeat: 'FREQ=DAILY', repeatDay: '2026-11-20', body: '- [x] line' },
  counted: { repeat: 'FREQ=WEEKLY;BYDAY=MO,TH,SA;COUNT=5', repeatDay: '2026-11-21' },
  late: { repeat: 'FREQ=DAILY;INTERVAL=3', repeatDay: '2026-11-18', repeatFrom: 'done' },
} as const satisfies Record<string, Partial<Task>>

/** The code of repeats in all pages. */
const repeats: Repeats = {}

/** A device with one page, which makes changes by its verbs and takes them back by its bar. */
class Device {
  readonly browser: Browser
  /** In milliseconds: how far its clock is before that of the others. */
  readonly ahead: number
  tab!: Tab
  changes!: ReturnType<typeof createChanges>
  undo!: ReturnType<typeof createUndo>
  /** Of all entries that the device has ever had, those that were not undos, by mutation. */
  entries = new Map<string, { item: string }>()
  told = new Set<string>()

  constructor(server: ChangeServer, name: string, ahead: number) {
    this.browser = new Browser(server, true, 1, name)
    this.ahead = ahead
    this.open()
  }

  /** Builds the page around its journal. */
  open() {
    this.tab = this.browser.tabs[0] as Tab
    const { store, journal } = this.tab
    const history = createUndoHistory()
    journal.onNumbered(history.getState().numbered)
    journal.subscribe(() => {
      for (const entry of journal.entries()) if (!('undo' in entry)) this.entries.set(entry.mutation, entry)
    })
    this.changes = createChanges({
      needs: testNeeds(),
      fetched: createAllFetched(),
      ...{ store, journal, history, repeats },
    })
    this.undo = createUndo({ store, journal, history, changes: this.changes })
  }

  close() {
    this.rejected()
    this.tab.die()
    this.browser.open(0)
    this.open()
  }

  /** The tasks of a repeat in their order, as the page shows them. */
  tasksOf(series: string): Task[] {
    const all = chainOf(series, (id) => this.tab.store.task(id))
    const open = all.filter(({ doneAt, deletedAt }) => doneAt === null && deletedAt === null)
    return [...open, ...all.filter((task) => !open.includes(task)).toReversed()]
  }

  perform(series: string, which: number, verb: (typeof verbs)[number]) {
    const { store } = this.tab
    const tasks = this.tasksOf(series)
    const task = tasks[which % tasks.length]
    const change = task && changeOf(this, task, verb)
    if (!task || !change) return
    this.changes.attempt([change])
    if (verb !== 'complete' || task.doneAt !== null || task.deletedAt !== null || !repeats.withDerived) return
    const isLast = task.repeat === null || nextRepeat(task, todayHere()) === undefined
    const next = store.current(nextId(series, task._id))
    expect(isLast || next !== undefined, 'The next task is shown at once').toBe(true)
  }

  async reverse(direction: 'undo' | 'redo') {
    const before = this.tab.journal.entries()
    this.undo.reverse(direction)
    const left = this.tab.journal.entries()
    for (const { mutation } of before)
      if (!left.some((entry) => entry.mutation === mutation)) this.told.add(mutation)
  }

  /** Remembers the changes whose callers were told that they were not stored. */
  rejected() {
    for (const mutation of this.tab.rejected) this.told.add(mutation)
  }

  /** The changes that the server does not have, and of which nobody was told. */
  lost(server: ChangeServer): string[] {
    this.rejected()
    return [...this.entries.keys()].filter((name) => !server.applied.has(name) && !this.told.has(name))
  }
}

const verbs = [
  'complete',
  'complete',
  'complete',
  'skip',
  'move',
  'edit',
  'change rule',
  'stop',
  'delete',
  'restore',
  'reopen',
  'keep today',
] as const

function changeOf(
  { tab: { store } }: Device,
  task: Task,
  verb: (typeof verbs)[number],
): NewChange | undefined {
  if (verb === 'skip') return derived.skipThis(task)
  if (verb === 'keep today') return derived.keepToday(store, task)
  if (verb === 'move') return move.make(task, '2026-11-28')
  if (verb === 'edit') return edit.make(task, { ...task, title: `${task.title}!` })
  if (verb === 'change rule') return edit.make(task, { ...task, repeat: 'FREQ=DAILY;INTERVAL=2' })
  if (verb === 'stop') return stop.make(task)
  if (verb === 'delete') return remove.make(task)
  if (verb === 'restore') return restore.make(task)
  return verb === 'reopen' ? reopen.make(task) : complete.make(task)
}

/** The tasks of a repeat: the first one, and each that follows from the one before. */
function chainOf(series: string, taskOf: (id: string) => Task | undefined): Task[] {
  const chain: Task[] = []
  for (let id = series, task = taskOf(id); task; id = nextId(series, id), task = taskOf(id)) chain.push(task)
  return chain
}

const device = fc.nat(1)
const action = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('make' as const),
      device,
      series: fc.constantFrom(...Object.keys(first)),
      which: fc.constantFrom(0, 0, 0, 1, 2),
      verb: fc.constantFrom(...verbs),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('reverse' as const),
      device,
      direction: fc.constantFrom('undo' as const, 'undo', 'redo'),
    }),
  },
  {
    weight: 16,
    arbitrary: fc.record({
      kind: fc.constant('network' as const),
      device,
      index: fc.nat(3),
      how: fc.constantFrom('answer' as const, 'answer', 'answer', 'double', 'lose answer', 'lose request'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wake' as const), device }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('stream' as const), device }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('catch up' as const), device }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('offline' as const), device, is: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('open again' as const), device }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('next day' as const) }) },
)
type Action = typeof action extends fc.Arbitrary<infer Each> ? Each : never

async function perform(server: ChangeServer, devices: readonly Device[], step: Action, now: number) {
  const at = 'device' in step ? devices[step.device] : undefined
  if (!at) return
  vi.setSystemTime(now + at.ahead)
  if (step.kind === 'make') at.perform(step.series, step.which, step.verb)
  if (step.kind === 'reverse') at.reverse(step.direction)
  if (step.kind === 'network') at.tab.step(step.index, step.how)
  if (step.kind === 'wake') at.tab.waits.shift()?.()
  if (step.kind === 'stream') at.tab.replication.onCursor(server.cursor)
  if (step.kind === 'offline') at.browser.isOffline = step.is
  if (step.kind === 'open again') at.close()
  if (step.kind !== 'catch up' || at.browser.isOffline) return
  at.tab.replication.onCursor(server.cursor)
  await calm([at.tab])
}

const sorted = (tasks: Iterable<Task>) => [...tasks].sort((one, other) => (one._id < other._id ? -1 : 1))

/** `npm run torture` runs thousands. */
const numRuns = process.env.TORTURE ? 5000 : 200

beforeEach(() => {
  // A script does not wait for timers.
  vi.stubGlobal('setTimeout', (work: () => void) => setImmediate(work))
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
afterAll(() => {
  for (const name of Object.keys(repeats)) delete repeats[name as keyof typeof repeats]
})

test('Two devices that complete, skip, move, edit, stop, delete and undo the same tasks agree, and no repeat is doubled or ends', async () => {
  const scripts = fc.array(action, { maxLength: 60, size: 'max' })
  const aheads = fc.constantFrom(0, dayLength)
  await fc.assert(
    fc.asyncProperty(scripts, aheads, fc.boolean(), async (script, ahead, isLoaded) => {
      if (isLoaded) Object.assign(repeats, derived)
      else for (const name of Object.keys(repeats)) delete repeats[name as keyof typeof repeats]
      vi.setSystemTime(noon)
      const server = new ChangeServer()
      for (const [id, task] of Object.entries(first))
        server.edit(id, { title: id, dueDate: task.repeatDay, series: id, ...task })
      const devices = [new Device(server, 'm', 0), new Device(server, 'n', ahead)]
      await calm(devices.map(({ tab }) => tab))
      let now = noon
      for (const step of script) {
        if (step.kind === 'next day') now += dayLength
        const shown = devices.map(({ tab }) => [...tab.store.tasks()])
        await perform(server, devices, step, now)
        await idle()
        if (step.kind !== 'network') continue
        const gone = shown.map((tasks, index) =>
          tasks.filter(
            (task) =>
              server.state.tasks.has(task._id) &&
              !devices[index]?.tab.store.task(task._id) &&
              // A next task that was removed and made again is shown when the log has both.
              !server.wasPurged(task._id, task.version),
          ),
        )
        expect(gone.flat(), 'An answer removes no task from the page').toEqual([])
      }
      await end(server, devices)
      for (const each of devices) {
        expect(sorted(each.tab.store.tasks())).toEqual(sorted(server.state.tasks.values()))
        expect(each.lost(server)).toEqual([])
      }
      expect(server.effective, 'Nothing is applied twice').toEqual([...new Set(server.effective)])
      const chains = Object.keys(first).map((series) => chainOf(series, (id) => server.state.tasks.get(id)))
      expect(sorted(chains.flat()), 'A completed task has one next task').toEqual(
        sorted(server.state.tasks.values()),
      )
      for (const chain of chains) expectToBeWhole(chain, server)
    }),
    { numRuns },
  )
}, 600_000)

test('Without a network, two devices complete the same task and change what follows, and nothing is asked or lost', async () => {
  Object.assign(repeats, derived)
  vi.setSystemTime(noon)
  const server = new ChangeServer()
  server.edit('daily', { title: 'daily', dueDate: '2026-11-20', series: 'daily', ...first.daily })
  const devices = [new Device(server, 'm', 0), new Device(server, 'n', dayLength)] as const
  await calm(devices.map(({ tab }) => tab))
  const change = ({ tab, changes }: Device, item: string, verb: (task: Task) => NewChange) =>
    changes.attempt([verb(tab.store.task(item) as Task)])
  const next = nextId('daily', 'daily')
  for (const each of devices) {
    each.browser.isOffline = true
    vi.setSystemTime(noon + each.ahead)
    change(each, 'daily', complete.make)
  }
  change(devices[0], next, (task) => edit.make(task, { ...task, priority: 'low' }))
  change(devices[1], next, (task) => edit.make(task, { ...task, title: 'Vitamins' }))
  change(devices[1], next, (task) => move.make(task, '2026-12-24'))
  change(devices[1], next, (task) => edit.make(task, { ...task, title: 'Vitamin D' }))
  for (const each of devices) {
    each.browser.isOffline = false
    // The log comes after the answers.
    for (let left = 60; left > 0 && each.tab.journal.entries().length > 0; left--) {
      for (const wait of each.tab.waits.splice(0)) wait()
      each.tab.step(each.tab.requests.length - 1, 'answer')
      await idle()
    }
    expect(each.tab.journal.entries()).toEqual([])
  }
  await end(server, devices)
  for (const { tab } of devices)
    expect(tab.store.task(next)).toMatchObject({
      ...{ title: 'Vitamin D', priority: 'low', dueDate: '2026-12-24', repeatDay: '2026-11-22' },
      doneAt: null,
    })
})

test('A change that was made after an undo, taken back and made again stays when the server rejects that undo', async () => {
  Object.assign(repeats, derived)
  vi.setSystemTime(noon)
  const server = new ChangeServer()
  for (const id of ['first', 'second']) server.edit(id, { title: id, dueDate: '2026-11-20' })
  const devices = [new Device(server, 'm', 0), new Device(server, 'n', 0)] as const
  const [other, own] = devices
  await calm(devices.map(({ tab }) => tab))
  const make = ({ tab, changes }: Device, item: string, verb: (task: Task) => NewChange) =>
    changes.attempt([verb(tab.store.task(item) as Task)])
  make(own, 'first', (task) => edit.make(task, { ...task, title: 'Own' }))
  await idle()
  await own.reverse('undo')
  make(own, 'second', complete.make)
  await own.reverse('undo')
  await own.reverse('redo')
  // The server has the first change, and the page has no answer yet.
  own.tab.step(0, 'answer')
  other.tab.replication.onCursor(server.cursor)
  await calm([other.tab])
  make(other, 'first', (task) => edit.make(task, { ...task, title: 'Other' }))
  await calm([other.tab])
  await end(server, devices)
  expect(own.tab.store.task('first')?.title).toBe('Other')
  expect(own.tab.store.task('second')?.doneAt).not.toBeNull()
})

test('The next task stays shown when the completed one was completed and deleted by another device', async () => {
  Object.assign(repeats, derived)
  vi.setSystemTime(noon)
  const server = new ChangeServer()
  server.edit('daily', { title: 'daily', dueDate: '2026-11-20', series: 'daily', ...first.daily })
  const [other, own] = [new Device(server, 'm', 0), new Device(server, 'n', 0)] as const
  await calm([other.tab, own.tab])
  other.perform('daily', 0, 'complete')
  other.perform('daily', 1, 'delete')
  await calm([other.tab])
  own.perform('daily', 0, 'complete')
  await idle()
  for (const _ of ['request', 'answer']) own.tab.step(0, 'answer')
  await idle()
  expect(own.tab.journal.entries()).toEqual([])
  expect(own.tab.store.task(nextId('daily', 'daily'))).toBeDefined()
  await end(server, [other, own])
  expect(sorted(own.tab.store.tasks())).toEqual(sorted(server.state.tasks.values()))
})

/** Lets both devices reach the server, and takes back what waits for a decision. */
async function end(server: ChangeServer, devices: readonly Device[]) {
  const tabs = () => devices.map(({ tab }) => tab)
  for (const { browser } of devices) browser.isOffline = false
  for (;;) {
    await calm(tabs())
    // The stream.
    for (const { replication } of tabs()) replication.onCursor(server.cursor)
    await calm(tabs())
    const undecided = devices.filter(({ tab }) => tab.journal.entries().length > 0)
    if (undecided.length === 0) return
    for (const { tab, told } of undecided) {
      expect(tab.journal.entries().some(({ failure }) => failure)).toBe(true)
      for (const { mutation } of tab.journal.entries()) told.add(mutation)
      tab.decide(false)
    }
  }
}

/** No task of a repeat but the last is open, and the last one is, unless it was its last time or a person ended the repeat. */
function expectToBeWhole(chain: readonly Task[], { reopened, versions }: ChangeServer) {
  for (const [index, task] of chain.entries()) {
    const next = chain[index + 1]
    const isOpen = task.doneAt === null && task.deletedAt === null
    if (next && isOpen) expect(reopened.has(task._id), `${task.title} is open once`).toBe(true)
  }
  const last = chain.at(-1) as Task
  const isEnded = versions.some(({ _id, deletedAt, repeat }) => _id === last._id && (deletedAt || !repeat))
  if (!last.repeat?.includes('COUNT'))
    expect(last.doneAt === null || isEnded, `${last.title} goes on`).toBe(true)
}

test('A completion shows the next task again that was deleted before, with and without a network', async () => {
  Object.assign(repeats, derived)
  vi.setSystemTime(noon)
  const server = new ChangeServer()
  server.edit('daily', { title: 'daily', dueDate: '2026-11-20', series: 'daily', ...first.daily })
  const own = new Device(server, 'm', 0)
  const next = nextId('daily', 'daily')
  for (const step of ['complete', 'delete', 'reopen', 'complete'] as const) {
    await calm([own.tab])
    own.browser.isOffline = step === 'complete'
    own.perform(
      'daily',
      step === 'delete' ? 0 : own.tasksOf('daily').findIndex(({ _id }) => _id === 'daily'),
      step,
    )
    if (step === 'complete') expect(own.tab.store.task(next)?.deletedAt).toBeNull()
    own.browser.isOffline = false
  }
  await end(server, [own])
  expect(server.state.tasks.get(next)).toMatchObject({ deletedAt: null, dueDate: '2026-11-22' })
  expect(own.tab.store.task(next)).toEqual(server.state.tasks.get(next))
})

import fc from 'fast-check'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import { ProblemError } from '../../api/client.ts'
import { type Entry, itemsOfEntry, nameOf, type Values } from '../entry.ts'
import { createStore } from '../store/store.ts'
import { Browser, calm, changes, idle, type Tab } from '../testing/browser.ts'
import { at, ChangeServer, problem } from '../testing/change-server.ts'
import { createJournal, type Needs } from './journal.ts'
import { sendable } from './requests.ts'

/** Of the times of completion and deletion, only whether there is one counts. */
const areSame = (task: Task, values: Values) =>
  Object.entries(values).every(([name, value]) => {
    const own = task[name as keyof Task]
    return name.endsWith('At') ? (own === null) === (value === null) : own === value
  })

const tab = fc.nat(2)
const id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const of = <Kind extends string, Values extends object>(
  kind: Kind,
  weight: number,
  values: { [Name in keyof Values]: fc.Arbitrary<Values[Name]> },
) => ({
  weight,
  arbitrary: fc.record({ kind: fc.constant(kind), ...values }) as never as fc.Arbitrary<
    { kind: Kind } & Values
  >,
})

const how = fc.constantFrom(
  'answer' as const,
  'answer',
  'answer',
  'answer',
  'double',
  'lose answer',
  'lose request',
)
const action = fc.oneof(
  of('make', 8, {
    tab,
    ids: fc.oneof(
      { weight: 2, arbitrary: fc.tuple(id) },
      { weight: 1, arbitrary: fc.uniqueArray(id, { minLength: 2 }) },
    ),
    change: fc.constantFrom(...changes),
    isKept: fc.boolean(),
  }),
  of('undo', 3, { tab, index: fc.nat(9) }),
  of('decide', 1, { tab, isRetried: fc.boolean() }),
  of('network', 20, { tab, index: fc.nat(3), how }),
  of('event', 6, { tab, count: fc.nat(3) }),
  of('wake', 4, { tab }),
  of('stream', 3, { tab }),
  of('die', 1, { tab, left: fc.nat(8) }),
  of('reload', 1, { tab }),
  of('full', 1, { is: fc.boolean() }),
  of('offline', 1, { is: fc.boolean() }),
  of('status', 1, { status: fc.constantFrom(undefined, undefined, 401, 403, 412, 429, 503, 507) }),
  of('elsewhere', 2, {
    id,
    set: fc.constantFrom<Partial<Task>>({ title: 'three' }, { body: 'text\n- [x] line' }, { deletedAt: at }),
  }),
  of('purge', 1, { id }),
)

type Action = typeof action extends fc.Arbitrary<infer Each> ? Each : never

function perform(browser: Browser, step: Action) {
  const { server } = browser
  const at = 'tab' in step ? (browser.tabs[step.tab] as Tab) : undefined
  if (step.kind === 'reload' && at) {
    at.die()
    browser.open(step.tab)
  }
  if (step.kind === 'full') browser.isFull = step.is
  if (step.kind === 'offline') server.isOffline = step.is
  if (step.kind === 'status') server.status = step.status
  if (step.kind === 'elsewhere' && server.state.tasks.has(step.id)) server.edit(step.id, step.set)
  if (step.kind === 'purge') server.purge(step.id)
  if (!at || at.isDead) return
  if (step.kind === 'make') at.change(step.ids, step.change, step.isKept)
  if (step.kind === 'undo') at.undo(step.index)
  if (step.kind === 'decide') at.decide(step.isRetried)
  if (step.kind === 'network') at.step(step.index, step.how)
  if (step.kind === 'event') for (const event of at.events.splice(0, step.count)) event()
  if (step.kind === 'wake') at.waits.shift()?.()
  if (step.kind === 'stream') at.replication.onCursor(server.cursor)
  if (step.kind === 'die') at.left = step.left
}

const sorted = (tasks: Iterable<Task>) => [...tasks].sort((one, other) => (one._id < other._id ? -1 : 1))

/** `npm run torture` runs thousands. */
const numRuns = process.env.TORTURE ? 5000 : 200

// A script does not wait for timers.
vi.stubGlobal('setTimeout', (work: () => void) => setImmediate(work))
afterAll(() => vi.unstubAllGlobals())

test('Each change that a device has kept reaches the server once or awaits a decision, whatever fails, and every store equals the server', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { maxLength: 80, size: 'max' }),
      fc.boolean(),
      async (script, hasLocks) => {
        errors.mockClear()
        const server = new ChangeServer()
        for (const title of ['a', 'b', 'c']) server.edit(title, { title, body: '- [ ] line' })
        server.edit('c', {
          dueDate: '2026-11-24',
          repeat: 'FREQ=DAILY',
          repeatDay: '2026-11-24',
          series: 'c',
        })
        const browser = new Browser(server, hasLocks)
        const all = new Set(browser.tabs)
        await calm(browser.tabs)
        for (const step of script) {
          try {
            perform(browser, step)
          } catch (error) {
            if ((error as Error).message !== 'dead') throw error
          }
          await idle()
          for (const each of browser.tabs) all.add(each)
        }
        browser.isFull = server.isOffline = false
        server.status = undefined
        for (const [index, each] of browser.tabs.entries()) {
          each.left = Number.POSITIVE_INFINITY
          if (each.isDead) browser.open(index)
        }
        for (const each of browser.tabs) all.add(each)
        // The stream, which may not have been there for the first read.
        for (const each of browser.tabs) each.replication.onCursor(server.cursor)
        await calm(browser.tabs)

        const undecided = new Set<string>()
        for (;;) {
          const entries = browser.tabs.flatMap((each) => each.journal.entries())
          for (const entry of entries) undecided.add(entry.mutation)
          for (const each of browser.tabs) {
            const stopped = new Set<string>()
            for (const entry of each.journal.entries()) {
              const items = itemsOfEntry(entry)
              const isStopped = entry.failure || items.some((item) => stopped.has(item))
              expect(isStopped, `${entry.mutation} awaits a decision`).toBeTruthy()
              for (const item of items) stopped.add(item)
            }
          }
          if (!entries.some(({ failure }) => failure)) break
          for (const each of browser.tabs) each.decide(false)
          await calm(browser.tabs)
        }

        expect(errors.mock.calls.filter(([error]) => error?.message !== 'dead')).toEqual([])
        expect(server.effective, 'Nothing is applied twice').toEqual([...new Set(server.effective)])
        expect([...browser.stored.keys()], 'The storage is empty').toEqual([])
        const wasFull = script.some((step) => step.kind === 'full' && step.is)
        const entries = [...all].flatMap(({ made }) => made)
        const told = [...all].flatMap(({ rejected, withdrawing }) => [...rejected, ...withdrawing])
        const known = new Set([...told, ...undecided, ...server.applied.keys()])
        for (const each of all)
          for (const { mutation } of each.made) {
            // With a full storage, the other tabs do not learn that one has begun to send.
            if (each.withdrawn.has(mutation) && !wasFull)
              expect(server.applied.has(mutation), `${mutation}, which was withdrawn, is not applied`).toBe(
                false,
              )
          }
        // A tab may have ended while it stored the entries of a group: they are not among the made ones.
        for (const mutation of server.applied.keys())
          expect(Number(mutation.slice(1)), `${mutation} was made`).toBeLessThan(browser.made)
        const isPurged = (id: string) => server.state.log.some(({ item, isPurge }) => item === id && isPurge)
        const lost = entries.filter((entry) => {
          const { mutation, item } = entry
          if (known.has(mutation)) return false
          // It went with the addition of its item.
          if (entries.some((own) => own.item === item && !own.was && told.includes(own.mutation)))
            return false
          if ('undo' in entry) {
            const undone = entries.filter((other) => nameOf(other) === entry.undo.of)
            const isExplained = ({ mutation }: Entry) =>
              told.includes(mutation) && (!hasLocks || isPurged(item))
            const hasBeen = ([id, values]: [string, Values | null]) =>
              server.versions.some((task) => task._id === id && areSame(task, values ?? {}))
            if (Object.entries(entry.shows).every(hasBeen)) return false
            return undone.some(
              (other) => server.applied.get(other.mutation)?.seq !== undefined && !isExplained(other),
            )
          }
          if ('check' in entry)
            return !server.versions.some(
              ({ _id, body }) => _id === item && body.includes('[x]') === entry.check.checked,
            )
          return true
        })
        expect(lost).toEqual([])

        // An item that a tab took from the answer of another one, and that was purged since, is removed with the next change.
        server.edit('last', { title: 'last' })
        for (const each of browser.tabs) each.replication.onCursor(server.cursor)
        await calm(browser.tabs)
        for (const each of browser.tabs) {
          expect(sorted(each.store.tasks())).toEqual(sorted(server.state.tasks.values()))
          expect(each.journal.unstored()).toBe(0)
        }
      },
    ),
    { numRuns },
  )
}, 600_000)

test('A group that is being sent is taken back by one call, and at once all its items are shown as before', async () => {
  const server = new ChangeServer()
  for (const title of ['a', 'b']) server.edit(title, { title })
  const { tabs } = new Browser(server, true)
  await calm(tabs)
  const [tab] = tabs as [Tab]
  const titles = () => sorted(tab.store.tasks()).map(({ title }) => title)
  tab.change(['a', 'b'], { title: 'one' }, false)
  await idle()
  expect(titles()).toEqual(['one', 'one'])
  tab.undo(0)
  expect(titles()).toEqual(['a', 'b'])
  await calm(tabs)
  expect([...server.state.tasks.values()].map(({ title }) => title)).toEqual(['a', 'b'])
  expect(server.effective).toEqual(['m0', 'm1', 'm2'])
})

test('200 changes that were made without a network are shown at once, sent in order in two calls, and the number of the rest falls', async () => {
  const server = new ChangeServer()
  const browser = new Browser(server, true)
  const { tabs } = browser
  await calm(tabs)
  const [tab] = tabs as [Tab]
  server.isOffline = true
  const ids = Array.from({ length: 100 }, (_, index) => `t${String(index).padStart(2, '0')}`)
  for (const each of ids) tab.change([each], 'create', false)
  await idle()
  tab.step(0, 'answer')
  await idle()
  for (const each of ids) tab.change([each], { done: true }, false)
  const isShown = () => sorted(tab.store.tasks()).filter(({ doneAt }) => doneAt !== null).length === 100
  expect(isShown()).toBe(true)
  expect(tab.journal.entries()).toHaveLength(200)

  const rest: number[] = []
  tab.journal.subscribe(() => rest.push(tab.journal.entries().length))
  server.isOffline = false
  await calm(tabs)
  expect([...new Set(rest)]).toEqual([200, 100, 0])
  expect(server.effective).toEqual(tab.made.map(({ mutation }) => mutation))
  expect(isShown()).toBe(true)
  expect([...browser.stored.keys()]).toEqual([])
  for (const each of tabs) expect(sorted(each.store.tasks())).toEqual(sorted(server.state.tasks.values()))
})

test('A change is stored on the device before it is shown, and refused and not shown if there is no space for it and its group', async () => {
  const browser = new Browser(new ChangeServer(), true)
  const [tab] = browser.tabs as [Tab]
  await calm(browser.tabs)
  const told: [stored: number, unstored: number][] = []
  onTestFinished(tab.journal.subscribe(() => told.push([browser.stored.size, tab.journal.unstored()])))
  tab.change(['a'], 'create', false)
  browser.isFull = true
  tab.change(['b'], 'create', true)
  browser.isFull = false
  browser.left = 1
  tab.change(['c', 'd'], 'create', false)
  expect(told).toEqual([[1, 0]])
  expect([...tab.store.tasks()].map(({ _id }) => _id)).toEqual(['a'])
  expect([...browser.stored.keys()]).toEqual([tab.made[0]?.mutation])
  await idle()
  expect(tab.rejected).toEqual(new Set(tab.made.slice(1).map(({ mutation }) => mutation)))
})

test('A change that is taken back while it is sent stays taken back, wherever the only tab ends after the answer', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  for (let accesses = 0; accesses < 12; accesses++) {
    const server = new ChangeServer()
    server.edit('a', { title: 'a' })
    const browser = new Browser(server, true)
    const [tab, ...others] = browser.tabs as [Tab, ...Tab[]]
    for (const other of others) other.die()
    await calm([tab])
    tab.change(['a'], { title: 'one' }, false)
    await idle()
    tab.undo(0)
    tab.step(0, 'answer')
    tab.left = accesses
    tab.step(0, 'answer')
    await idle()
    tab.die()
    browser.open(0)
    await calm(browser.tabs.slice(0, 1))
    expect(server.state.tasks.get('a')?.title).toBe('a')
    expect(browser.tabs[0]?.journal.entries()).toEqual([])
  }
})

test('The same undo in two tabs leaves nothing to decide', async () => {
  const server = new ChangeServer()
  server.edit('a', { title: 'a' })
  const { tabs } = new Browser(server, true)
  await calm(tabs)
  const seq = server.edit('a', { title: 'b' }) ?? 0
  for (const tab of tabs)
    tab.make([{ item: 'a', undo: { seq }, shows: { a: { title: 'a' } } }], { isKept: true })
  await calm(tabs)
  expect(server.state.tasks.get('a')?.title).toBe('a')
  expect(tabs.flatMap(({ journal }) => journal.entries())).toEqual([])
  expect(server.effective).toEqual(['m0'])
})

const press = fc.oneof(
  of('press', 4, {
    tab,
    ids: fc.constantFrom(['a'], ['a', 'b'], ['new']),
    change: fc.constantFrom(
      ...(['create', 'tick', { title: 'one' }, { title: 'two' }] as const),
      ...([{ done: true }, { done: false }, { deleted: true }] as const),
    ),
  }),
  of('undo', 2, {}),
  of('network', 20, { tab, index: fc.nat(2), how }),
  of('event', 6, { tab, count: fc.nat(3) }),
  of('wake', 4, { tab }),
  of('stream', 3, { tab }),
)

test('Whichever tab sends a change, each tab shows what was pressed until the next press', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  await fc.assert(
    fc.asyncProperty(fc.array(press, { maxLength: 40, size: 'max' }), async (script) => {
      const server = new ChangeServer()
      for (const title of ['a', 'b']) server.edit(title, { title, body: '- [ ] line' })
      const { tabs } = new Browser(server, true)
      await calm(tabs)
      const shownIn = ({ store }: Tab, id: string) => {
        const { title, body, doneAt, deletedAt } = store.task(id) ?? { deletedAt: at }
        return deletedAt === null && JSON.stringify([title, body, doneAt !== null])
      }
      const wrong: unknown[] = []
      let wanted: Record<string, unknown> | undefined
      for (const each of tabs) {
        each.store.subscribe((ids) => {
          for (const id of ids)
            if (wanted && shownIn(each, id) !== wanted[id]) wrong.push([shownIn(each, id), wanted[id]])
        })
        // A browser has queued the event of everything that can be read.
        const access = each.access.bind(each)
        each.access = (work) => {
          setImmediate(() => each.events.splice(0).map((event) => event()))
          return access(work)
        }
      }
      const deliver = () => tabs.flatMap(({ events }) => events.splice(0)).map((event) => event())
      let last: Tab | undefined
      for (const step of script) {
        if (step.kind === 'press' || step.kind === 'undo') {
          deliver()
          wanted = undefined
          const own = step.kind === 'press' ? tabs[step.tab] : last
          const made = own?.made.length ?? 0
          if (own && step.kind === 'press') {
            const isThere = (id: string) => shownIn(own, id) !== false || step.change === 'create'
            own.change(step.ids.filter(isThere), step.change, false)
            if (own.made.length > made) last = own
          } else if (own) {
            own.undo(made - 1)
            last = undefined
          }
          deliver()
          const [shown = tabs[0] as Tab] = [own]
          wanted = Object.fromEntries(['a', 'b', 'new'].map((id) => [id, shownIn(shown, id)]))
        } else perform(tabs[0]?.browser as Browser, step)
        await idle()
      }
      await calm(tabs)
      expect(wrong).toEqual([])
    }),
    { numRuns },
  )
}, 600_000)

test('A change that was made after the undo of a group waits with it for a decision', () => {
  const entry = { at: 0, was: {} }
  const rejected = {
    ...entry,
    mutation: 'm0',
    order: 1,
    item: 'a',
    set: {},
    status: 'failed',
  }
  const shows = { a: {}, b: {} }
  const undo = { ...entry, mutation: 'm1', order: 2, item: 'a', undo: { of: 'group', isGroup: true }, shows }
  const [later, other] = ['b', 'c'].map((item) => ({ ...entry, mutation: item, order: 3, item, set: {} }))
  expect(sendable([rejected, undo, later, other] as Entry[], createStore())).toEqual([other])
})

/** A journal whose next attempt waits for the returned function. `stored`: what its browser keeps. */
function journalThat(send: Needs['send'], stored = new Map<string, Entry>()) {
  let retry = () => {}
  const store = createStore()
  const journal = createJournal(store, {
    storage: {
      read: () => [...stored.values()],
      get: (mutation) => stored.get(mutation),
      write: (entry) => stored.set(entry.mutation, entry).size > 0,
      remove: (mutation) => stored.delete(mutation),
      follow() {},
    },
    send,
    exclusively: (work) => work(),
    wait: () =>
      new Promise((resolve) => {
        retry = resolve
      }),
    newId: () => `m${stored.size}`,
    now: () => 0,
  })
  onTestFinished(journal.start())
  return { store, journal, retry: () => retry() }
}

const addition = { item: 'a', set: { title: 'a', dueDate: '2026-11-21', priority: 'low' } } as const

test('A change whose call got no answer in time stays as it is shown, and is sent again', async () => {
  const cause = new DOMException('', 'TimeoutError')
  const unanswered = new ProblemError({ type: '', title: '', status: 0, detail: '' }, { cause })
  const send = vi.fn<Needs['send']>().mockRejectedValueOnce(unanswered)
  const server = new ChangeServer()
  send.mockImplementation(async (requests) => server.send(requests))
  const { store, journal, retry } = journalThat(send)
  const [made] = journal.make([addition])
  await made?.outcome
  expect(store.task('a')?.title).toBe('a')
  await idle()
  retry()
  await idle()
  expect([...server.state.tasks.keys()]).toEqual(['a'])
  expect(journal.entries()).toEqual([])
})

test('The changes of a note that the server does not have are sent after its first save, by whichever tab, and their undo before that leaves nothing', async () => {
  const sent: string[] = []
  const note = { _id: 'a', title: 'Draft', snippet: '', pinned: false, createdAt: at, changedAt: at }
  const send: Needs['send'] = async (requests) =>
    requests.map((request) => {
      sent.push(`${request.item} ${JSON.stringify('set' in request && request.set)}`)
      return [
        {
          kind: 'note',
          outcome: 'applied',
          seq: 2,
          item: { ...note, _id: request.item, text: '', deletedAt: at, version: 2 },
        },
      ]
    })
  const stored = new Map<string, Entry>()
  const [here, other] = [journalThat(send, stored), journalThat(send, stored)]
  const remove = () =>
    here.journal.make([{ item: 'a', kind: 'note', set: { deleted: true } }], { isKept: true })
  here.store.showFresh('a', { kind: 'note', ...note, deletedAt: null, version: 0 })
  remove()
  expect(here.store.notes(false)).toEqual([])
  here.journal.withdraw(...here.journal.entries())
  expect(here.store.notes(false)).toMatchObject([{ title: 'Draft' }])
  expect(stored.size).toBe(0)
  remove()
  // The other tab reads what was stored.
  other.journal.make([{ item: 'b', kind: 'note', set: { pinned: true } }], { isKept: true })
  await idle()
  expect(sent).toEqual(['b {"pinned":true}'])
  other.store.put({ notes: [{ ...note, deletedAt: null, version: 1 }] })
  expect(other.store.notes(false)).toEqual([])
  await idle()
  expect(sent.slice(1)).toEqual(['a {"deleted":true}'])
  expect([stored.size, other.store.note('a')?.version]).toEqual([0, 2])
})

test('A call about an item sends its changes first, without the wait for the next attempt', async () => {
  const server = new ChangeServer()
  server.status = 503
  const { journal } = journalThat(async (requests) => server.send(requests))
  journal.make([addition], { isKept: true })
  await idle()
  server.status = undefined
  await journal.answered('a')
  expect([...server.state.tasks.keys()]).toEqual(['a'])
})

test.each([true, false])(
  'A tick whose answer was lost is told as a clash only if it was not made before its line was removed elsewhere: made %s',
  async (isMade) => {
    const server = new ChangeServer()
    server.edit('a', { title: 'a', body: '- [ ] line' })
    const send = vi.fn<Needs['send']>(async (requests) => server.send(requests))
    send.mockImplementationOnce(async (requests) => {
      if (isMade) server.send(requests)
      throw problem(502)
    })
    const { store, journal, retry } = journalThat(send)
    store.put({ tasks: server.list().tasks })
    store.complete()
    journal.make([{ item: 'a', check: { line: 0, text: 'line', checked: true } }])
    await idle()
    server.edit('a', { body: 'other' })
    store.put({ tasks: server.list().tasks })
    retry()
    await idle()
    expect(journal.entries().map(({ failure }) => failure?.status)).toEqual(isMade ? [] : [409])
    expect(server.state.tasks.get('a')?.body).toBe('other')
  },
)

test.each([false, true])(
  'A rejected change stays with its failure, whether its caller waits or not, and holds back later changes of its item alone: kept %s',
  async (isKept) => {
    const server = new ChangeServer()
    for (const title of ['a', 'b']) server.edit(title, { title })
    const { tabs } = new Browser(server, true)
    await calm(tabs)
    const [tab, other] = tabs as [Tab, Tab]
    tab.change(['a'], { title: 'invalid' }, isKept)
    await calm(tabs)
    tab.change(['a'], { priority: 'high' }, isKept)
    tab.change(['b'], { priority: 'high' }, isKept)
    await calm(tabs)
    expect(server.effective).toEqual(['m2'])
    for (const { journal } of [tab, other])
      expect(journal.entries()).toMatchObject([
        { mutation: 'm0', failure: { status: 400, reason: 'Status 400' } },
        { mutation: 'm1' },
      ])
    expect([...tab.rejected]).toEqual(isKept ? [] : ['m0'])
    tab.decide(false)
    await calm(tabs)
    expect(server.effective).toEqual(['m2', 'm1'])
  },
)

test('A change that is taken back while it is sent leaves nothing to decide if it is rejected', async () => {
  const server = new ChangeServer()
  server.edit('a', { title: 'a' })
  const { tabs } = new Browser(server, true)
  await calm(tabs)
  const [tab] = tabs as [Tab]
  tab.change(['a'], { title: 'invalid' }, false)
  await idle()
  tab.undo(0)
  await calm(tabs)
  expect(tabs.flatMap(({ journal }) => journal.entries())).toEqual([])
  expect(tab.store.task('a')?.title).toBe('a')
})

import 'fake-indexeddb/auto'
import { IDBFactory, IDBObjectStore } from 'fake-indexeddb'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import { of } from '../testing/random-steps.ts'
import { createDevice } from './device.ts'
import { createReplication } from './replication.ts'
import { createStore } from './store.ts'
import { LogServer, settled } from './testing/log-server.ts'
import { taskWith } from './testing/task-with.ts'

/** After how many more writes the storage of the browser fails, once. */
let writesUntilFailure = Number.POSITIVE_INFINITY

for (const write of ['put', 'delete', 'clear'] as const) {
  const works = IDBObjectStore.prototype[write] as (...of: unknown[]) => never
  IDBObjectStore.prototype[write] = function (...of: unknown[]) {
    // As in browsers, the transaction ends after the calls that make it.
    if (writesUntilFailure-- === 0) queueMicrotask(() => this.transaction.abort())
    return works.apply(this, of)
  }
}

/** A page with a store, whose requests reach the server and are answered when the script says so. All share a device. */
class Client {
  store = createStore()
  replication = createReplication(this.store)
  device = createDevice({
    database: 'daymark',
    account: 'Ada',
    store: this.store,
    replication: this.replication,
    today: () => '2026-11-21',
    atOnce: { read: 2, written: 2 },
  })
  saves: Promise<void> = Promise.resolve()
  requests: { ask: () => void; fail: () => void; answer?: () => void }[] = []

  /** Opens a page, which is filled from the device. */
  static async open(server: LogServer): Promise<Client> {
    const client = new Client()
    await client.device.load()
    client.replication.start({
      begin() {},
      fetch: (since) => client.send(() => server.changes(since, 2)),
      wait: async () => {},
    })
    return client
  }

  /** Begins to store, while other pages do the same. */
  save(failsAfter = Number.POSITIVE_INFINITY) {
    writesUntilFailure = failsAfter
    this.saves = this.saves.then(this.device.save).catch(() => {})
    return this.saves
  }

  /** Opens a list, whose answer begins to fill the store. */
  async begin(server: LogServer) {
    this.call(() => server.list())
    await this.answerAll()
  }

  send<Answer>(ask: () => Answer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request: Client['requests'][number] = {
        ask: () => {
          const answer = ask()
          request.answer = () => resolve(answer)
        },
        fail: () => reject(new Error('lost')),
      }
      this.requests.push(request)
    })
  }

  /** Sends a write or the request for a list. */
  call(ask: () => { tasks: Task[]; cursor: string; before?: string }) {
    this.send(ask).then(
      ({ tasks, cursor, before }) => {
        const items = tasks.map((item) => ({ kind: 'task' as const, item }))
        this.replication.answered(
          cursor,
          before === undefined ? undefined : { before, delta: { items, cursor, more: false } },
        )
        this.store.put({ tasks })
      },
      () => {},
    )
  }

  /**
   * Completes a repeated task. The page expects the next one, which the answer does not contain. The server makes it, unless another device
   * has ended the repeat.
   */
  complete(server: LogServer, id: string, isEnded: boolean) {
    const next = taskWith({ _id: `${id} next`, title: 'next', createdAt: `${id} next` })
    this.send(() => {
      const { tasks } = server.write(id, { doneAt: '2026-11-21T08:00:00Z' })
      if (!isEnded && !server.state.tasks.has(next._id)) server.write(next._id, { title: 'next' })
      return { tasks, cursor: server.cursor }
    }).then(
      ({ tasks, cursor }) => {
        this.replication.answered(cursor)
        this.store.put({ tasks })
        const version = Number(tasks[0]?.version) + 1
        this.store.expect({ ...next, version }, version)
      },
      () => {},
    )
  }

  /** Fetches all that the server has. */
  async catchUp(server: LogServer) {
    this.replication.onCursor(server.cursor)
    await settled()
    await this.answerAll()
  }

  async answerAll() {
    while (this.requests.length > 0) await this.step(0, 'answer')
  }

  async step(index: number, how: 'answer' | 'lose answer' | 'lose request') {
    const request = this.requests[index % this.requests.length]
    if (!request) return
    if (how !== 'lose request' && !request.answer) request.ask()
    else {
      if (how === 'answer') request.answer?.()
      else request.fail()
      this.requests = this.requests.filter((other) => other !== request)
    }
    await settled()
  }
}

const id = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const client = fc.nat(2)
const set = fc.constantFrom<Partial<Task>>(
  { title: 'one' },
  { title: 'two' },
  { dueDate: '2026-11-25' },
  { dueDate: null },
  { dueTime: '17:30', dueDate: '2026-11-26' },
  { doneAt: '2026-11-21T08:00:00Z' },
  { deletedAt: '2026-11-21T08:00:00Z' },
  { doneAt: null, deletedAt: null },
)
const action = fc.oneof(
  of('write', 4, { client, id, set }),
  of('complete', 2, { client, id, isEnded: fc.boolean() }),
  of('list', 2, { client }),
  of('network', 12, {
    client,
    index: fc.nat(5),
    how: fc.constantFrom('answer' as const, 'answer', 'answer', 'lose answer', 'lose request'),
  }),
  of('stream', 3, { client }),
  of('purge', 1, {
    id: fc.oneof(
      id,
      id.map((each) => `${each} next`),
    ),
  }),
  of('save', 3, { client, failsAfter: fc.option(fc.nat(12), { nil: undefined }) }),
  of('end and open again', 2, { client }),
  of('catch up', 3, { client }),
  of('back up', 1, {}),
  of('restore', 1, {}),
)

/** `npm run torture` runs thousands. */
const numRuns = process.env.TORTURE ? 20_000 : 200

test('A cursor that is announced at any moment of taking the answer to a write is asked for', async () => {
  for (let moment = 0; moment < 20; moment++) {
    const replication = createReplication(createStore())
    const asked: (string | undefined)[] = []
    replication.start({
      begin() {},
      async wait() {},
      async fetch(since) {
        asked.push(since)
        return { items: [], cursor: since === undefined ? '1.a' : '3.c', more: false }
      },
    })
    replication.answered('1.a')
    await settled()
    replication.answered('2.b', { before: '1.a', delta: { items: [], cursor: '2.b', more: false } })
    for (let microtasks = 0; microtasks < moment; microtasks++) await Promise.resolve()
    replication.onCursor('3.c')
    await settled()
    expect(asked, `After ${moment} microtasks`).toEqual([undefined, '2.b'])
  }
})

test('After lost, late, doubled and reordered answers, purges and restores, every store equals the server', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 60 }), fc.boolean(), async (script, isStored) => {
      const server = new LogServer()
      globalThis.indexedDB = new IDBFactory()
      const clients = await Promise.all([0, 1, 2].map(() => Client.open(server)))
      if (isStored) {
        for (const name of ['a', 'b', 'c']) server.write(name, {})
        for (const each of clients) await each.begin(server)
        await clients[0]?.save()
      }
      let backup = structuredClone(server.state)
      for (const step of script) {
        const at = 'client' in step ? (clients[step.client] as Client) : undefined
        if (step.kind === 'write') at?.call(() => server.write(step.id, step.set))
        if (step.kind === 'complete') at?.complete(server, step.id, step.isEnded)
        if (step.kind === 'list') at?.call(() => server.list())
        if (step.kind === 'network') await at?.step(step.index, step.how)
        if (step.kind === 'stream') at?.replication.onCursor(server.cursor)
        if (step.kind === 'save') at?.save(step.failsAfter)
        if (step.kind === 'catch up') await at?.catchUp(server)
        if (step.kind === 'end and open again') {
          at?.device.close()
          clients[step.client] = await Client.open(server)
        }
        if (step.kind === 'purge') server.purge(step.id)
        if (step.kind === 'back up') backup = structuredClone(server.state)
        if (step.kind === 'restore') server.state = structuredClone(backup)
      }
      for (const each of clients) await each.begin(server)
      for (const each of clients) {
        await each.catchUp(server)
        expectToEqual(each, server)
      }
      // Changes that the server does not have are shown, but not stored.
      const set = { title: 'Unsent' }
      const unsent = { mutation: 'm', order: 1, at: 0, item: 'a', set, was: {}, status: 'new' } as const
      for (const each of clients) each.store.layer(new Map([['a', [unsent]]]))
      for (const each of clients) await each.saves
      for (const each of clients) await each.save()
      // The items on the device are enough.
      const next = await Client.open(server)
      expectToEqual(next, server)
      expect(next.replication.cursor).toBe(server.cursor)
    }),
    { numRuns },
  )
})

test('A page that is asked to catch up while it fetches fetches once more', async () => {
  const server = new LogServer()
  const client = await Client.open(server)
  server.write('a', {})
  await client.begin(server)
  client.replication.refresh()
  // The server has read its answer before the next change.
  await client.step(0, 'answer')
  server.write('b', {})
  client.replication.refresh()
  await client.answerAll()
  expectToEqual(client, server)
})

test('A page that has all changes before its own write asks for nothing after the answer, and one with a gap asks', async () => {
  const server = new LogServer()
  const client = await Client.open(server)
  await client.begin(server)
  client.call(() => server.write('a', {}))
  await client.answerAll()
  expect(client.replication.cursor).toBe(server.cursor)
  server.write('b', {})
  client.call(() => server.write('a', { title: 'one' }))
  await client.step(0, 'answer')
  await client.step(0, 'answer')
  expect(client.requests, 'It asks for the change of the other page').toHaveLength(1)
  await client.answerAll()
  expectToEqual(client, server)
})

test('A page whose write is answered after the restore of a backup forgets what the server has lost', async () => {
  const server = new LogServer()
  const client = await Client.open(server)
  const backup = structuredClone(server.state)
  client.call(() => server.write('a', {}))
  await client.step(0, 'answer')
  await client.step(0, 'answer')
  server.state = backup
  client.call(() => server.write('b', {}))
  await client.answerAll()
  expectToEqual(client, server)
})

test('Items that a page had begun to store when a backup was restored are not shown by the next page', async () => {
  const server = new LogServer()
  globalThis.indexedDB = new IDBFactory()
  const client = await Client.open(server)
  server.write('a', {})
  await client.begin(server)
  await client.save()
  const backup = structuredClone(server.state)
  server.write('a', { title: 'one' })
  await client.catchUp(server)
  server.state = backup
  await client.save(2)
  const next = await Client.open(server)
  expect(next.store.task('a')?.title, 'The item is on the device').toBe('one')
  await next.begin(server)
  await next.catchUp(server)
  expectToEqual(next, server)
})

test('A delta that is taken in parts is taken whole', async () => {
  const store = createStore()
  const ids = Array.from({ length: 1001 }, (_, index) => `${index}`)
  const items = ids.map((_id) => ({ kind: 'task' as const, item: taskWith({ _id }) }))
  const replication = createReplication(store)
  replication.start({
    begin() {},
    fetch: async () => ({ items, cursor: '1.h', more: false }),
    async wait() {},
  })
  replication.answered('1.h')
  await vi.waitFor(() => expect(store.isComplete).toBe(true))
  expect([...store.tasks()].map(({ _id }) => _id)).toEqual(ids)
})

function expectToEqual({ store }: Client, server: LogServer) {
  const held = [...store.tasks()].sort((one, other) => (one._id < other._id ? -1 : 1))
  const stored = [...server.state.tasks.values()].sort((one, other) => (one._id < other._id ? -1 : 1))
  expect(held).toEqual(stored)
  expect(store.isComplete).toBe(true)
  const open = stored.filter(({ doneAt, deletedAt }) => doneAt === null && deletedAt === null)
  expect(store.list('latest', '').map(({ _id }) => _id)).toEqual(open.map(({ _id }) => _id).reverse())
  const days = new Map<string, number>()
  for (const { dueDate } of open) if (dueDate !== null) days.set(dueDate, (days.get(dueDate) ?? 0) + 1)
  expect(new Map([...store.openDays()].sort())).toEqual(new Map([...days].sort()))
}

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Delta } from '#contract/changes.ts'
import { priorities } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import type { Schema } from '../database/schema.ts'
import { HttpError } from '../errors.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { addUser, openTestDatabase, type TestDatabase } from '../testing/open-test-database.ts'
import { change, type Mutation, type TaskSet } from './change.ts'
import { cursorOf } from './change-log.ts'
import { findDelta } from './delta.ts'
import { sweepChanges } from './sweep-changes.ts'
import { bytesOf, bytesOfOld, type TaskRow, type Values } from './task-row.ts'
import { undo } from './undo.ts'

const day = 86_400_000
const quota = 2 ** 30

// Few values, so that two clients often change the same field, and sometimes to the same.
const text = fc.constantFrom('one', 'two', 'three', '東京 😀')
const sets = fc.record(
  {
    title: text,
    body: text,
    dueDate: fc.constantFrom('2026-11-21', '2026-11-22'),
    priority: fc.constantFrom(...priorities),
    done: fc.boolean(),
    deleted: fc.boolean(),
  },
  { requiredKeys: [] },
)
const client = fc.nat({ max: 1 })
const edits = fc.oneof(sets, sets, fc.constantFrom<TaskSet>({ deleted: true }, { done: true }))
const actions = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      client,
      title: text,
      deleted: fc.constantFrom(false, false, false, true),
      again: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      client,
      which: fc.nat(),
      set: edits,
      based: fc.constantFrom(true, true, false),
      stale: fc.nat({ max: 2 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      client,
      lost: fc.constantFrom('no', 'request', 'response'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('read' as const),
      client,
      limit: fc.integer({ min: 1, max: 5 }),
      pages: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('undo' as const),
      client,
      back: fc.nat({ max: 6 }),
      group: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('sweep' as const), days: fc.constantFrom(1, 16, 31) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), client, title: text }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'backup' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restore' as const }) },
)

type Action = typeof actions extends fc.Arbitrary<infer Each> ? Each : never

/**
 * A client with a replica and unsent mutations. It stores only what `GET /changes` returns, because a restore would not
 * tell it that the result of a write was lost, and removes a task only if a change says so.
 */
class Client {
  tasks = new Map<string, Task>()
  cursor: string | undefined
  outbox: (Mutation & { mutation: string })[] = []
  readonly device = randomUUID().replaceAll('-', '')

  keep(task: Task) {
    if (task.deletedAt === null) this.tasks.set(task._id, task)
    else this.tasks.delete(task._id)
  }

  /** Returns whether there is more to read. */
  take(delta: Delta): boolean {
    if (delta.reset) {
      this.cursor = undefined
      this.tasks.clear()
      return true
    }
    for (const task of delta.tasks ?? []) this.keep(task)
    for (const id of delta.purged ?? []) this.tasks.delete(id)
    this.cursor = delta.cursor
    return delta.more ?? false
  }
}

type Copy = Record<'users' | 'tasks' | 'changes', object[]>

onEveryEngine('the log of changes', (engine) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openTestDatabase(engine)
  })
  afterAll(() => database.close())

  test('keeps its invariants under random edits, losses, repeats, undos, sweeps, crashes and restores', async () => {
    const property = fc.asyncProperty(fc.array(actions, { minLength: 20, maxLength: 50 }), play)
    await fc.assert(property, { numRuns: engine === 'sqlite' ? 200 : 80 })
    // Scripts without one of these outcomes would not have tested it.
    for (const each of ['applied', 'merged', 'duplicate', 'conflict', 'undone', 'purged', 'trimmed', 'reset'])
      expect([each, seen.get(each) ?? 0]).toEqual([each, expect.toSatisfy((times: number) => times > 0)])
  })

  const seen = new Map<string, number>()
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)

  async function play(script: Action[]) {
    const owner = await database.write((db) => addUser(db))
    const clients = [new Client(), new Client()] as const
    let now = 0
    let backup: Copy | undefined
    let undone: { cursor: string; known: Set<string> } | undefined
    for (const action of script) {
      now += 60_000
      const own = 'client' in action ? (clients[action.client] as Client) : clients[0]
      if (action.kind === 'create') {
        const { title, deleted, again } = action
        const set = { title, dueDate: '2026-11-21', priority: 'low', ...(deleted && { deleted }) } as const
        const purged = (await changesOf(owner)).find(({ kind }) => kind === 'purge')?.item
        own.outbox.push({
          mutation: randomUUID(),
          // An id may be used again after its task was purged.
          item: (again && purged) || randomUUID(),
          set,
          group: own.device.slice(0, 8) + randomUUID().slice(8),
        })
      } else if (action.kind === 'edit') {
        const task = [...own.tasks.values()][action.which % Math.max(1, own.tasks.size)]
        if (!task) continue
        const base = action.based ? { base: Math.max(0, task.version - action.stale) } : {}
        own.outbox.push({ mutation: randomUUID(), item: task._id, set: action.set, ...base })
      } else if (action.kind === 'send') await send(owner, own, action.lost, now)
      else if (action.kind === 'read') await readPages(owner, own, action.limit, action.pages)
      else if (action.kind === 'undo') {
        const { seq } = await accountOf(owner)
        const before = await state(owner)
        const author = { userId: owner, device: own.device }
        const what = { seq: Math.max(0, seq - action.back), group: action.group }
        const failed = await database
          .write((db) => undo(db, author, what, { quota, now }))
          .then(
            () => undefined,
            (error: unknown) => error,
          )
        if (!failed) count('undone')
        else {
          expect(failed).toBeInstanceOf(HttpError)
          expect(await state(owner)).toEqual(before)
        }
      } else if (action.kind === 'sweep') {
        now += action.days * day
        await sweepChanges(database, now, new AbortController().signal)
        const log = await changesOf(owner)
        if (log.at(-1)?.kind === 'purge') count('purged')
        if (log[0]?.seq !== 0) count('trimmed')
      } else if (action.kind === 'crash') {
        const before = await state(owner)
        const set: TaskSet = { title: action.title, dueDate: '2026-11-21', priority: 'high' }
        const crash = new Error('the power is cut')
        const work = database.write(async (db) => {
          await change(db, { userId: owner, device: '' }, [{ item: randomUUID(), set }], { quota, now })
          throw crash
        })
        await expect(work).rejects.toBe(crash)
        expect(await state(owner)).toEqual(before)
      } else if (action.kind === 'backup') backup = await state(owner)
      else if (backup) {
        const lost = await accountOf(owner)
        await restore(owner, backup)
        const { seq } = await accountOf(owner)
        if (lost.seq > seq) undone = { cursor: cursorOf(lost), known: new Set() }
      }
      await expectWhole(owner)
    }
    if (undone) {
      const { seq, head } = await accountOf(owner)
      expect(await findDelta(database.read, { userId: owner, seq, head }, { since: undone.cursor })).toEqual({
        reset: true,
      })
      count('reset')
    }
    // Exchange until quiet.
    for (const each of clients) while (each.outbox.length > 0) await send(owner, each, 'no', now)
    for (const each of clients) while (each.take(await read(owner, each, 3)));
    const stored = (await tasksOf(owner)).filter(({ deleted_at }) => deleted_at === null)
    const [one, other] = clients.map(({ tasks }) =>
      [...tasks.values()].sort((a, b) => (a._id < b._id ? -1 : 1)),
    )
    expect(one).toEqual(other)
    expect(one?.map(({ _id, version, title }) => [_id, version, title])).toEqual(
      stored.map(({ id, version, title }) => [id, version, title]),
    )
  }

  const accountOf = (owner: string) =>
    database.read.selectFrom('users').selectAll().where('id', '=', owner).executeTakeFirstOrThrow()
  const tasksOf = (owner: string) =>
    database.read.selectFrom('tasks').selectAll().where('user_id', '=', owner).orderBy('id').execute()
  const changesOf = (owner: string) =>
    database.read.selectFrom('changes').selectAll().where('user_id', '=', owner).orderBy('seq').execute()

  const state = async (owner: string): Promise<Copy> => ({
    users: [await accountOf(owner)],
    tasks: await tasksOf(owner),
    changes: await changesOf(owner),
  })

  async function restore(owner: string, { users, tasks, changes }: Copy) {
    await database.write(async (db) => {
      for (const table of ['tasks', 'changes'] as const)
        await db.deleteFrom(table).where('user_id', '=', owner).execute()
      await db
        .updateTable('users')
        .set(users[0] as Schema['users'])
        .where('id', '=', owner)
        .execute()
      if (tasks.length > 0)
        await db
          .insertInto('tasks')
          .values(tasks as Schema['tasks'][])
          .execute()
      await db
        .insertInto('changes')
        .values(changes as Schema['changes'][])
        .execute()
    })
  }

  async function send(owner: string, client: Client, lost: string, now: number) {
    if (client.outbox.length === 0 || lost === 'request') return
    const sent = client.outbox.slice()
    const before = await state(owner)
    const { results } = await database.write((db) =>
      change(db, { userId: owner, device: client.device }, sent, { quota, now }),
    )
    for (const [index, { outcome, changed }] of results.entries()) {
      const { mutation, item } = sent[index] as (typeof sent)[number]
      const seen = (before.changes as Schema['changes'][]).some(
        (row) => row.mutation === mutation && row.item === item,
      )
      if (seen) expect([outcome, changed]).toEqual(['duplicate', false])
      if (outcome === 'conflict') expect(changed).toBe(false)
    }
    const made = (await changesOf(owner))
      .map(({ mutation }) => mutation)
      .filter((mutation) => mutation !== null)
    expect(new Set(made).size).toBe(made.length)
    if (lost !== 'no') return
    client.outbox.splice(0, sent.length)
    for (const { outcome } of results) count(outcome)
    await readPages(owner, client, 5, 1)
  }

  async function readPages(owner: string, client: Client, limit: number, pages: number) {
    for (let page = 0, more = true; more && page < pages; page++)
      more = client.take(await read(owner, client, limit))
  }

  async function read(owner: string, client: Client, limit: number) {
    // A first read replaces the replica.
    if (client.cursor === undefined) client.tasks.clear()
    const { seq, head } = await accountOf(owner)
    return await findDelta(database.read, { userId: owner, seq, head }, { since: client.cursor, limit })
  }

  /** Checks that the log has no gaps, leads from the stored rows back to its beginning, and that the totals are right. */
  async function expectWhole(owner: string) {
    const [account, tasks, changes] = [await accountOf(owner), await tasksOf(owner), await changesOf(owner)]
    const first = changes[0]?.seq ?? 0
    expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_, index) => first + index))
    expect(changes.at(-1)).toMatchObject({ seq: account.seq, id: account.head })
    expect(changes.map(({ kind }) => kind).lastIndexOf('start')).toBe(0)
    expect(account.task_count).toBe(tasks.filter(({ deleted_at }) => deleted_at === null).length)
    const bytes = tasks.reduce((sum, task) => sum + bytesOf(task), 0)
    expect(account.stored_bytes).toBe(changes.reduce((sum, { before }) => sum + bytesOfOld(before), bytes))

    const rows = new Map<string, TaskRow>(tasks.map(({ user_id: _, ...row }) => [row.id, row]))
    const purged = new Set(changes.filter(({ kind }) => kind === 'purge').map(({ item }) => item))
    for (const { kind, item, fields, before } of changes.toReversed()) {
      if (kind !== 'task' || item === null) continue
      const row = rows.get(item)
      if (!row) {
        expect([purged.has(item), before]).toEqual([true, null])
        continue
      }
      if (before === null) {
        rows.delete(item)
        continue
      }
      const values: Values = JSON.parse(before)
      expect(Object.keys(values).join(' ')).toBe(fields)
      for (const [field, value] of Object.entries(values)) {
        expect(row[field as keyof Values]).not.toBe(value)
        Object.assign(row, { [field]: value })
      }
    }
    // Before its first change, an account was empty.
    if (first === 0) expect([...rows.values()]).toEqual([])
  }
})

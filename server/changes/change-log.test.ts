import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Delta } from '#contract/changes.ts'
import { foldedTexts } from '#contract/folding.ts'
import { rowBytes } from '#contract/limits.ts'
import { priorities } from '#contract/lists.ts'
import { summaryOf } from '#contract/note-summary.ts'
import type { Note, NoteSummary } from '#contract/notes.ts'
import type { Task } from '#contract/tasks.ts'
import { kinds } from '../app.ts'
import type { Schema } from '../database/schema.ts'
import { HttpError } from '../errors.ts'
import { noteKind, toSummary, versionLength } from '../notes/note-kind.ts'
import { thinVersions } from '../notes/note-versions.ts'
import { taskKind } from '../tasks/task-kind.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { addUser, databaseForAll } from '../testing/open-test-database.ts'
import { rounds } from '../testing/rounds.ts'
import { accountOf, insertRows, logOf, setAccount } from '../testing/stored-rows.ts'
import { change, type Mutation } from './change.ts'
import { cursorOf } from './change-log.ts'
import { findDelta } from './delta.ts'
import type { ItemRow, Values } from './field-values.ts'
import { bytesOfChange, type ItemSet } from './item-kind.ts'
import { sweepChanges } from './sweep-changes.ts'
import { undo } from './undo-changes.ts'

const day = 86_400_000
const quota = 2 ** 30

// Few values, so that two clients often change the same field, and sometimes to the same.
const text = fc.constantFrom('one', 'two', 'three', '東京 😀')
const sets = fc.record(
  {
    ...{ title: text, body: text, done: fc.boolean(), deleted: fc.boolean() },
    dueDate: fc.constantFrom('2026-11-21', '2026-11-22'),
    priority: fc.constantFrom(...priorities),
  },
  { requiredKeys: [] },
)
const noteSets = fc.record(
  { text, pinned: fc.boolean(), deleted: fc.constantFrom(true, false, false) },
  { requiredKeys: [] },
)
/** The id of an item contains its kind, so that an id that is used again is used for the same kind. */
const kindOf = (id: string): string => (Number.parseInt(id.charAt(0), 16) % 2 ? 'task' : 'note')
function idOf(kind: string): string {
  const id = randomUUID()
  return kindOf(id) === kind ? id : idOf(kind)
}
const client = fc.nat({ max: 1 })
const edits = fc.oneof(sets, sets, fc.constantFrom<ItemSet>({ deleted: true }, { done: true }))
/** The actions of one kind, and how often they are chosen. */
const weighted = <const Kind extends string, Fields extends object>(
  weight: number,
  kind: Kind,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) => ({ weight, arbitrary: fc.record<Fields>(fields).map((values) => ({ kind, ...values })) })
const [of, deleted] = [fc.constantFrom('task', 'note'), fc.constantFrom(false, false, false, true)]
const [which, texts] = [fc.nat(), fc.array(text, { minLength: 2, maxLength: 4 })]
const [based, pages] = [fc.constantFrom(true, true, false), fc.integer({ min: 1, max: 4 })]
const actions = fc.oneof(
  weighted(3, 'create', { client, of, title: text, deleted, again: fc.boolean() }),
  weighted(6, 'edit', { client, which, set: edits, noteSet: noteSets, based, stale: fc.nat({ max: 2 }) }),
  weighted(2, 'type', { client, which, texts, undone: fc.boolean() }),
  weighted(5, 'send', { client, lost: fc.constantFrom('no', 'request', 'response') }),
  weighted(3, 'read', { client, limit: fc.integer({ min: 1, max: 5 }), pages }),
  weighted(2, 'undo', { client, back: fc.nat({ max: 6 }), group: fc.boolean() }),
  weighted(3, 'sweep', { days: fc.constantFrom(1, 2, 16, 31) }),
  weighted(1, 'crash', { client, title: text }),
  weighted(1, 'backup', {}),
  weighted(1, 'restore', {}),
)

type Action = typeof actions extends fc.Arbitrary<infer Each> ? Each : never

const created = { kind: 'create', client: 0, title: 'one', deleted: false, again: false } as const
const sent = { kind: 'send', client: 0, lost: 'no' } as const
const typed = { kind: 'type', client: 0, which: 0, texts: ['one', 'two', 'three'], undone: true } as const

/** Versions of one hour are rarely old enough in a random script. */
const thinning: Action[] = [
  { ...created, of: 'note' },
  sent,
  ...Array.from({ length: 4 }, () => ({ ...typed, texts: [...typed.texts] })),
  { kind: 'sweep', days: 2 },
]

/**
 * A client with a replica and unsent mutations. It stores only items that `GET /changes` returns, because a restore would not
 * tell it that the result of a write was lost, and removes a task only if a change says so.
 */
class Client {
  items = new Map<string, Item>()
  cursor: string | undefined
  outbox: (Mutation & { mutation: string })[] = []
  readonly device = randomUUID().replaceAll('-', '')

  /** Returns whether there is more to read. */
  take(delta: Delta): boolean {
    if (delta.reset) {
      this.cursor = undefined
      this.items.clear()
      return true
    }
    for (const id of delta.purged ?? []) this.items.delete(id)
    for (const { item } of delta.items ?? []) {
      if (item.deletedAt === null) this.items.set(item._id, item)
      else this.items.delete(item._id)
    }
    this.cursor = delta.cursor
    return delta.more ?? false
  }
}

/** The fields of an item of any kind in a delta. */
type Item = Pick<Task | NoteSummary, '_id' | 'version' | 'deletedAt'>

/** `written` has the text that each change of a note saved, by its number. */
type Run = { owner: string; now: number; written: Map<number, string> }

type Copy = Record<'users' | 'tasks' | 'notes' | 'versions' | 'changes', object[]>

const outcomes = new Set<string>()

onEveryEngine('the log of changes', (engine) => {
  const database = databaseForAll(engine)
  test('keeps its invariants under random edits, losses, repeats, undos, sweeps, crashes and restores', async () => {
    const property = fc.asyncProperty(fc.array(actions, { minLength: 20, maxLength: 50 }), play)
    const numRuns = rounds(engine === 'sqlite' ? 400 : 80)
    await fc.assert(property, { numRuns, examples: [[thinning]] })
  })

  async function play(script: Action[]) {
    const owner = await database.write((db) => addUser(db))
    const clients = [new Client(), new Client()] as const
    const run: Run = { owner, now: 0, written: new Map() }
    let backup: Copy | undefined
    let undone: string | undefined
    for (const action of script) {
      run.now += 60_000
      const own = 'client' in action ? (clients[action.client] as Client) : clients[0]
      if (action.kind === 'create') {
        const { of, title, deleted, again } = action
        const more = deleted && { deleted }
        const purged = (await logOf(database, owner)).find(({ kind }) => kind === 'purge')?.item
        // An id may be used again after its item was purged.
        const item = (again && purged) || idOf(of)
        own.outbox.push({
          mutation: randomUUID(),
          item,
          ...(kindOf(item) === 'task'
            ? { kind: 'task', set: { title, dueDate: '2026-11-21', priority: 'low', ...more } }
            : { kind: 'note', base: 0, set: { text: title, ...more } }),
          group: own.device.slice(0, 8) + randomUUID().slice(8),
        })
      } else if (action.kind === 'edit') {
        const items = [...own.items.values()]
        const edited = items[action.which % Math.max(1, items.length)]
        if (!edited) continue
        const [item, kind] = [edited._id, kindOf(edited._id)]
        const set: ItemSet = kind === 'task' ? action.set : action.noteSet
        const isBased = action.based || set.text !== undefined
        const base = isBased ? { base: Math.max(0, edited.version - action.stale) } : {}
        own.outbox.push({ mutation: randomUUID(), item, kind, set, ...base })
      } else if (action.kind === 'type') {
        const notes = [...own.items.keys()].filter((id) => kindOf(id) === 'note')
        const item = notes[action.which % Math.max(1, notes.length)]
        if (!item) continue
        for (const text of action.texts) {
          const base = own.items.get(item)?.version ?? 0
          const group = action.undone && { group: randomUUID() }
          own.outbox.push({ mutation: randomUUID(), item, kind: 'note', base, set: { text }, ...group })
          await send(run, own, 'no')
        }
        const { seq } = await accountOf(database, owner)
        if (action.undone) await undoOne(run, own, { seq, group: false })
      } else if (action.kind === 'send') await send(run, own, action.lost)
      else if (action.kind === 'read') await readPages(owner, own, action.limit, action.pages)
      else if (action.kind === 'undo') {
        const { seq } = await accountOf(database, owner)
        await undoOne(run, own, { seq: Math.max(0, seq - action.back), group: action.group })
      } else if (action.kind === 'sweep') {
        run.now += action.days * day
        await sweepChanges(database, kinds, run.now, new AbortController().signal)
        const kept = await versionsOf(owner)
        await thinVersions(database, run.now, new AbortController().signal)
        if ((await versionsOf(owner)).length < kept.length) outcomes.add('thinned')
        const log = await logOf(database, owner)
        if (log.at(-1)?.kind === 'purge') outcomes.add('purged')
        if (log[0]?.seq !== 0) outcomes.add('trimmed')
      } else if (action.kind === 'crash') {
        const before = await state(owner)
        const set: ItemSet = { title: action.title, dueDate: '2026-11-21', priority: 'high' }
        const crash = new Error('the power is cut')
        const author = { userId: owner, device: '', by: '' }
        const work = database.write(async (db) => {
          await change(db, author, [{ kind: 'task', item: randomUUID(), set }], scopeOf(run))
          throw crash
        })
        await expect(work).rejects.toBe(crash)
        expect(await state(owner)).toEqual(before)
      } else if (action.kind === 'backup') backup = await state(owner)
      else if (backup) {
        const lost = await accountOf(database, owner)
        await restore(owner, backup)
        const { seq } = await accountOf(database, owner)
        if (lost.seq > seq) undone = cursorOf(lost)
      }
      await expectWhole(run)
    }
    if (undone) {
      expect(await deltaOf(owner, { since: undone })).toEqual({ reset: true })
      outcomes.add('reset')
    }
    // Exchange until no side has a change.
    for (const each of clients) while (each.outbox.length > 0) await send(run, each, 'no')
    for (const each of clients) while (each.take(await read(owner, each, 3)));
    const isHere = ({ deleted_at }: { deleted_at: number | null }) => deleted_at === null
    const byId = (a: { _id: string }, b: { _id: string }) => (a._id < b._id ? -1 : 1)
    const stored = [
      ...(await tasksOf(owner))
        .filter(isHere)
        .map((row) => taskKind.toItem(row as unknown as ItemRow) as Task),
      ...(await notesOf(owner)).filter(isHere).map(toSummary),
    ].sort(byId)
    for (const { items } of clients) expect([...items.values()].sort(byId)).toEqual(stored)
  }

  const scopeOf = ({ now }: Run) => ({ kinds, quota, now })

  async function undoOne(run: Run, { device }: Client, what: { seq: number; group: boolean }) {
    const before = await state(run.owner)
    const author = { userId: run.owner, device, by: '' }
    try {
      const { items } = await database.write((db) => undo(db, author, what, scopeOf(run)))
      for (const { kind, item } of items)
        if (kind === 'note' && item) run.written.set(item.version, String(item.text))
      outcomes.add('undone')
    } catch (error) {
      expect(error).toBeInstanceOf(HttpError)
      expect(await state(run.owner)).toEqual(before)
    }
  }

  const tasksOf = (owner: string) =>
    database.read.selectFrom('tasks').selectAll().where('user_id', '=', owner).orderBy('id').execute()
  const notesOf = (owner: string) =>
    database.read.selectFrom('notes').selectAll().where('user_id', '=', owner).orderBy('id').execute()
  const versionsOf = (owner: string) =>
    database.read.selectFrom('versions').selectAll().where('user_id', '=', owner).orderBy('seq').execute()

  const state = async (owner: string): Promise<Copy> => ({
    users: [await accountOf(database, owner)],
    tasks: await tasksOf(owner),
    notes: await notesOf(owner),
    versions: await versionsOf(owner),
    changes: await logOf(database, owner),
  })

  async function restore(owner: string, { users, ...copy }: Copy) {
    for (const [table, rows] of Object.entries(copy) as ['tasks', object[]][]) {
      await database.write((db) => db.deleteFrom(table).where('user_id', '=', owner).execute())
      await insertRows(database, table, rows)
    }
    await setAccount(database, owner, users[0] as Schema['users'])
  }

  async function send(run: Run, client: Client, lost: string) {
    const { owner, written } = run
    if (client.outbox.length === 0 || lost === 'request') return
    const sent = client.outbox.slice()
    const before = await state(owner)
    const { items: results } = await database.write((db) =>
      change(db, { userId: owner, device: client.device, by: '' }, sent, scopeOf(run)),
    )
    const known = new Set((before.notes as Schema['notes'][]).map(({ id }) => id))
    for (const [index, { outcome, changed, ...result }] of results.entries()) {
      const note = result.kind === 'note' ? (result.item as Note | null) : null
      if (note && changed) written.set(note.version, note.text)
      // One that is created as deleted is created first.
      if (note && !known.has(note._id) && note.deletedAt) written.set(note.version - 1, note.text)
      if (note) known.add(note._id)
      if (note) outcomes.add(`note ${outcome}`)
      const { mutation, item } = sent[index] as (typeof sent)[number]
      const seen = (before.changes as Schema['changes'][]).some(
        (row) => row.mutation === mutation && row.item === item,
      )
      if (seen) expect([outcome, changed]).toEqual(['duplicate', false])
      if (outcome === 'conflict') expect(changed).toBe(false)
    }
    const made = (await logOf(database, owner))
      .map(({ mutation }) => mutation)
      .filter((mutation) => mutation !== null)
    expect(new Set(made).size).toBe(made.length)
    for (const [index, { outcome }] of results.entries())
      if (outcome !== 'conflict') expect(made).toContain(sent[index]?.mutation)
    if (lost !== 'no') return
    client.outbox.splice(0, sent.length)
    for (const { outcome } of results) outcomes.add(outcome)
    await readPages(owner, client, 5, 1)
  }

  async function readPages(owner: string, client: Client, limit: number, pages: number) {
    for (let page = 0, more = true; more && page < pages; page++)
      more = client.take(await read(owner, client, limit))
  }

  async function read(owner: string, client: Client, limit: number) {
    // A first read replaces the replica.
    if (client.cursor === undefined) client.items.clear()
    return await deltaOf(owner, { since: client.cursor, limit })
  }

  async function deltaOf(userId: string, page: { since: string | undefined; limit?: number }) {
    const { seq, head } = await accountOf(database, userId)
    return await findDelta(database.read, kinds, { userId, seq, head }, page)
  }

  /**
   * Checks that the log has no gaps, leads from the stored rows back to its beginning, and that the totals are right; that
   * each kept text is the one that was saved, and that each change of a text names the text before it.
   */
  async function expectWhole({ owner, written, now }: Run) {
    const [account, changes] = [await accountOf(database, owner), await logOf(database, owner)]
    const [tasks, notes, versions] = [await tasksOf(owner), await notesOf(owner), await versionsOf(owner)]
    const first = changes[0]?.seq ?? 0
    expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_, index) => first + index))
    expect(changes.at(-1)).toMatchObject({ seq: account.seq, id: account.head })
    expect(changes.map(({ kind }) => kind).lastIndexOf('start')).toBe(0)
    expect(account.task_count).toBe(tasks.filter(({ deleted_at }) => deleted_at === null).length)
    const bytes = [
      ...tasks.map(taskKind.bytesOf),
      ...notes.map(noteKind.bytesOf as (note: object) => number),
      ...versions.map((version) => Buffer.byteLength(version.text) + rowBytes),
      ...changes.map(bytesOfChange),
    ]
    expect(account.stored_bytes).toBe(bytes.reduce((sum, each) => sum + each, 0))

    const rows = new Map<string, ItemRow>()
    for (const { user_id: _, folded, ...row } of tasks) {
      expect(folded).toBe(foldedTexts(taskKind.textsOf(row)))
      rows.set(row.id, row)
    }
    for (const { user_id: _, folded, title, snippet, ...row } of notes) {
      expect([row.text, { title, snippet }]).toEqual([written.get(row.saved_seq), summaryOf(row.text)])
      expect(folded).toBe(foldedTexts([title, row.text]))
      rows.set(row.id, row)
    }
    for (const { seq, note_id, text } of versions) {
      expect([seq, text]).toEqual([seq, written.get(seq)])
      expect(rows.has(note_id)).toBe(true)
    }
    const purged = new Set(changes.filter(({ kind }) => kind === 'purge').map(({ item }) => item))
    for (const { seq, kind, item, fields, before } of changes.toReversed()) {
      if (!kinds.some(({ name }) => name === kind) || item === null) continue
      const row = rows.get(item)
      if (!row) {
        expect([purged.has(item), before]).toEqual([true, null])
        continue
      }
      if (before === null) {
        rows.delete(item)
        continue
      }
      const { version, ...values }: Values & { version?: number } = JSON.parse(before)
      const logged = fields.split(' ')
      if (kind !== 'note') expect(Object.keys(values)).toEqual(logged)
      else expect(Object.keys(values).sort()).toEqual(logged.filter((field) => field !== 'text').sort())
      for (const [field, value] of Object.entries(values)) {
        expect(row[field as keyof Values]).not.toBe(value)
        Object.assign(row, { [field]: value })
      }
      if (kind === 'note' && logged.includes('text')) expectReference(item, seq, version)
    }
    // Before its first change, an account was empty.
    if (first === 0) expect([...rows.values()]).toEqual([])

    function expectReference(item: string, seq: number, version: number | undefined) {
      const saves = changes.filter((each) => each.item === item && each.fields.split(' ').includes('text'))
      const earlier = saves.findLast((each) => each.seq < seq)
      const change = saves.find((each) => each.seq === seq)
      outcomes.add(version === undefined ? 'continued' : 'kept')
      if (version !== undefined) {
        if (earlier) expect(earlier.seq).toBe(version)
        if (!versions.some((each) => each.seq === version))
          expect(change?.at).toBeLessThan(now - day + day / 24)
      } else {
        expect(change?.group_id).toBeNull()
        expect(change?.undoes).toBeNull()
        if (!earlier) return
        expect(earlier.device).toBe(change?.device)
        expect(earlier.at).toBeGreaterThan((change?.at ?? 0) - versionLength)
      }
    }
  }
})

test('the random scripts have had every outcome', () => {
  const expected = [
    ...['applied', 'merged', 'duplicate', 'conflict', 'undone', 'purged', 'trimmed', 'reset'],
    ...['note applied', 'note merged', 'note conflict', 'kept', 'continued', 'thinned'],
  ]
  expect(expected.filter((outcome) => !outcomes.has(outcome))).toEqual([])
})

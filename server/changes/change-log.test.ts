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
import { accountOf, logOf, setAccount } from '../testing/stored-rows.ts'
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
    title: text,
    body: text,
    dueDate: fc.constantFrom('2026-11-21', '2026-11-22'),
    priority: fc.constantFrom(...priorities),
    done: fc.boolean(),
    deleted: fc.boolean(),
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
const actions = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      client,
      of: fc.constantFrom('task', 'note'),
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
      noteSet: noteSets,
      based: fc.constantFrom(true, true, false),
      stale: fc.nat({ max: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('type' as const),
      client,
      which: fc.nat(),
      texts: fc.array(text, { minLength: 2, maxLength: 4 }),
      undone: fc.boolean(),
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
    arbitrary: fc.record({ kind: fc.constant('sweep' as const), days: fc.constantFrom(1, 2, 16, 31) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), client, title: text }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'backup' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restore' as const }) },
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

type Copy = Record<'users' | 'tasks' | 'notes' | 'versions' | 'changes', object[]>

const outcomes = new Set<string>()

onEveryEngine('the log of changes', (engine) => {
  const database = databaseForAll(engine)
  test('keeps its invariants under random edits, losses, repeats, undos, sweeps, crashes and restores', async () => {
    const property = fc.asyncProperty(fc.array(actions, { minLength: 20, maxLength: 50 }), play)
    await fc.assert(property, {
      numRuns: rounds(engine === 'sqlite' ? 400 : 80),
      examples: [[thinning]],
    })
  })

  async function play(script: Action[]) {
    const owner = await database.write((db) => addUser(db))
    const clients = [new Client(), new Client()] as const
    let now = 0
    /** The text that each change of a note saved, by its number. */
    const written = new Map<number, string>()
    let backup: Copy | undefined
    let undone: { cursor: string; known: Set<string> } | undefined
    for (const action of script) {
      now += 60_000
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
        for (const text of item ? action.texts : []) {
          if (!item) continue
          const base = own.items.get(item)?.version ?? 0
          const group = action.undone && { group: randomUUID() }
          own.outbox.push({ mutation: randomUUID(), item, kind: 'note', base, set: { text }, ...group })
          await send(owner, own, 'no', now, written)
        }
        if (action.undone)
          await undoOne(
            owner,
            own,
            { seq: (await accountOf(database, owner)).seq, group: false },
            now,
            written,
          )
      } else if (action.kind === 'send') await send(owner, own, action.lost, now, written)
      else if (action.kind === 'read') await readPages(owner, own, action.limit, action.pages)
      else if (action.kind === 'undo') {
        const { seq } = await accountOf(database, owner)
        const what = { seq: Math.max(0, seq - action.back), group: action.group }
        await undoOne(owner, own, what, now, written)
      } else if (action.kind === 'sweep') {
        now += action.days * day
        await sweepChanges(database, kinds, now, new AbortController().signal)
        const kept = await versionsOf(owner)
        await thinVersions(database, now, new AbortController().signal)
        if ((await versionsOf(owner)).length < kept.length) outcomes.add('thinned')
        const log = await logOf(database, owner)
        if (log.at(-1)?.kind === 'purge') outcomes.add('purged')
        if (log[0]?.seq !== 0) outcomes.add('trimmed')
      } else if (action.kind === 'crash') {
        const before = await state(owner)
        const set: ItemSet = { title: action.title, dueDate: '2026-11-21', priority: 'high' }
        const crash = new Error('the power is cut')
        const work = database.write(async (db) => {
          await change(
            db,
            { userId: owner, device: '', by: '' },
            [{ kind: 'task', item: randomUUID(), set }],
            { kinds, quota, now },
          )
          throw crash
        })
        await expect(work).rejects.toBe(crash)
        expect(await state(owner)).toEqual(before)
      } else if (action.kind === 'backup') backup = await state(owner)
      else if (backup) {
        const lost = await accountOf(database, owner)
        await restore(owner, backup)
        const { seq } = await accountOf(database, owner)
        if (lost.seq > seq) undone = { cursor: cursorOf(lost), known: new Set() }
      }
      await expectWhole(owner, written, now)
    }
    if (undone) {
      const { seq, head } = await accountOf(database, owner)
      expect(
        await findDelta(database.read, kinds, { userId: owner, seq, head }, { since: undone.cursor }),
      ).toEqual({ reset: true })
      outcomes.add('reset')
    }
    // Exchange until no side has a change.
    for (const each of clients) while (each.outbox.length > 0) await send(owner, each, 'no', now, written)
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

  async function undoOne(
    owner: string,
    client: Client,
    what: { seq: number; group: boolean },
    now: number,
    written: Map<number, string>,
  ) {
    const before = await state(owner)
    const author = { userId: owner, device: client.device, by: '' }
    const failed = await database
      .write((db) => undo(db, author, what, { kinds, quota, now }))
      .then(
        ({ items }) => {
          for (const { kind, item } of items)
            if (kind === 'note' && item) written.set(item.version, String(item.text))
        },
        (error: unknown) => error,
      )
    if (!failed) outcomes.add('undone')
    else {
      expect(failed).toBeInstanceOf(HttpError)
      expect(await state(owner)).toEqual(before)
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
    await database.write(async (db) => {
      for (const [table, rows] of Object.entries(copy) as ['tasks', object[]][]) {
        await db.deleteFrom(table).where('user_id', '=', owner).execute()
        if (rows.length > 0)
          await db
            .insertInto(table)
            .values(rows as never)
            .execute()
      }
    })
    await setAccount(database, owner, users[0] as Schema['users'])
  }

  async function send(
    owner: string,
    client: Client,
    lost: string,
    now: number,
    written: Map<number, string>,
  ) {
    if (client.outbox.length === 0 || lost === 'request') return
    const sent = client.outbox.slice()
    const before = await state(owner)
    const { items: results } = await database.write((db) =>
      change(db, { userId: owner, device: client.device, by: '' }, sent, { kinds, quota, now }),
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
    const { seq, head } = await accountOf(database, owner)
    return await findDelta(
      database.read,
      kinds,
      { userId: owner, seq, head },
      { since: client.cursor, limit },
    )
  }

  /**
   * Checks that the log has no gaps, leads from the stored rows back to its beginning, and that the totals are right; that
   * each kept text is the one that was saved, and that each change of a text names the text before it.
   */
  async function expectWhole(owner: string, written: Map<number, string>, now: number) {
    const [account, tasks, changes] = [
      await accountOf(database, owner),
      await tasksOf(owner),
      await logOf(database, owner),
    ]
    const [notes, versions] = [await notesOf(owner), await versionsOf(owner)]
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
        if (earlier)
          expect([earlier.device, earlier.at > (change?.at ?? 0) - versionLength]).toEqual([
            change?.device,
            true,
          ])
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

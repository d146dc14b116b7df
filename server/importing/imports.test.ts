import fc from 'fast-check'
import { expect, test } from 'vitest'
import { importedBytes } from '#contract/import-size.ts'
import { importsPerCall } from '#contract/limits.ts'
import { rowsPerRemoval } from '../database/removals.ts'
import { newId } from '../new-id.ts'
import { exportedBy } from '../testing/exported-files.ts'
import { fieldErrorOf } from '../testing/field-error.ts'
import { itemsIn } from '../testing/items-in.ts'
import { runScript, scripts } from '../testing/random-script.ts'
import { rounds } from '../testing/rounds.ts'
import { accountOf } from '../testing/stored-rows.ts'
import { onEveryServer, serverForAll, serverForTest, type TestUser } from '../testing/test-server.ts'

const at = '2019-05-01T08:30:15.250Z'
const tea = { title: 'Tea', dueDate: '2026-11-21', priority: 'low', createdAt: at }
const taskOf = (more: object = {}) => ({ _id: newId(), ...tea, ...more })
const changedAt = '2020-05-01T08:30:15.250Z'
const noteOf = (text: string) => ({ _id: newId(), text, createdAt: at, changedAt })

/** A note of the user with these texts, one after the other. */
async function writeNote(user: TestUser, texts: string[]) {
  const note = newId()
  for (const [base, text] of texts.entries())
    await user.send({ item: note, kind: 'note', base, set: { text }, group: newId() })
  return note
}
/** Who has saved each text of a note, the newest first. */
async function historyOf(user: TestUser, note: string) {
  const { versions } = (await user.call(`GET /notes/${note}/versions`)).json
  const texts = versions.map(async ({ seq }) => {
    const { version } = (await user.call(`GET /notes/${note}/versions/${seq}`)).json
    return [version.by, version.text]
  })
  return await Promise.all(texts)
}

type Sent = { import?: string; tasks?: object[]; notes?: object[]; versions?: object[] }
const send = (user: TestUser, sent: Sent) => user.call('POST /import', { body: { import: newId(), ...sent } })

const itemsOf = async (user: TestUser) => itemsIn(await user.changes())
const roomOf = async (user: TestUser) => (await user.call('GET /import')).json.room

/** Sends the files of an export as the page does, in calls of so many lines. Returns how often each outcome was answered. */
async function importFiles(
  user: TestUser,
  { linesOf }: Awaited<ReturnType<typeof exportedBy>>,
  id = newId(),
  perCall: number = importsPerCall,
) {
  const deleted = linesOf('deleted')
  const ofKind = (wanted: string) => deleted.filter(({ kind }) => kind === wanted).map(({ item }) => item)
  const lists = {
    tasks: [...linesOf('tasks'), ...ofKind('task')],
    notes: [...linesOf('notes'), ...ofKind('note')],
    versions: linesOf('versions'),
  }
  const counts: Record<string, number> = {}
  for (const [list, all] of Object.entries(lists))
    for (let from = 0; from < all.length; from += perCall) {
      const { status, json } = await send(user, { import: id, [list]: all.slice(from, from + perCall) })
      expect(status).toBe(200)
      for (const outcome of json[list as 'tasks']) counts[outcome] = (counts[outcome] ?? 0) + 1
    }
  const [settings] = linesOf('settings')
  expect((await user.call('PATCH /settings', { body: { settings } })).status).toBe(200)
  return counts
}

const settings = fc.record({
  theme: fc.constantFrom('light', 'dark'),
  zone: fc.constantFrom(null, 'Europe/Lisbon'),
  quietFrom: fc.constantFrom(null, '22:00'),
  reminderTitles: fc.boolean(),
})

const filesOfExports = ['tasks', 'notes', 'versions', 'settings', 'deleted'].map((list) => `${list}.jsonl`)

onEveryServer('an import', ({ engine, server }) => {
  const others = serverForAll(engine === 'sqlite' ? 'postgres' : 'sqlite')

  test('of an export into an empty account of either engine is exported as the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, settings, fc.integer({ min: 1, max: 9 }), async (script, chosen, perCall) => {
        const user = await server.newUser()
        await user.setSettings(chosen)
        await runScript(user, script)
        const exported = await exportedBy(server.app, user)
        for (const target of [server, others]) {
          const copy = await target.newUser()
          await importFiles(copy, exported, newId(), perCall)
          const again = await exportedBy(target.app, copy)
          for (const name of filesOfExports)
            expect([name, again.texts.get(name)]).toEqual([name, exported.texts.get(name)])
        }
      }),
      { numRuns: rounds(40, 4) },
    )
  })

  test('keeps the series of a repeat, its day, its reminders and the earlier texts, so that it goes on as the original', async () => {
    const user = await server.newUser()
    const [task, note] = [newId(), await writeNote(user, ['one', 'two', 'three'])]
    const repeat = { repeat: 'FREQ=DAILY;INTERVAL=3;COUNT=9', dueDate: '2199-11-20', dueTime: '08:30' }
    await user.send({ item: task, set: { title: 'Water', priority: 'low', reminders: '10m', ...repeat } })
    await user.send({ item: task, set: { done: true } })
    const next = (await itemsOf(user)).find(({ _id }) => _id !== task)?._id
    await user.send({ item: next, set: { dueDate: '2199-12-01' } })
    const exported = await exportedBy(server.app, user)
    const stateOf = async (of: TestUser) => {
      const texts = (await historyOf(of, note)).map(([, text]) => text)
      const items = (await itemsOf(of)).map(({ version: _, ...item }) => item)
      return [items.toSorted((one, other) => (one._id < other._id ? -1 : 1)), texts]
    }
    const before = await stateOf(user)
    const moved = { repeatDay: '2199-11-23', dueDate: '2199-12-01', reminders: '10m' }
    const tasks = [
      { _id: task, series: task, repeatDay: '2199-11-20' },
      { _id: next, series: task, ...moved },
    ]
    const expectedTasks = expect.arrayContaining(tasks.map((each) => expect.objectContaining(each)))
    expect(before).toEqual([expectedTasks, ['three', 'two', 'one']])
    const copies = [await server.newUser(), await others.newUser()]
    for (const copy of copies) {
      await importFiles(copy, exported)
      expect(await stateOf(copy)).toEqual(before)
    }
    const following = async (of: TestUser) => {
      await of.send({ item: next, set: { done: true } })
      const open = (await itemsOf(of)).find(({ repeatDay }) => repeatDay === '2199-11-26')
      return [open?._id, open?.repeat, open?.reminders]
    }
    const expected = await following(user)
    expect(expected).toEqual([expect.any(String), 'FREQ=DAILY;INTERVAL=3;COUNT=7', '10m'])
    for (const copy of copies) expect(await following(copy)).toEqual(expected)
  })

  test('of the same file twice adds nothing, and a repeated call answers what the first one did', async () => {
    const [user, copy] = [await server.newUser(), await server.newUser()]
    await writeNote(user, ['one', 'two', 'three'])
    await user.deleteTask((await user.addTask({ dueDate: null }))._id)
    const exported = await exportedBy(server.app, user)
    const id = newId()
    const first = await importFiles(copy, exported, id)
    expect(first).toEqual({ added: 4 })
    const before = await accountOf(server.database, copy.id)
    expect(await importFiles(copy, exported, id)).toEqual(first)
    const second = await importFiles(copy, exported)
    expect(second).toEqual({ existing: 2, added: 2 })
    expect(await accountOf(server.database, copy.id)).toEqual(before)
  })

  test('restores what was deleted here, with the content that it has here', async () => {
    const user = await server.newUser()
    const sent = { tasks: [taskOf(), taskOf()], notes: [noteOf('A note')] }
    await send(user, sent)
    const [first, second] = sent.tasks
    await user.send({ item: first?._id, set: { title: 'Green tea' } })
    await user.send({ item: first?._id, set: { deleted: true } })
    await user.send({ item: sent.notes[0]?._id, kind: 'note', set: { deleted: true } })
    const again = await send(user, sent)
    expect(again.json).toMatchObject({ tasks: ['restored', 'existing'], notes: ['restored'] })
    const open = (await itemsOf(user)).filter(({ deletedAt }) => deletedAt === null)
    expect(Object.fromEntries(open.map(({ _id, title }) => [_id, title]))).toEqual({
      ...{ [`${first?._id}`]: 'Green tea', [`${second?._id}`]: 'Tea', [`${sent.notes[0]?._id}`]: 'A note' },
    })
    // What the file has as deleted is not restored.
    await user.send({ item: second?._id, set: { deleted: true } })
    const deleted = await send(user, { tasks: [{ ...second, deletedAt: at }] })
    expect(deleted.json.tasks).toEqual(['existing'])
  })

  test('keeps times of any age, and no time is in the future or before 1970', async () => {
    const user = await server.newUser()
    const [old, future, ancient] = [at, '2199-01-01T00:00:00.000Z', '0001-01-01T00:00:00Z']
    const began = Date.now()
    const note = noteOf('A note')
    const tasks = [old, future, ancient].map((each) => taskOf({ createdAt: each, doneAt: each }))
    await send(user, { tasks, notes: [note] })
    const found = new Map((await itemsOf(user)).map((item) => [item._id, item]))
    const timesOf = ({ _id }: { _id: string }) => [found.get(_id)?.createdAt, found.get(_id)?.doneAt]
    const [first, second = [], third] = tasks.map(timesOf)
    expect(first).toEqual([old, old])
    for (const time of second.map((each) => Date.parse(String(each))))
      expect(began <= time && time <= Date.now()).toBe(true)
    expect(third).toEqual(Array(2).fill('1970-01-01T00:00:00.000Z'))
    expect(found.get(note._id)).toMatchObject({ createdAt: note.createdAt, changedAt: note.changedAt })
  })

  test('makes no next task of a done repeat, and an open one goes on as any other', async () => {
    const user = await server.newUser()
    const repeat = { repeat: 'FREQ=MONTHLY;BYMONTHDAY=15', dueDate: '2199-01-10' }
    const [done, open] = [taskOf({ ...repeat, doneAt: at }), taskOf(repeat)]
    await send(user, { tasks: [done, open] })
    expect(await itemsOf(user)).toHaveLength(2)
    await user.send({ item: open._id, set: { done: true } })
    const items = await itemsOf(user)
    const days = (id: string) => items.flatMap(({ repeatDay, series }) => (series === id ? repeatDay : []))
    expect(days(done._id)).toEqual(['2199-01-15'])
    expect(days(open._id).toSorted()).toEqual(['2199-01-15', '2199-02-15'])
  })

  test('stores the reminders of the future, and none of the past', async () => {
    const user = await server.newUser()
    await user.setSettings({ zone: 'Europe/Lisbon' })
    const due = { dueDate: '2199-01-01', dueTime: '08:00' }
    const future = taskOf(due)
    const others = [taskOf({ ...due, dueDate: '2020-01-01' }), taskOf({ ...due, doneAt: at })]
    await send(user, { tasks: [future, ...others] })
    const jobs = server.database.read.selectFrom('reminder_jobs').select('item')
    expect(await jobs.where('user_id', '=', user.id).execute()).toEqual([{ item: future._id }])
  })

  test('is told to other devices, and is called import in the history', async () => {
    const user = await server.newUser()
    const { cursor } = await user.changes()
    const [task, note] = [taskOf(), noteOf('A note')]
    const { headers } = await send(user, { tasks: [task], notes: [note] })
    const delta = await user.changes(cursor)
    expect(delta.items.map(({ item }) => item._id)).toEqual([task._id, note._id])
    expect(delta.cursor).toBe(headers['changes-cursor'])
    const history = (await exportedBy(server.app, user)).linesOf('history')
    expect(history).toMatchObject(Array(2).fill({ by: 'import', change: 'added' }))
  })

  test('adds earlier texts of a note in their order, in several calls, until its text is changed', async () => {
    const user = await server.newUser()
    const note = noteOf('three')
    const versionOf = (text: string, hour: number) => ({
      ...{ note: note._id, at: `2019-05-01T0${hour}:00:00.000Z`, by: 'Firefox on Linux', text },
    })
    const [one, two, tied] = [versionOf('one', 1), versionOf('two', 2), versionOf('two again', 2)]
    const textsOf = () => historyOf(user, note._id)
    const outcomes = async (versions: object[], more = {}) =>
      (await send(user, { versions, ...more })).json.versions
    expect(await outcomes([one])).toEqual(['existing'])
    expect(await outcomes([one, two], { notes: [note] })).toEqual(['added', 'added'])
    expect(await outcomes([one, two, tied])).toEqual(['added', 'added', 'added'])
    const earlier = ['two again', 'two', 'one'].map((text) => ['Firefox on Linux', text])
    const expected = [['import', 'three'], ...earlier]
    expect(await textsOf()).toEqual(expected)
    const base = (await user.note(note._id)).version
    await user.send({ item: note._id, kind: 'note', base, set: { text: 'four' } })
    expect(await outcomes([versionOf('late', 3)])).toEqual(['existing'])
    expect(await textsOf()).toEqual([['', 'four'], ...expected])
  })

  test('that does not fit adds nothing of its call, and its room is known before', async () => {
    const small = await serverForTest(engine, { ACCOUNT_QUOTA: '1MiB' })
    const user = await small.newUser()
    const note = noteOf('n'.repeat(100_000))
    const versionAt = (hour: string, text: string) => ({
      ...{ note: note._id, at: `2019-05-${hour}:00:00.000Z`, by: '', text },
    })
    const versions = [1, 2].map((hour) => versionAt(`01T0${hour}`, 'v'.repeat(50_000)))
    const sent = { tasks: [taskOf({ body: 'é'.repeat(1000) })], notes: [note], versions }
    const empty = await roomOf(user)
    await send(user, sent)
    const room = await roomOf(user)
    expect(room).toMatchObject({ tasks: { stored: 1, max: 100_000 }, notes: { stored: 1, max: 10_000 } })
    const [more, atMost] = [room.bytes.stored - empty.bytes.stored, importedBytes(sent)]
    expect(more).toBeLessThanOrEqual(atMost)
    expect(more).toBeGreaterThan(atMost - 2000)
    const before = await itemsOf(user)
    const tooMuch = Array.from({ length: 9 }, () => noteOf('x'.repeat(99_000)))
    expect(importedBytes({ notes: tooMuch })).toBeGreaterThan(room.bytes.max - room.bytes.stored)
    const { status, json } = await send(user, { tasks: [taskOf()], notes: tooMuch })
    expect([status, json.code]).toEqual([409, 'over-quota'])
    const tooLong = Array.from({ length: 9 }, (_, hour) => versionAt(`02T0${hour}`, 'x'.repeat(99_000)))
    expect((await send(user, { versions: tooLong })).json.code).toBe('over-quota')
    expect(await itemsOf(user)).toEqual(before)
    expect(await roomOf(user)).toEqual(room)
  })

  test('is refused as a whole for one value, which the error names', async () => {
    const user = await server.newUser()
    const [task, note] = [taskOf(), noteOf('A note')]
    const existing = noteOf('Here')
    await send(user, { notes: [existing] })
    const tasks = Array.from({ length: importsPerCall }, () => taskOf())
    const never = { repeat: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }
    const refused: [string, Sent][] = [
      ['tasks', { tasks: [...tasks, task] }],
      ['request body', { tasks, notes: [note] }],
      ['tasks/1/_id', { tasks: [task, taskOf({ _id: existing._id })] }],
      ['notes/0/_id', { tasks: [task], notes: [{ ...note, _id: task._id }] }],
      ['tasks/0/dueTime', { tasks: [taskOf({ dueDate: null, dueTime: '08:00' })] }],
      ['tasks/1/repeat', { tasks: [task, taskOf(never)] }],
      ['notes/0/text', { notes: [{ ...note, text: '\0' }] }],
    ]
    for (const [field, sent] of refused)
      expect(fieldErrorOf(await send(user, sent)).slice(0, 2)).toEqual([400, field])
    expect(await itemsOf(user)).toHaveLength(1)
  })

  test('is taken back in parts, except what was changed since, and comes back when it is imported again', async () => {
    const user = await server.newUser()
    const own = await user.addTask({ title: 'Mine' })
    const id = newId()
    const [edited, gone, note] = [taskOf(), taskOf(), noteOf('A note')]
    const many = Array.from({ length: rowsPerRemoval }, () => taskOf())
    const calls = [{ tasks: [edited, gone], notes: [note] }]
    for (let from = 0; from < many.length; from += importsPerCall)
      calls.push({ tasks: many.slice(from, from + importsPerCall), notes: [] })
    for (const sent of calls) await send(user, { import: id, ...sent })
    await user.send({ item: edited._id, set: { title: 'Green tea' }, group: id })
    await user.send({ item: gone._id, set: { deleted: true } })
    const undo = async (after?: number) =>
      (await user.call('POST /import/undo', { body: { import: id, after } })).json
    const first = await undo()
    expect(first).toEqual({ removed: rowsPerRemoval - 1, kept: 1, next: expect.any(Number) })
    expect(await undo()).toEqual(first)
    const second = await undo(first.next ?? undefined)
    expect(second).toEqual({ removed: 3, kept: 0, next: null })
    expect(await user.tasks()).toMatchObject([own, edited].map(({ _id }) => ({ _id })))
    expect((await user.call('GET /notes')).json.notes).toEqual([])
    const restored = { tasks: ['existing', 'restored'], notes: ['restored'] }
    expect((await send(user, calls[0] ?? {})).json).toMatchObject(restored)
  })

  test('with long texts is taken back in calls of bounded size', async () => {
    const user = await server.newUser()
    const id = newId()
    for (let sent = 0; sent < 8; sent++)
      await send(user, { import: id, notes: Array.from({ length: 9 }, () => noteOf('x'.repeat(100_000))) })
    let [calls, removed] = [0, 0]
    for (let after: number | null | undefined; after !== null; calls++) {
      const { json } = await user.call('POST /import/undo', { body: { import: id, after } })
      removed += json.removed
      after = json.next
    }
    expect([calls, removed]).toEqual([2, 72])
    expect((await user.call('GET /notes')).json.notes).toEqual([])
  })
})

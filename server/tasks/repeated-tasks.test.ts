import { expect, test } from 'vitest'
import { pageVersion, tasksPerUser } from '#contract/limits.ts'
import { nextId } from '#contract/repeats.ts'
import { newId } from '../new-id.ts'
import { fieldErrorOf } from '../testing/field-error.ts'
import { setAccount } from '../testing/stored-rows.ts'
import { onEveryServer, type TestUser } from '../testing/test-server.ts'

const began = Date.now()
const day = (days: number) => new Date(began + days * 86_400_000).toISOString().slice(0, 10)
const draft = { title: 'Water the plants', body: '- [x] fern', dueDate: day(0), priority: 'high' } as const

onEveryServer('repeated tasks', ({ server, user }) => {
  async function daily(more: object = {}, by: TestUser = user) {
    const id = newId()
    await by.change(id, { ...draft, repeat: 'FREQ=DAILY', ...more })
    return id
  }

  const titles = async () => (await user.tasks()).map(({ title }) => title)
  const ids = async () => (await user.tasks()).map(({ _id }) => _id)

  test('completing makes one next task, with the body’s boxes open, and the creation time of its predecessor', async () => {
    const id = await daily({ dueTime: '08:00' })
    const { item } = await user.change(id, { done: true }, { day: day(0) })
    expect(item).toMatchObject({ series: id, repeatDay: day(0) })
    const next = { ...draft, body: '- [ ] fern', dueTime: '08:00', dueDate: day(1), repeatDay: day(1) }
    const kept = { repeat: 'FREQ=DAILY', series: id, createdAt: item.createdAt }
    expect(await user.tasks()).toMatchObject([{ _id: nextId(id, id), ...next, ...kept }])
    await user.change(id, { done: false })
    await user.change(id, { done: true }, { day: day(0) })
    expect(await user.tasks()).toHaveLength(1)
  })

  test('an undo of a completion removes its next task for good, unless it was changed, and a redo makes it again', async () => {
    const id = await daily()
    const { seq } = await user.change(id, { done: true }, { day: day(0) })
    const { json: undone } = await user.undo(seq)
    expect(await ids()).toEqual([id])
    expect((await user.call(`GET /tasks/${nextId(id, id)}`)).status).toBe(404)
    const seqIn = ({ items }: typeof undone) => items[0]?.seq
    const { json: redone } = await user.undo(seqIn(undone))
    expect(await ids()).toEqual([nextId(id, id)])
    const { json: undoneAgain } = await user.undo(seqIn(redone))
    expect(await ids()).toEqual([id])
    await user.undo(seqIn(undoneAgain))
    await user.change(nextId(id, id), { title: 'Water the fern' })
    const again = await user.change(id, { done: false })
    expect(again.outcome).toBe('applied')
    const { seq: second } = await user.change(id, { done: true })
    await user.undo(second)
    expect((await titles()).sort()).toEqual(['Water the fern', 'Water the plants'])
  })

  test('an undo of a completion whose repeat another device has stopped since removes its next task too', async () => {
    const id = await daily()
    const { seq } = await user.change(id, { done: true })
    await user.change(id, { repeat: null })
    await user.undo(seq)
    expect(await ids()).toEqual([id])
  })

  test('an undo of a completion that made no next task, because one existed, leaves that task', async () => {
    const id = await daily()
    await user.change(id, { done: true })
    await user.change(id, { done: false })
    const { seq } = await user.change(id, { done: true })
    await user.undo(seq)
    expect(await user.tasks()).toHaveLength(2)
  })

  test('a completion restores the next task that was deleted before, and its undo deletes that one again', async () => {
    const id = await daily()
    const next = nextId(id, id)
    await user.change(id, { done: true }, { day: day(0) })
    const { item } = await user.change(next, { title: 'Water the fern', deleted: true })
    await user.change(id, { done: false, title: 'Water all plants' })
    await setAccount(server.database, user.id, { stored_bytes: 2 ** 30 })
    const before = (await user.changes()).cursor
    const { seq } = await user.change(id, { done: true }, { day: day(1) })
    const restored = { _id: next, title: 'Water all plants', dueDate: day(2), repeatDay: day(2) }
    expect(await user.tasks()).toMatchObject([restored])
    const undone = await user.undo(seq)
    expect(await ids()).toEqual([id])
    // The answer does not have the deleted task, so a page asks for the changes since.
    expect(undone.headers).not.toHaveProperty('changes-cursor-before')
    const delta = await user.changes(before)
    const told = delta.items?.find(({ item: { _id } }) => _id === next)?.item
    expect(told).toMatchObject({ title: 'Water the fern', deletedAt: item.deletedAt, dueDate: day(1) })
    await user.undo(undone.json.items[0]?.seq)
    expect(await user.tasks()).toMatchObject([{ _id: next, title: 'Water all plants' }])
  })

  test('a completion leaves a next task that was completed before it was deleted', async () => {
    const id = await daily()
    await user.change(id, { done: true })
    await user.change(nextId(id, id), { done: true })
    await user.change(nextId(id, id), { deleted: true })
    await user.change(id, { done: false })
    await user.change(id, { done: true })
    expect(await ids()).toEqual([nextId(id, nextId(id, id))])
  })

  test.each([
    ['the most tasks', { task_count: tasksPerUser }],
    ['no bytes left', { stored_bytes: 2 ** 30 }],
    ['the most tasks and no bytes left', { task_count: tasksPerUser, stored_bytes: 2 ** 30 }],
  ])('a repeat is completed, skipped and taken back in an account that has %s', async (_, values) => {
    const id = await daily({ body: '- [x] fern '.repeat(1000) })
    await setAccount(server.database, user.id, values)
    const { seq } = await user.change(id, { done: true }, { day: day(0) })
    expect((await user.send({ item: newId(), set: draft })).status).toBe(409)
    expect(await ids()).toEqual([nextId(id, id)])
    expect((await user.undo(seq)).status).toBe(200)
    expect(await ids()).toEqual([id])
    await user.change(id, { done: true }, { day: day(0) })
    await user.change(nextId(id, id), { done: true }, { day: day(0) })
    expect((await user.tasks()).map(({ dueDate }) => dueDate)).toEqual([day(2)])
  })

  test('a completed task makes no next one if a note has its id, and the undo leaves that note', async () => {
    const id = await daily()
    const note = { kind: 'note', base: 0 }
    await user.change(nextId(id, id), { text: 'Ferry' }, note)
    const { seq } = await user.change(id, { done: true }, { day: day(0) })
    expect(await user.tasks()).toEqual([])
    await user.change(nextId(id, id), { pinned: true }, { kind: 'note' })
    await user.undo(seq)
    const { items } = await user.changes()
    const expected = ['task', 'note'].map((kind) => ({ kind, item: { deletedAt: null } }))
    expect(items).toMatchObject(expected)
  })

  test('two devices that complete the same task make one next task, on the day of the first', async () => {
    const id = await daily()
    await user.change(id, { done: true }, { day: day(0) })
    await user.change(id, { done: true }, { day: day(1) })
    expect(await user.tasks()).toMatchObject([{ dueDate: day(1) }])
  })

  test('a change of a next task that its device does not know yet is one of the task as it was made, and asks nothing unless the same field was changed', async () => {
    const id = await daily()
    const next = nextId(id, id)
    await user.change(id, { done: true }, { day: day(0) })
    await user.change(next, { priority: 'low' })
    // The other device has completed it on the next day, and has changed what follows, without a network.
    await user.change(id, { done: true }, { day: day(1) })
    const outcomeOf = async (item: string, set: object) => (await user.change(item, set, { base: 0 })).outcome
    expect(await outcomeOf(next, { title: 'Water the fern' })).toBe('merged')
    expect(await outcomeOf(next, { dueDate: day(9) })).toBe('merged')
    expect(await outcomeOf(next, { priority: 'medium' })).toBe('conflict')
    const changed = { title: 'Water the fern', dueDate: day(9), repeatDay: day(1), priority: 'low' }
    expect(await user.tasks()).toMatchObject([changed])
    expect(await outcomeOf(id, { title: 'Water the fern' })).toBe('conflict')
  })

  test('one call completes tasks of a repeat and changes those that follow as they were made', async () => {
    const id = await daily()
    const next = nextId(id, id)
    const changes = [
      { item: id, set: { done: true } },
      { item: next, base: 0, set: { title: 'Water the fern' } },
      { item: next, base: 0, set: { done: true, priority: 'low' } },
      { item: next, base: 0, set: { title: 'Water the palm' } },
      { item: nextId(id, next), base: 0, set: { dueDate: day(9) } },
    ].map((each) => ({ ...each, day: day(0) }))
    const { json } = await user.send(...changes)
    const outcomes = json.items.map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['applied', 'merged', 'merged', 'conflict', 'merged'])
    const last = { title: 'Water the fern', priority: 'low', dueDate: day(9), repeatDay: day(2) }
    expect(await user.tasks()).toMatchObject([last])
  })

  test('a next task that was taken back and made again is changed as it was made again', async () => {
    const id = await daily()
    const next = nextId(id, id)
    const { seq } = await user.change(id, { done: true }, { day: day(0) })
    await user.undo(seq)
    await user.change(id, { done: true }, { day: day(0) })
    const outcomeOf = async (set: object) => (await user.change(next, set, { base: 0 })).outcome
    expect(await outcomeOf({ title: 'Water the fern' })).toBe('merged')
    expect(await outcomeOf({ priority: 'low' })).toBe('merged')
    expect(await outcomeOf({ title: 'Water the palm' })).toBe('conflict')
    expect(await user.tasks()).toMatchObject([{ title: 'Water the fern', priority: 'low' }])
  })

  test.each([
    ['FREQ=DAILY', 0, 'due'],
    ['FREQ=DAILY;COUNT=5', 0, 'due'],
    ['FREQ=DAILY', 0, 'done'],
  ])(
    'an occurrence of %s that one device completes and another one skips is done on its day, and the next day stays open, in both orders',
    async (repeat, due, repeatFrom) => {
      const completion = { done: true, repeatDay: day(due) }
      const skipped = { dueDate: day(1), repeatDay: day(1) }
      for (const isSkippedFirst of [true, false]) {
        const id = await daily({ repeat, repeatFrom })
        const { version: base } = await user.task(id)
        if (isSkippedFirst) await user.change(id, skipped, { base })
        await user.change(id, completion, { day: day(0) })
        if (!isSkippedFirst)
          expect(await user.change(id, skipped, { base })).not.toMatchObject({ outcome: 'conflict' })
        const { dueDate, repeatDay, doneAt, repeat: rule } = await user.task(id)
        expect([dueDate, repeatDay, doneAt !== null, rule]).toEqual([day(0), day(0), true, repeat])
        expect(await user.task(nextId(id, id))).toMatchObject({ ...skipped, doneAt: null })
      }
    },
  )

  test('a completion of an occurrence that is not on the grid of a new rule, or whose repeat was stopped, completes the task', async () => {
    const complete = (id: string) => user.change(id, { done: true, repeatDay: day(0) }, { day: day(0) })
    for (const set of [
      { repeat: 'FREQ=DAILY;INTERVAL=3', dueDate: day(2) },
      { repeat: null },
      { dueDate: null },
    ]) {
      const id = await daily()
      await user.change(id, set)
      const { outcome, item } = await complete(id)
      expect([outcome, item.doneAt === null]).toEqual(['applied', false])
    }
    expect((await user.tasks()).map(({ dueDate }) => dueDate)).toEqual([day(5)])
  })

  test('someone else completes, skips and asks for the earlier days of no task but an own one, even if it has the same id', async () => {
    const [ada, bob] = [await server.newUser(), await server.newUser()]
    const id = await daily({ dueDate: day(-1) }, ada)
    await ada.change(id, { dueDate: day(0), repeatDay: day(0) })
    const before = await ada.tasks()
    for (const set of [{ done: true }, { dueDate: day(1), repeatDay: day(1) }])
      expect((await bob.change(id, set)).outcome).toBe('conflict')
    expect((await bob.call(`GET /tasks/${id}/passed`)).status).toBe(404)
    expect(await bob.tasks()).toEqual([])
    // Their series have the same id, and so have the next tasks.
    await bob.change(id, { ...draft, title: 'Of Bob', repeat: 'FREQ=DAILY' })
    expect(await passed(bob, id)).toEqual([])
    await bob.change(id, { done: true }, { day: day(0) })
    expect(await bob.tasks()).toMatchObject([{ _id: nextId(id, id), title: 'Of Bob' }])
    expect(await ada.tasks()).toEqual(before)
    await ada.change(id, { done: true }, { day: day(0) })
    expect(await ada.tasks()).toMatchObject([{ _id: nextId(id, id), title: draft.title }])
    expect(await bob.tasks()).toMatchObject([{ _id: nextId(id, id), title: 'Of Bob' }])
  })

  test('no client says of which series a task is', async () => {
    const [ada, bob] = [await server.newUser(), await server.newUser()]
    const series = await daily({}, ada)
    const sent = { ...draft, title: 'Of Bob', series }
    expect((await bob.send({ item: newId(), set: sent })).status).toBe(400)
    // A page may send fields that the server does not know.
    const headers = { 'page-version': pageVersion }
    const changeInPage = (item: string, set: object) =>
      bob.call('POST /changes', { body: { changes: [{ mutation: newId(), item, set }] }, headers })
    await changeInPage(newId(), sent)
    await bob.call('POST /list/addTask', { body: sent })
    const repeated = newId()
    await changeInPage(repeated, { ...sent, repeat: 'FREQ=DAILY' })
    await changeInPage(repeated, { series, repeat: 'FREQ=DAILY;INTERVAL=2' })
    const seriesOf = (await bob.tasks()).map((task) => task.series)
    expect(seriesOf.toSorted()).toEqual([repeated, null, null])
  })

  test('a client learns of the next task from the changes since the cursor before its completion', async () => {
    const id = await daily()
    const { json, headers } = await user.call('GET /changes')
    const { headers: completed } = await user.send({ item: id, set: { done: true } })
    for (const each of [headers, completed]) expect(each).not.toHaveProperty('changes-cursor-before')
    const delta = await user.changes(json.cursor)
    expect(delta.items.map(({ item }) => item._id).sort()).toEqual([id, nextId(id, id)].sort())
  })

  test('a search finds the open task of a repeat and then its done ones, the last completed first', async () => {
    const ids = [await daily()]
    for (const hours of [3, 2, 1]) {
      const [last] = ids.slice(-1) as [string]
      const at = new Date(Date.now() - hours * 3_600_000).toISOString()
      await user.change(last, { done: true }, { at })
      ids.push(nextId(ids[0] as string, last))
    }
    const { tasks } = (await user.call('GET /search?q=plants')).json
    expect(tasks.map(({ _id }) => _id)).toEqual(ids.toReversed())
  })

  test('calls of a page without repeats keep the rule, and its completion makes the next task', async () => {
    const id = await daily()
    const { title, dueDate, priority } = draft
    const edit = { title: `${title}!`, dueDate, priority }
    expect((await user.editTask(id, edit)).status).toBe(200)
    await user.change(id, { priority: 'low' })
    await user.change(id, { dueDate: day(2) })
    const task = await user.task(id)
    expect(task).toMatchObject({ repeat: 'FREQ=DAILY', repeatDay: day(0), dueDate: day(2), series: id })
    await user.change(id, { done: true })
    expect(await user.tasks()).toMatchObject([{ _id: nextId(id, id), repeat: 'FREQ=DAILY' }])
  })

  test('a next task counts from the day of the device, if it is near, and otherwise from that of the caller', async () => {
    for (const [given, expected] of Object.entries({ [day(1)]: day(2), [day(40)]: day(1) })) {
      const id = await daily()
      await user.send({ item: id, set: { done: true }, day: given })
      expect((await user.task(nextId(id, id))).dueDate).toBe(expected)
    }
  })

  test.each(['Pacific/Kiritimati', 'Etc/GMT+12', 'UTC'])(
    'a completion that is sent without a day goes on after the day in the zone of the caller: %s',
    async (zone) => {
      const id = await daily({ dueDate: day(-3) })
      const body = { changes: [{ mutation: newId(), item: id, set: { done: true } }] }
      const headers = { 'time-zone': zone }
      expect((await user.call('POST /changes', { body, headers })).status).toBe(200)
      const there = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date())
      const next = new Date(Date.parse(there) + 86_400_000).toISOString().slice(0, 10)
      expect((await user.tasks()).map(({ dueDate }) => dueDate)).toEqual([next])
    },
  )

  test('a task moves on its grid with what is left of COUNT, and a day off the grid is a conflict', async () => {
    const id = await daily({ repeat: 'FREQ=DAILY;INTERVAL=2;COUNT=3' })
    const skip = (to: string) => user.change(id, { repeatDay: to, dueDate: to })
    expect((await skip(day(3))).outcome).toBe('conflict')
    const moved = { repeat: 'FREQ=DAILY;INTERVAL=2;COUNT=2', dueDate: day(2) }
    expect((await skip(day(2))).item).toMatchObject(moved)
  })

  test('a rule needs a due date, has a day and is of the subset, goes with the date as the time does, and comes back with it', async () => {
    const id = await daily({ dueTime: '17:30' })
    const errorOf = async (repeat: string, item = id, more: object = {}) =>
      fieldErrorOf(await user.send({ item, set: { ...more, repeat } }))
    const rejected = (why: unknown = expect.stringMatching(/^must /)) => [400, 'changes/0/set/repeat', why]
    // The texts that are no rules are in repeat-days.test.ts.
    for (const repeat of [
      ...['FREQ=HOURLY', 'every day', 'FREQ=DAILY\u0000', `FREQ=DAILY;${'X'.repeat(100_000)}=1`],
      ...['FREQ=DAILY;UNTIL=20000101', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'],
    ])
      for (const answer of [await errorOf(repeat), await errorOf(repeat, newId(), draft)])
        expect([repeat, ...answer]).toEqual([repeat, ...rejected()])
    const never = 'must have a day within 1,000 steps from the due date'
    expect(await errorOf('FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30')).toEqual(rejected(never))
    const { seq, item } = await user.change(id, { dueDate: null })
    expect(item).toMatchObject({ dueTime: null, repeat: null, repeatDay: null })
    expect(await errorOf('FREQ=DAILY')).toEqual(rejected())
    const { json } = await user.undo(seq)
    const restored = { dueDate: day(0), dueTime: '17:30', repeat: 'FREQ=DAILY', repeatDay: day(0) }
    expect(json.items[0]?.item).toMatchObject(restored)
  })

  const passed = async (user: TestUser, id: string) =>
    JSON.parse((await user.call(`GET /tasks/${id}/passed`, { headers: { 'time-zone': 'UTC' } })).text)
      .days as { day: string; skipped: boolean }[]
  const skip = (user: TestUser, id: string, to: number) =>
    user.change(id, { dueDate: day(to), repeatDay: day(to) })

  test('each task of a repeat says which days of the last 30 were skipped or had passed before the completion', async () => {
    const id = await daily({ dueDate: day(-5), repeat: 'FREQ=DAILY;COUNT=20' })
    await skip(user, id, -4)
    await user.change(id, { done: true }, { day: day(0) })
    const days = [-1, -2, -3, -5].map((each) => ({ day: day(each), skipped: each === -5 }))
    for (const each of [id, nextId(id, id)]) expect(await passed(user, each)).toEqual(days)
  })

  test('a late task says the days after its own that have passed, and of the last 30 alone', async () => {
    const id = await daily({ dueDate: day(-2) })
    expect(await passed(user, id)).toEqual([{ day: day(-1), skipped: false }])
    const old = await daily({ dueDate: day(-200) })
    const days = await passed(user, old)
    expect(days).toHaveLength(29)
    expect(days.at(-1)?.day).toBe(day(-29))
  })

  test('an undone skip, a changed rule and a move pass no day, and a redone skip does', async () => {
    const id = await daily({ dueDate: day(-1) })
    const { seq } = await skip(user, id, 0)
    expect(await passed(user, id)).toEqual([{ day: day(-1), skipped: true }])
    const undone = (await user.undo(seq)).json
    expect(await passed(user, id)).toEqual([])
    await user.undo(undone.items[0]?.seq)
    expect(await passed(user, id)).toEqual([{ day: day(-1), skipped: true }])
    const other = await daily({ dueDate: day(-1) })
    await user.change(other, { dueDate: day(0), repeat: 'FREQ=DAILY;INTERVAL=2' })
    await user.change(other, { dueDate: day(3) })
    expect(await passed(user, other)).toEqual([])
  })

  test('a task that counts from its completion, one that was stopped, and one without a repeat have passed no day', async () => {
    const fromDone = await daily({ dueDate: day(-5), repeatFrom: 'done' })
    const stopped = await daily({ dueDate: day(-5) })
    await user.change(stopped, { repeat: null })
    const { _id: plain } = await user.addTask()
    for (const id of [fromDone, stopped, plain]) expect(await passed(user, id)).toEqual([])
  })
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { noteLength, notesPerUser } from '#contract/limits.ts'
import { newId } from '../new-id.ts'
import { itemsIn } from '../testing/items-in.ts'
import { insertRows } from '../testing/stored-rows.ts'
import { onEveryServer } from '../testing/test-server.ts'

onEveryServer('notes', ({ server, user }) => {
  const edit = async (item: string, set: object, base?: number) =>
    (await user.send({ item, kind: 'note', base, set })).json.items
  const titles = async (query = '') =>
    (await user.call(`GET /notes${query}`)).json.notes.map(({ title }) => title)

  const newNote = () => ({ item: newId(), kind: 'note', base: 0 })
  /** Checks that a call with these changes gets a 400 with one error. */
  async function expectRejected(field: string, code: string, ...changes: object[]) {
    const { status, json } = await user.send(...changes)
    expect([status, json.errors]).toMatchObject([400, [{ field, code }]])
  }

  test('are stored exactly as they were typed, up to 100,000 characters', async () => {
    for (const text of [
      '',
      '\r\n \t# 😀 <script>alert(1)</script>\u2028\u0001\r\n',
      '😀'.repeat(noteLength.max),
      '> '.repeat(50_000),
      // The title is cut in the middle of this character.
      `a${' '.repeat(798)}😀`,
    ]) {
      const { _id } = await user.addNote(text)
      const { status, json } = await user.call(`GET /notes/${_id}`)
      expect([status, json.note.text === text]).toEqual([200, true])
    }
    const invalid = { ['a'.repeat(noteLength.max + 1)]: 'too-long', 'a\0b': 'not-text', '\ud800': 'not-text' }
    for (const [text, code] of Object.entries(invalid))
      await expectRejected('changes/0/set/text', code, { ...newNote(), set: { text } })
  })

  test('are listed with a title and a snippet, pinned ones first, then by the newest text', async () => {
    const first = await user.addNote('# Plan  for \t May\n\n- one\n- two')
    const second = await user.addNote(`${'long '.repeat(100)}\nrest`)
    await user.addNote('\n \n')
    const { notes } = (await user.call('GET /notes')).json
    expect(notes.map(({ title, snippet }) => [title, snippet])).toEqual([
      ['', ''],
      ['long '.repeat(40).trim(), 'rest'],
      ['Plan for May', '- one - two'],
    ])
    await edit(second._id, { pinned: true })
    while (Date.now() <= Date.parse(notes[0]?.changedAt ?? '')) await new Promise(setImmediate)
    const results = await edit(first._id, { text: 'Plan B' }, first.version)
    expect(results).toMatchObject([{ outcome: 'applied', kind: 'note', item: { text: 'Plan B' } }])
    expect(await titles()).toEqual([notes[1]?.title, 'Plan B', ''])
    expect(results[0]?.item?.createdAt).toBe(first.createdAt)
  })

  test('are listed in pages that contain each note once, and the deleted ones apart, latest deletion first', async () => {
    for (let number = 0; number < 7; number++) {
      const { _id } = await user.addNote(`Note ${number}`, { pinned: number === 3 })
      if (number === 1 || number === 5) await edit(_id, { deleted: true })
    }
    const all = async (query: string) =>
      (await user.pages(`GET /notes?limit=2${query}`)).flatMap(({ notes }) => notes.map(({ title }) => title))
    expect(await all('')).toEqual(['Note 3', 'Note 6', 'Note 4', 'Note 2', 'Note 0'])
    expect((await all('&deleted=true')).toSorted()).toEqual(['Note 1', 'Note 5'])
    // The cursor of another list is rejected, also of deleted tasks.
    for (let number = 0; number < 2; number++) await user.deleteTask((await user.addTask())._id)
    for (const list of ['GET /notes', 'GET /list/getDeletedTasks']) {
      const { nextCursor } = (await user.call(`${list}?limit=1`)).json
      const other = await user.call(`GET /notes?limit=2&deleted=true&cursor=${nextCursor}`)
      expect([other.status, other.json.errors]).toMatchObject([400, [{ field: 'cursor' }]])
    }
  })

  test('that were edited elsewhere are not overwritten: the response contains the current note', async () => {
    const { _id: item, version } = await user.addNote('One')
    await edit(item, { text: 'Two' }, version)
    const rejected = { outcome: 'conflict', item: { text: 'Two', version: version + 1 } }
    expect(await edit(item, { text: 'Three' }, version)).toMatchObject([rejected])
    expect(await edit(item, { text: 'Three' }, version + 1)).toMatchObject([{ outcome: 'applied' }])
    expect(await edit(item, { text: 'Three' }, version)).toMatchObject([{ outcome: 'merged' }])
  })

  test('never share an id with a task, and have fields of their own', async () => {
    const task = await user.addTask()
    const { _id: note } = await user.addNote('Note')
    const whole = { title: 'T', dueDate: '2026-11-21', priority: 'high' }
    const [text, both] = [{ text: 'T' }, randomUUID()]
    const isNote = { kind: 'note', base: 0 }
    for (const [field, code, ...changes] of [
      ['changes/0/item', 'other-kind', { item: task._id, ...isNote, set: text }],
      ['changes/0/item', 'other-kind', { item: note, set: whole }],
      ['changes/0/item', 'other-kind', { item: note, set: { done: true } }],
      ['changes/1/item', 'other-kind', { item: both, ...isNote, set: text }, { item: both, set: whole }],
      ['changes/0/set/title', 'other-kind', { item: note, kind: 'note', set: { title: 'T' } }],
      ['changes/0/set/text', 'other-kind', { item: task._id, base: 0, set: text }],
      ['changes/0/base', 'required', { item: note, kind: 'note', set: text }],
    ] as const)
      await expectRejected(field, code, ...changes)
    expect((await user.call(`GET /tasks/${note}`)).status).toBe(404)
    expect((await user.call(`GET /notes/${task._id}`)).status).toBe(404)
    expect(await titles()).toEqual(['Note'])
  })

  test('have only their own versions: the number of a version of another note is not found', async () => {
    const { _id: item, version: first } = await user.addNote('Old')
    const { _id: other } = await user.addNote('Other')
    await user.send({ item, kind: 'note', base: first, set: { text: 'New' }, group: newId() })
    const answerOf = (id: string) => user.call(`GET /notes/${id}/versions/${first}`)
    expect((await answerOf(item)).json.version.text).toBe('Old')
    expect((await answerOf(other)).status).toBe(404)
  })

  test('are in the changes since a cursor: new, edited, deleted and restored ones, without their texts', async () => {
    const start = (await user.changes()).cursor
    const { _id: item, version } = await user.addNote('One\nbody')
    await edit(item, { text: 'Two\nbody' }, version)
    const task = await user.addTask()
    const { items, cursor } = await user.changes(start)
    const note = {
      ...{ _id: item, title: 'Two', snippet: 'body', pinned: false, version: 2, deletedAt: null },
      ...{ createdAt: expect.any(String), changedAt: expect.any(String) },
    }
    expect(items.map(({ kind }) => kind)).toEqual(['task', 'note'])
    expect(items.map(({ item }) => item)).toEqual([task, note])
    await edit(item, { deleted: true })
    const deleted = { title: 'Two', deletedAt: expect.any(String) }
    expect(itemsIn(await user.changes(cursor))).toMatchObject([deleted])
    expect(itemsIn(await user.changes())).toMatchObject([task, deleted])
    await edit(item, { deleted: false })
    expect(itemsIn(await user.changes())).toMatchObject([task, { title: 'Two', deletedAt: null }])
  })

  test('can be undone: creating, pinning, deleting and each text that was saved with a group', async () => {
    const { _id: item } = await user.addNote('One')
    const undo = async (seq: number) => (await user.undo(seq)).json
    await edit(item, { pinned: true })
    expect((await undo(2)).items).toMatchObject([{ item: { pinned: false } }])
    await edit(item, { deleted: true })
    expect((await undo(4)).items).toMatchObject([{ item: { deletedAt: null } }])
    await user.send({ item, kind: 'note', base: 5, set: { text: 'Two' }, group: randomUUID() })
    expect((await undo(6)).items).toMatchObject([{ kind: 'note', item: { text: 'One' } }])
    expect((await undo(7)).items).toMatchObject([{ item: { text: 'Two' } }])
    expect((await undo(1)).status).toBe(409)
    expect((await undo(6)).items).toMatchObject([{ item: { text: 'One' } }])
    const { _id: other } = await user.addNote('Other')
    expect((await undo(10)).items).toMatchObject([{ item: { _id: other, deletedAt: expect.any(String) } }])
  })

  test('that are emptied stay pinned and in their place, and come back from a deletion as empty notes', async () => {
    const { _id: item } = await user.addNote('Ferry', { pinned: true })
    await user.addNote('Newer')
    await edit(item, { text: '' }, 1)
    expect(await titles()).toEqual(['', 'Newer'])
    const [deleted] = await edit(item, { deleted: true })
    expect(await titles()).toEqual(['Newer'])
    await user.undo(deleted?.item?.version)
    expect(await titles()).toEqual(['', 'Newer'])
    expect(await user.note(item)).toMatchObject({ text: '', pinned: true, deletedAt: null })
  })

  test('that were edited several times are undone step by step, and each step is undone again', async () => {
    const { _id: item } = await user.addNote('One')
    for (const [base, text] of ['Two', 'Three'].entries())
      await user.send({ item, kind: 'note', base: base + 1, set: { text }, group: randomUUID() })
    const undo = async (seq: number) => (await user.undo(seq)).json.items?.map(({ item }) => item?.text)
    expect([await undo(3), await undo(2)]).toEqual([['Two'], ['One']])
    expect([await undo(5), await undo(4)]).toEqual([['Two'], ['Three']])
    await edit(item, { text: 'Since' }, 7)
    expect(await undo(3)).toBeUndefined()
  })

  test('cannot get the id of a task that was removed for good, nor the reverse', async () => {
    const cursor = (await user.changes()).cursor
    const [task, note] = [(await user.addTask())._id, (await user.addNote('One'))._id]
    const asNote = { item: task, kind: 'note', base: 0, set: { text: 'Two' } }
    const asTask = { item: note, set: { title: 'Two', dueDate: '2026-11-21', priority: 'low' } }
    await user.send({ item: task, set: { deleted: true } })
    await edit(note, { deleted: true })
    await user.purge(task, note)
    const unrelated = { ...newNote(), set: { text: 'Three' } }
    for (const taken of [asNote, asTask])
      await expectRejected('changes/1/item', 'other-kind', unrelated, taken)
    expect(await user.changes(cursor)).toMatchObject({ items: [], purged: [task, note] })
    expect(await user.addNote('Again', {}, note)).toMatchObject({ _id: note, text: 'Again' })
    const again = { items: [{ kind: 'note', item: { _id: note } }], purged: [task, note] }
    expect(await user.changes(cursor)).toMatchObject(again)
  })

  test('of one account are at most 10,000, not counting deleted ones', async () => {
    const rows = Array.from({ length: notesPerUser - 1 }, () => ({
      ...{ user_id: user.id, id: randomUUID(), version: 0, pinned: 0, created_at: 1, changed_at: 1 },
      ...{ deleted_at: null, saved_seq: 0, saved_by: '', saved_by_name: '', version_since: 1 },
      ...{ title: 'T', snippet: '', text: 'T', folded: 't\nt' },
    }))
    await insertRows(server.database, 'notes', rows)
    const last = await user.addNote('The last')
    const refused = await user.send({ ...newNote(), set: { text: '' } })
    const detail = 'You have 10,000 notes, as many as one account keeps. Delete some first.'
    expect(refused).toMatchObject({ status: 409, json: { detail } })
    expect(await edit(last._id, { deleted: true })).toMatchObject([{ outcome: 'applied' }])
    expect(await user.addNote('The next')).toMatchObject({ text: 'The next' })
    const restoring = await user.send({ item: last._id, kind: 'note', set: { deleted: false } })
    expect(restoring.status).toBe(409)
    expect((await user.addTask()).title).toBe('Water the plants')
    expect(await titles('?limit=1')).toEqual(['The next'])
  })
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { keptFor, rowBytes } from '#contract/limits.ts'
import { kinds } from '../app.ts'
import { change, type Mutation } from '../changes/change.ts'
import { sweepChanges } from '../changes/sweep-changes.ts'
import { undo } from '../changes/undo-changes.ts'
import type { Database } from '../database/database.ts'
import { bytesPerRemoval } from '../database/removals.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { addUser, databaseForAll } from '../testing/open-test-database.ts'
import { plannedDatabase } from '../testing/query-plans.ts'
import { allRows } from '../testing/rows.ts'
import { accountOf } from '../testing/stored-rows.ts'
import { findNoteHistory, firstDifference } from './note-history.ts'
import { countNotes, findNote, type NoteRow } from './note-kind.ts'
import { findVersion } from './note-queries.ts'
import { textBytes, thinVersions } from './note-versions.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const quota = 2 ** 30
/** The beginning of a day (UTC). */
const start = 20_000 * day

onEveryEngine('the versions of a note', (engine) => {
  const database = databaseForAll(engine)

  /** A note of a new user, written with an empty text at `start` by the device `phone`. */
  async function newNote() {
    const owner = await database.write((db) => addUser(db))
    const item = randomUUID()
    let version = 0
    const send = async (mutation: Partial<Mutation> & Pick<Mutation, 'set'>, now: number, device: string) => {
      const author = { userId: owner, device, by: device }
      const whole = { item, kind: 'note', base: version, ...mutation }
      const { items } = await database.write((db) => change(db, author, [whole], { kinds, quota, now }))
      expect(items[0]?.outcome).toBe('applied')
      version = items[0]?.item?.version ?? 0
      return version
    }
    const save = (text: string, at: number, { device = 'phone', ...more } = {}) =>
      send({ set: { text }, ...more }, start + at, device)
    const phone = { userId: owner, device: 'phone', by: 'Phone' }
    const history = async (behind?: number) => {
      const note = (await findNote(database.read, owner, item)) as NoteRow
      return await findNoteHistory(database.read, phone, note, behind)
    }
    const undoOne = (seq: number, at: number) =>
      database.write((db) => undo(db, phone, { seq, group: false }, { kinds, quota, now: start + at }))
    const texts = async () => {
      const { versions } = await history()
      return await Promise.all(
        versions.map(async ({ seq }) => (await findVersion(database.read, owner, item, seq))?.text),
      )
    }
    const kept = async () => {
      const versions = database.read.selectFrom('versions').select('text').where('user_id', '=', owner)
      const earlier = (await versions.orderBy('seq').execute()).map(({ text }) => text)
      return [...earlier, (await texts())[0]].map(Number)
    }
    const stored = async () => (await accountOf(database, owner)).stored_bytes
    /** Returns the texts that are kept, which are numbers in most tests. */
    async function thin(at: number) {
      await thinVersions(database, start + at, new AbortController().signal)
      return await kept()
    }
    await save('', 0)
    return { owner, item, send, save, undoOne, history, texts, stored, thin }
  }

  test('are the texts that one device has saved within five minutes, each as it was at the end', async () => {
    const note = await newNote()
    const typed = { a: minute, ab: 5 * minute - 1, abc: 5 * minute, abcd: 9 * minute }
    for (const [text, at] of Object.entries(typed)) await note.save(text, at)
    await note.save('ABCD', 9 * minute, { device: 'laptop' })
    await note.save('abcde', 9 * minute)
    expect(await note.texts()).toEqual(['abcde', 'ABCD', 'abcd', 'ab'])
    const { versions } = await note.history()
    const shown = versions.map(({ at, own, before, after }) => [Date.parse(at) - start, own, before, after])
    expect(shown).toEqual([
      [9 * minute, true, 'ABCD', 'abcde'],
      [9 * minute, false, 'abcd', 'ABCD'],
      [9 * minute, true, 'ab', 'abcd'],
      [5 * minute - 1, true, null, 'ab'],
    ])
  })

  test('begin with each save that has a group, and undo restores the text before it', async () => {
    const note = await newNote()
    await note.save('typed', minute)
    const restored = await note.save('restored', 2 * minute, { group: randomUUID() } as object)
    expect(await note.texts()).toEqual(['restored', 'typed'])
    const { items } = await note.undoOne(restored, 3 * minute)
    expect(items).toMatchObject([{ kind: 'note', item: { text: 'typed' } }])
    expect(await note.texts()).toEqual(['typed', 'restored', 'typed'])
  })

  test('cannot be undone in parts: a save that continued a version says so, and changes nothing', async () => {
    const note = await newNote()
    const seq = await note.save('typed', minute)
    const refusal = { status: 409, message: expect.stringContaining('history') }
    await expect(note.undoOne(seq, 2 * minute)).rejects.toMatchObject(refusal)
    expect(await note.texts()).toEqual(['typed'])
  })

  test('are all kept for a day, then the last of each hour, then after 30 days the last of each day', async () => {
    const note = await newNote()
    // Every 20 minutes for two days: the texts are the minutes.
    const minutes = Array.from({ length: 2 * 24 * 3 }, (_, number) => 20 * (number + 1) - 10)
    for (const at of minutes) await note.save(String(at), at * minute)
    expect(await note.thin(day - 1)).toEqual([0, ...minutes])
    expect(await note.thin(2 * day)).toEqual(minutes.filter((at) => at % 60 === 50 || at > 24 * 60))
    expect(await note.thin(3 * day)).toEqual(minutes.filter((at) => at % 60 === 50))
    expect(await note.thin(40 * day)).toEqual([24 * 60 - 10, 2 * 24 * 60 - 10])
  })

  test('are thinned in favour of the current text too, which is a version once it is replaced', async () => {
    const note = await newNote()
    await note.save('1', 10 * minute)
    await note.save('2', 50 * minute)
    expect(await note.thin(2 * day)).toEqual([2])
    await note.save('3', 2 * day)
    expect(await note.thin(3 * day)).toEqual([2, 3])
    await note.save('4', 3 * day)
    expect(await note.thin(40 * day)).toEqual([2, 3, 4])
  })

  test('are thinned for each note by itself', async () => {
    const note = await newNote()
    await note.save('1', 10 * minute)
    const base = await note.save('2', 30 * minute)
    const item = randomUUID()
    await note.send({ item, base: 0, set: { text: 'of another note' } }, start + 40 * minute, 'phone')
    await note.send({ item, set: { text: 'replaced' } }, start + 50 * minute, 'phone')
    await note.save('3', 70 * minute, { base } as object)
    await note.thin(2 * day)
    expect(await note.texts()).toEqual(['3', '2'])
  })

  test('count towards the bytes of the account until they are removed', async () => {
    const note = await newNote()
    const empty = await note.stored()
    const text = 'é'.repeat(1000)
    await note.save(text, hour)
    await note.save('', 2 * hour)
    const full = await note.stored()
    const logged = 2 * (rowBytes + '{"version":1}'.length)
    expect(full - empty).toBe(2000 + 2 * rowBytes + logged)
    await note.thin(40 * day)
    expect(await note.stored()).toBe(full - 2000 - 2 * rowBytes)
  })

  test('are removed with the note, 30 days after its deletion, and their bytes with them', async () => {
    const note = await newNote()
    for (let number = 0; number < 1200; number++) await note.save(`Secret ${number}`, number * 6 * minute)
    const deleted = 1200 * 6 * minute
    await note.send({ set: { deleted: true } }, start + deleted, 'phone')
    await sweepChanges(database, kinds, start + deleted + keptFor + 1, new AbortController().signal)
    const { notes, versions, changes } = await allRows(database)
    expect([...(notes ?? []), ...(versions ?? [])].filter((row) => row.includes(note.owner))).toEqual([])
    expect(changes?.join()).not.toContain('Secret')
    expect(await note.stored()).toBe(rowBytes)
  })

  test('are thinned and purged in transactions of a bounded number of bytes', async () => {
    const note = await newNote()
    for (let number = 0; number < 45; number++)
      await note.save('😀'.repeat(99_990) + number, (number + 1) * hour)
    const sizes = database.read.selectFrom('versions').select(textBytes.as('bytes'))
    const stored = async () => {
      const rows = await sizes.where('user_id', '=', note.owner).execute()
      return rows.reduce((sum, { bytes }) => sum + bytes, 0)
    }
    const removed: number[] = []
    const watched: Database = {
      ...database,
      async write(work, owner) {
        const before = await stored()
        const result = await database.write(work, owner)
        removed.push(before - (await stored()))
        return result
      },
    }
    await thinVersions(watched, start + 5 * day, new AbortController().signal)
    // None of them is deleted, but all are marked.
    expect(removed).toEqual(Array(9).fill(0))
    await note.send({ set: { deleted: true } }, start + 5 * day, 'phone')
    await sweepChanges(watched, kinds, start + 5 * day + keptFor, new AbortController().signal)
    expect(await stored()).toBe(0)
    expect(removed.filter((bytes) => bytes > 0)).toHaveLength(9)
    expect(Math.max(...removed)).toBeLessThanOrEqual(bytesPerRemoval)
  })

  test('are read in pages, each version once, however long they are', async () => {
    const note = await newNote()
    const letters = 'abcdefghijklmnopqrstuvwxyz'
    const long = [...letters].map((letter) => `${letter}\n`.repeat(50_000) + '😀'.repeat(50_000))
    const short = Array.from({ length: 60 }, (_, number) => `short ${number}`)
    for (const [index, text] of [...long, ...short].entries()) await note.save(text, index * 10 * minute)
    const found = []
    let pages = 0
    for (let behind: number | undefined; ; pages++) {
      const { versions, nextCursor } = await note.history(behind)
      found.push(...versions)
      if (!nextCursor) break
      behind = Number(nextCursor)
    }
    const seqs = found.map(({ seq }) => seq)
    expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => other - one))
    expect(found).toHaveLength(letters.length + 60)
    expect(pages).toBeGreaterThan(1)
    expect(found.at(-2)).toMatchObject({ before: 'a', after: 'b' })
  })
})

test('of a note have a first line in which they differ, which one of them may lack', () => {
  const firstLines: [string | undefined, string, string | null, string | null][] = [
    [undefined, 'a\nb', null, 'a'],
    ['a\nb\nc', 'a\nB\nc', 'b', 'B'],
    ['a\nb', 'a', 'b', null],
    ['a', 'a\n', null, ''],
    ['a', 'a', null, null],
    ['a\nb', 'ab', 'a', 'ab'],
    ['', 'a', '', 'a'],
    ['\nb', '\nc', 'b', 'c'],
    ['one\ntwo', 'one\ntwo three', 'two', 'two three'],
    ['x', '\nb', 'x', ''],
    ['x\nb', 'y\nb', 'x', 'y'],
    ['a\nbc', 'a\nbd', 'bc', 'bd'],
    ['ab\nc', 'a\nc', 'ab', 'a'],
    ['', '', null, null],
    [undefined, '', null, ''],
  ]
  for (const [earlier, later, before, after] of firstLines)
    expect(firstDifference(earlier, later)).toEqual({ before, after })
})

test('SQLite counts the notes of a user in an index, without reading them', async () => {
  const { db, statements, planOf } = await plannedDatabase()
  await countNotes(db, 'someone')
  const plan = expect.stringContaining('COVERING INDEX notes_by_change (user_id=?)')
  expect([...statements].map(planOf)).toEqual([plan])
})

test('SQLite finds the versions to thin out by their age, without reading those that were thinned out before', async () => {
  const { db, statements, planOf } = await plannedDatabase()
  await thinVersions({ read: db } as Parameters<typeof thinVersions>[0], 1, new AbortController().signal)
  const plans = [...statements].map(planOf)
  expect(plans).toEqual([
    expect.stringContaining('USING INDEX versions_to_thin_by_hour (at<?)'),
    expect.stringContaining('USING INDEX versions_to_thin_by_day (at<?)'),
  ])
  for (const plan of plans) expect(plan).not.toContain('TEMP B-TREE')
})

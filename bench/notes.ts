import { randomUUID } from 'node:crypto'
import { notesPerUser } from '#contract/limits.ts'
import { kinds } from '../server/app.ts'
import { change } from '../server/changes/change.ts'
import { findDelta } from '../server/changes/delta.ts'
import { openDatabase } from '../server/database/open-database.ts'
import { findNoteHistory } from '../server/notes/note-history.ts'
import { findNote, type NoteRow } from '../server/notes/note-kind.ts'
import { findNotes } from '../server/notes/note-queries.ts'
import { median } from './load.ts'
import { row, section } from './report.ts'
import { seed } from './seed.ts'
import { withSqliteFile } from './servers.ts'

const minute = 60_000
const quota = 2 ** 34
const long = (number: number) => `${number}\n${'a line of a long note\n'.repeat(4500)}`

/** Measures notes inside one process, on SQLite, without HTTP: one user with as many notes as are possible. */
export async function notes(rounds: number) {
  section('Notes, SQLite, milliseconds in one process')
  await withSqliteFile(async (url) => {
    await seed(url, [0])
    const database = await openDatabase(url)
    const { id: owner } = await database.read.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const author = { userId: owner, device: 'phone' }
    const totals = () =>
      database.read
        .selectFrom('users')
        .select(['seq', 'head', 'stored_bytes'])
        .where('id', '=', owner)
        .executeTakeFirstOrThrow()
    const save = (item: string, base: number, text: string, now: number) =>
      database.write(
        (db) => change(db, author, [{ item, kind: 'note', base, set: { text } }], { kinds, quota, now }),
        owner,
      )
    const time = async (work: (round: number) => Promise<unknown>, times: number) => {
      const results: number[] = []
      for (let round = 0; round < times; round++) {
        const start = performance.now()
        await work(round)
        results.push(performance.now() - start)
      }
      return median(results)
    }

    for (let from = 0; from < notesPerUser - 1; from += 200) {
      const mutations = Array.from({ length: Math.min(200, notesPerUser - 1 - from) }, (_, index) => ({
        ...{ item: randomUUID(), kind: 'note' as const, base: 0 },
        set: { text: `Note ${from + index}\n\n${'text '.repeat(200)}` },
      }))
      await database.write((db) => change(db, author, mutations, { kinds, quota, now: from }), owner)
    }
    const page = { limit: 50, after: undefined }
    row(
      'the first page of 10,000 notes',
      await time(() => findNotes(database.read, owner, 'notes', page), 20 * rounds),
    )
    const { seq, head } = await totals()
    const { id } = await database.read
      .selectFrom('changes')
      .select('id')
      .where('user_id', '=', owner)
      .where('seq', '=', seq - 200)
      .executeTakeFirstOrThrow()
    const delta = () =>
      findDelta(database.read, kinds, { userId: owner, seq, head }, { since: `${seq - 200}.${id}` })
    row('a delta of 200 notes', await time(delta, 20 * rounds))

    const item = randomUUID()
    const before = (await totals()).stored_bytes
    await save(item, 0, long(0), 0)
    const saves = await time(async (round) => {
      const base = (await totals()).seq
      // A save every ten seconds, with a break of an hour after each hundred.
      await save(item, base, long(round + 1), Math.floor(round / 100) * 60 * minute + round * 10_000)
    }, 1000)
    row('a save of 100 kB', saves)
    row(
      'the history after 1,000 saves',
      await time(async () => {
        const note = (await findNote(database.read, author.userId, item)) as NoteRow
        return await findNoteHistory(database.read, author, note, undefined)
      }, rounds),
    )
    const kept = database.read.selectFrom('versions').select('seq').where('note_id', '=', item)
    row('versions kept of 1,000 saves', (await kept.execute()).length)
    row('MB that they count, with the log and the note', ((await totals()).stored_bytes - before) / 1e6)
    await database.close()
  })
}

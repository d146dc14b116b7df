import { sql } from 'kysely'
import { rowBytes } from '#contract/limits.ts'
import { closedUsers, giveBack } from '../changes/locked-account.ts'
import { columnsOf, compiledQuery } from '../database/compiled-query.ts'
import type { Database } from '../database/database.ts'
import { countRemoved, dueAtOnce, rowsPerRemoval, someOf } from '../database/removals.ts'
import type { Db, Schema } from '../database/schema.ts'
import { lockUser } from '../sessions/account-state.ts'

export const textBytes = sql<number>`octet_length(text)`

export const versionsOf = (db: Db, owner: string) => db.selectFrom('versions').where('user_id', '=', owner)

const hour = 3_600_000
const day = 24 * hour

/** From which age on, in milliseconds, only the last version of each period is kept. */
const steps = [
  { thinned: 0, age: day, period: hour },
  { thinned: 1, age: 30 * day, period: day },
] as const
type Step = (typeof steps)[number]

/** Thins out the versions of all notes: all of a day, the last of each hour for 30 days, then the last of each day (UTC). */
export async function thinVersions(database: Database, now: number, stop: AbortSignal) {
  for (const step of steps)
    while (!stop.aborted) {
      const found = await findDue(database.read, step, now - step.age)
      if (found.length === 0) break
      // A search reads the sizes of up to 1,000 texts, so all that it has found of an account is used.
      for (const [owner, rows] of someOf([...Map.groupBy(found, (row) => row.user_id)]))
        while (rows.length > 0 && !stop.aborted) {
          // SQLite also writes the whole text of a version that is only marked.
          const part = rows.splice(0, Math.min(rowsPerRemoval, countRemoved(rows)))
          const numbers = part.map(({ seq }) => seq)
          await database.write((db) => thinPart(db, owner, step, numbers), owner)
        }
    }
}

/** The literal number is the condition of the index. */
const findDue = (db: Db, { thinned }: Step, before: number) =>
  db
    .selectFrom('versions')
    .select(['user_id', 'seq', textBytes.as('bytes')])
    .where(sql<boolean>`thinned = ${sql.lit(thinned)}`)
    .where('at', '<=', before)
    .where('user_id', 'not in', closedUsers(db))
    .orderBy('at')
    .limit(dueAtOnce)
    .execute()

/** Deletes each of these versions that a newer text of the same note and period follows, and marks the others. */
async function thinPart(db: Db, owner: string, { thinned, period }: Step, numbers: number[]) {
  if (!(await lockUser(db, owner))) return
  const length = sql.lit(period)
  const deleted = await db
    .deleteFrom('versions as old')
    .where('user_id', '=', owner)
    .where('seq', 'in', numbers)
    .where('thinned', '=', thinned)
    .where(({ exists, or, selectFrom }) =>
      or([
        exists(
          selectFrom('versions as newer')
            .select('newer.seq')
            .where('newer.user_id', '=', owner)
            .whereRef('newer.note_id', '=', 'old.note_id')
            .whereRef('newer.seq', '>', 'old.seq')
            .where(sql<boolean>`newer.at / ${length} = old.at / ${length}`),
        ),
        // The current text, which becomes a version when it is replaced.
        exists(
          selectFrom('notes')
            .select('notes.id')
            .where('notes.user_id', '=', owner)
            .whereRef('notes.id', '=', 'old.note_id')
            .where(sql<boolean>`notes.changed_at / ${length} = old.at / ${length}`),
        ),
      ]),
    )
    .returning(textBytes.as('bytes'))
    .execute()
  await db
    .updateTable('versions')
    .set({ thinned: thinned + 1 })
    .where('user_id', '=', owner)
    .where('seq', 'in', numbers)
    // Another server may have done so since.
    .where('thinned', '=', thinned)
    .execute()
  await giveBack(db, owner, bytesOf(deleted))
}

/** Deletes the oldest versions of a note, as many as one transaction removes. Returns their bytes and whether none is left. */
export async function deleteVersions(db: Db, owner: string, note: string) {
  const numbers = versionsOf(db, owner)
    .select('seq')
    .where('note_id', '=', note)
    .orderBy('seq')
    .limit(rowsPerRemoval)
  const found = await versionsOf(db, owner)
    .select(['seq', textBytes.as('bytes')])
    .where('seq', 'in', numbers)
    .orderBy('seq')
    .execute()
  const removed = found.slice(0, countRemoved(found))
  if (removed.length > 0)
    await db
      .deleteFrom('versions')
      .where('user_id', '=', owner)
      .where(
        'seq',
        'in',
        removed.map(({ seq }) => seq),
      )
      .execute()
  return { bytes: bytesOf(removed), isLast: found.length < rowsPerRemoval && removed.length === found.length }
}

const bytesOf = (rows: { bytes: number }[]) => rows.reduce((sum, { bytes }) => sum + bytes + rowBytes, 0)

const columns = ['user_id', 'seq', 'note_id', 'at', 'device', 'by', 'thinned', 'text'] as const

export const insertVersion = compiledQuery((db, row: Schema['versions']) =>
  db.insertInto('versions').values(columnsOf(row, columns)),
)

/** Returns the earlier text that the owner's change number `seq` saved, if it is kept. */
export async function selectText(db: Db, owner: string, seq: number): Promise<string | undefined> {
  const version = versionsOf(db, owner).select('text')
  return (await version.where('seq', '=', seq).executeTakeFirst())?.text
}

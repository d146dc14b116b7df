import { importName, rowBytes } from '#contract/limits.ts'
import type { Log } from '../changes/change-log.ts'
import type { Values } from '../changes/field-values.ts'
import type { Db } from '../database/schema.ts'
import { insertVersion, versionsOf } from '../notes/note-versions.ts'
import { instantIn, type Outcome } from './imported-items.ts'

type Version = { note: string; at: string; by: string; text: string }

/**
 * Adds earlier texts of notes, in the order in which they were saved. The current text then gets a new number, because the numbers of
 * a note's texts are in that order. So a note whose text was changed since its import gets none.
 */
export async function addVersions(
  db: Db,
  owner: string,
  log: Log,
  versions: readonly Version[],
  now: number,
): Promise<Outcome[]> {
  if (versions.length === 0) return []
  const ids = [...new Set(versions.map(({ note }) => note))]
  const open = await findOpen(db, owner, log, ids)
  const kept = await findKept(
    db,
    owner,
    ids,
    versions.map(({ at }) => instantIn(at, now)),
  )
  const newer = new Set<string>()
  const outcomes: Outcome[] = []
  for (const { note, at: sent, by, text } of versions) {
    const at = instantIn(sent, now)
    const [newest = -1] = [kept.newest.get(note)]
    const isKept =
      at < newest
        ? kept.has.has(`${note} ${at}`)
        : at === newest && (await hasText(db, owner, note, at, text))
    const isAdded = open.has(note) && !isKept && at >= newest
    if (isAdded) {
      const bytes = Buffer.byteLength(text) + rowBytes
      const version = { user_id: owner, note_id: note, at, device: '', by, thinned: 0, text }
      log.number(note, bytes, (seq) => (db) => insertVersion(db, { ...version, seq }))
      newer.add(note)
    }
    outcomes.push(open.has(note) && (isAdded || isKept) ? 'added' : 'existing')
  }
  for (const note of newer)
    log.number(
      note,
      0,
      (seq) => (db) =>
        db
          .updateTable('notes')
          .set({ saved_seq: seq })
          .where('user_id', '=', owner)
          .where('id', '=', note)
          .execute(),
    )
  return outcomes
}

const isImported = (row: Values) => row.saved_by === '' && row.saved_by_name === importName

/** Returns those of the notes whose text is the one that an import has added. */
async function findOpen(db: Db, owner: string, log: Log, ids: string[]): Promise<Set<string>> {
  const stored = await db
    .selectFrom('notes')
    .select(['id', 'saved_by', 'saved_by_name'])
    .where('user_id', '=', owner)
    .where('id', 'in', ids)
    .execute()
  const here = ids.flatMap((id) => log.find(id)?.row ?? [])
  return new Set([...stored, ...here].filter(isImported).map(({ id }) => id))
}

/** Returns the time of the newest version of each note, and which of them have a version of one of these times. */
async function findKept(db: Db, owner: string, ids: string[], times: number[]) {
  const select = () => versionsOf(db, owner).where('note_id', 'in', ids)
  const newest = await select()
    .select(({ fn }) => ['note_id', fn.max('at').as('at')])
    .groupBy('note_id')
    .execute()
  const same = await select().select(['note_id', 'at']).where('at', 'in', times).execute()
  return {
    newest: new Map(newest.map(({ note_id, at }) => [note_id, Number(at)])),
    has: new Set(same.map(({ note_id, at }) => `${note_id} ${at}`)),
  }
}

async function hasText(db: Db, owner: string, note: string, at: number, text: string): Promise<boolean> {
  const version = versionsOf(db, owner).select('seq').where('note_id', '=', note)
  const found = await version.where('at', '=', at).where('text', '=', text).limit(1).executeTakeFirst()
  return found !== undefined
}

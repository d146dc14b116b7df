import type { History } from '#contract/changes.ts'
import { shorten } from '#contract/note-summary.ts'
import type { Db } from '../database/schema.ts'
import type { Author } from './account.ts'
import { bytesPerCall } from './later-changes.ts'
import { textBytes } from './note-row.ts'
import { findNote } from './stored-notes.ts'
import { countFitting } from './task-page.ts'

/** The maximum number of versions in one response. */
const pageSize = 50

type Entry = History['changes'][number]
type Saved = { seq: number; at: number; device: string; text: string }

/** Returns the versions of a note before change number `behind`, newest first; undefined if the owner has no such note. */
export async function findNoteHistory(
  db: Db,
  { userId, device }: Author,
  id: string,
  behind: number | undefined,
): Promise<History | undefined> {
  const note = await findNote(db, userId, id)
  if (!note) return undefined
  const current = { seq: note.saved_seq, at: note.changed_at, device: note.saved_by, text: note.text }
  const isFirst = behind === undefined || behind > current.seq
  const { versions, isLast } = await findVersions(
    db,
    userId,
    id,
    Math.min(behind ?? current.seq, current.seq),
  )
  const found: Saved[] = isFirst ? [current, ...versions] : versions
  // The last one found is only what the one before it is compared with, unless there is none before it.
  const page = isLast ? found : found.slice(0, -1)
  const changes = page.map(({ seq, at, device: by, text }, index): Entry => {
    const earlier = found[index + 1]
    return {
      seq,
      at: new Date(at).toISOString(),
      own: by === device,
      length: lengthOf(text),
      changed: { text: firstDifference(earlier?.text, text) },
    }
  })
  const last = page.at(-1)
  return { changes, ...(!isLast && last && { nextCursor: String(last.seq) }) }
}

/** Returns the earlier texts that were saved before number `behind`, as many as one call reads and at least two. */
async function findVersions(db: Db, owner: string, note: string, behind: number) {
  const select = () =>
    db
      .selectFrom('versions')
      .where('user_id', '=', owner)
      .where('note_id', '=', note)
      .where('seq', '<', behind)
      .orderBy('seq', 'desc')
  const sizes = await select()
    .select(textBytes.as('bytes'))
    .limit(pageSize + 1)
    .execute()
  const fitting = countFitting(
    sizes.map(({ bytes }) => bytes),
    bytesPerCall,
  )
  const limit = Math.min(sizes.length, Math.max(2, fitting))
  const versions = await select().select(['seq', 'at', 'device', 'text']).limit(limit).execute()
  return { versions, isLast: sizes.length <= pageSize && limit === sizes.length }
}

/** In code points. */
const lengthOf = (text: string) => text.length - (text.match(/[\udc00-\udfff]/g)?.length ?? 0)

/** The first line that differs in both texts; null in a text that ends before it. */
export function firstDifference(before: string | undefined, after: string) {
  if (before === undefined) return { before: null, after: lineAt(after, 0) }
  const shorter = Math.min(before.length, after.length)
  let at = 0
  while (at < shorter && before.charCodeAt(at) === after.charCodeAt(at)) at++
  const isWholeLine = at === shorter && (before.charAt(at) || after.charAt(at) || '\n') === '\n'
  const start = isWholeLine ? at + 1 : after.slice(0, at).lastIndexOf('\n') + 1
  return { before: lineAt(before, start), after: lineAt(after, start) }
}

function lineAt(text: string, start: number): string | null {
  if (start > text.length) return null
  const end = text.indexOf('\n', start)
  return shorten(text.slice(start, end < 0 ? undefined : end))
}

import { toInstant } from '#contract/fields.ts'
import { shorten } from '#contract/note-summary.ts'
import type { NoteVersions } from '#contract/notes.ts'
import { fitting } from '../changes/fitting-rows.ts'
import { bytesPerCall } from '../changes/later-changes.ts'
import type { Author } from '../changes/locked-account.ts'
import type { Db } from '../database/schema.ts'
import { type NoteRow, savedText } from './note-kind.ts'
import { textBytes, versionsOf } from './note-versions.ts'

const pageSize = 50

type Saved = ReturnType<typeof savedText>

/** Returns the versions of a note before change number `behind`, newest first. */
export async function findNoteHistory(
  db: Db,
  { userId, device: own }: Author,
  note: NoteRow,
  behind: number | undefined,
): Promise<NoteVersions> {
  const current = savedText(note)
  const isFirst = behind === undefined || behind > current.seq
  const { earlier, isLast } = await findEarlier(
    db,
    userId,
    note.id,
    Math.min(behind ?? current.seq, current.seq),
  )
  const found: Saved[] = isFirst ? [current, ...earlier] : earlier
  // The last one found is only compared with the one before it, unless there is none before it.
  const page = isLast ? found : found.slice(0, -1)
  const versions = page.map(({ seq, at, device, by, text }, index) => ({
    seq,
    at: toInstant(at),
    own: device === own,
    by,
    ...firstDifference(found[index + 1]?.text, text),
  }))
  const last = page.at(-1)
  return { versions, ...(!isLast && last && { nextCursor: String(last.seq) }) }
}

/** Returns the earlier texts that were saved before number `behind`, as many as one call reads and at least two. */
async function findEarlier(db: Db, owner: string, note: string, behind: number) {
  const numbers = versionsOf(db, owner)
    .select('seq')
    .where('note_id', '=', note)
    .where('seq', '<', behind)
    .orderBy('seq', 'desc')
    .limit(pageSize + 1)
  const select = () => versionsOf(db, owner).where('seq', 'in', numbers).orderBy('seq', 'desc')
  const sizes = await select().select(textBytes.as('bytes')).execute()
  const limit = Math.min(sizes.length, Math.max(2, fitting(sizes, bytesPerCall).length))
  const earlier = await select().select(['seq', 'at', 'device', 'by', 'text']).limit(limit).execute()
  return { earlier, isLast: sizes.length <= pageSize && limit === sizes.length }
}

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

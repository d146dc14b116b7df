import type { Note } from '#contract/notes.ts'
import { postChanges } from '../journal/ways.ts'
import type { NoteDrafts } from '../kept/note-drafts.ts'
import type { Parts } from '../parts.ts'

export type Result = { outcome: 'applied' | 'merged' | 'duplicate' | 'conflict'; note: Note | null }

/** How a document reaches the server and the browser's storage. */
export type DocumentPort = ReturnType<typeof portOf>

/** Browsers send no more than this many bytes after a page has closed. The rest waits in the draft. */
const keepaliveBytes = 60_000

/** What the documents of a page use of it. */
export const portOf = (
  { needs, store }: Pick<Parts, 'needs' | 'store'>,
  drafts: Pick<NoteDrafts, 'keep'>,
) => ({
  async send(
    item: string,
    base: number,
    mutation: string,
    set: { text: string } | { deleted: false },
    keepalive: boolean,
  ): Promise<Result> {
    const isShort = !('text' in set) || set.text.length * 3 < keepaliveBytes
    const changes = [{ mutation, item, kind: 'note' as const, base, set }]
    const [result] = await postChanges(needs, changes, keepalive && isShort)
    if (result?.kind !== 'note') throw new Error('The server did not confirm it.')
    return { outcome: result.outcome, note: result.item }
  },
  fetch: async (id: string) => (await needs.call('GET /notes/:id', { params: { id } })).data.note,
  /** Keeps a draft, or removes it. Returns whether the browser had space for it. */
  keep: drafts.keep,
  onStored: (note: Note) => store.put({ texts: [note] }),
  /** Waits before another attempt after so many others, until the signal is aborted. */
  wait: needs.wait,
})

import type { Note } from '#contract/notes.ts'
import { call } from '../../api/client.ts'
import { postChanges } from '../journal/ways.ts'
import type { Draft } from '../kept/note-drafts.ts'
import { itemsOf } from '../store/answers.ts'
import type { Store } from '../store/store.ts'

export type Result = { outcome: 'applied' | 'merged' | 'duplicate' | 'conflict'; note: Note | null }

/** How a document reaches the server and the browser's storage. */
export type DocumentPort = {
  send: (
    id: string,
    base: number,
    mutation: string,
    set: { text: string } | { deleted: false },
    keepalive: boolean,
  ) => Promise<Result>
  fetch: (id: string) => Promise<Note>
  /** Keeps a draft, or removes it. Returns whether the browser had space for it. */
  keep: (id: string, draft: Draft | undefined) => boolean
  onStored: (note: Note) => void
}

/** Browsers send no more than this many bytes after a page has closed. The rest waits in the draft. */
const keepaliveBytes = 60_000

export const portOf = (store: Store, keep: DocumentPort['keep']): DocumentPort => ({
  async send(id, base, mutation, set, keepalive) {
    const isShort = !('text' in set) || set.text.length * 3 < keepaliveBytes
    const results = await postChanges([{ mutation, item: id, kind: 'note', base, set }], keepalive && isShort)
    const [result] = results
    if (!result) throw new Error('The server did not confirm it.')
    return { outcome: result.outcome, note: itemsOf('note', results)[0] ?? null }
  },
  fetch: async (id) => (await call('GET /notes/:id', { params: { id } })).data.note,
  keep,
  onStored: (note) => store.put({ texts: [note] }),
})

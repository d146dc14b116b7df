import type { Note } from '#contract/notes.ts'
import { call } from '../api/client.ts'
import { itemsOf } from '../store/answers.ts'
import type { Store } from '../store/store.ts'
import { type Draft, keepDraft } from './drafts.ts'

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

/**
 * The time after which a save without an answer counts as failed, in milliseconds. A connection that ended without notice, for example
 * because a phone changed its network, stays open for many minutes. A slow one needs time for a long text.
 */
const longestSave = (length: number) => 20_000 + length

export const portOf = (account: string | undefined, store: Store): DocumentPort => ({
  async send(id, base, mutation, set, keepalive) {
    const changes = [{ mutation, item: id, kind: 'note' as const, base, set }]
    const length = 'text' in set ? set.text.length : 0
    const isShort = length * 3 < keepaliveBytes
    const signal = AbortSignal.timeout(longestSave(length))
    const { data } = await call('POST /changes', {
      body: { changes },
      keepalive: keepalive && isShort,
      signal,
    })
    const [result] = data.items
    if (!result) throw new Error('The server did not confirm it.')
    return { outcome: result.outcome, note: itemsOf('note', data.items)[0] ?? null }
  },
  fetch: async (id) => (await call('GET /notes/:id', { params: { id } })).data.note,
  keep: (id, draft) => keepDraft(account, id, draft),
  onStored: (note) => store.put({ texts: [note] }),
})

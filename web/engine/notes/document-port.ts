import type { Note } from '#contract/notes.ts'
import { call } from '../../api/client.ts'
import { ownAccount } from '../../api/session.ts'
import type { Engine } from '../engine.ts'
import { postChanges } from '../journal/page-journal.ts'
import { adoptDrafts, type Draft, keepDraft } from '../kept/note-drafts.ts'
import { itemsOf } from '../store/answers.ts'
import { waitToRetry } from '../sync/retry-delay.ts'

export type Result = { outcome: 'applied' | 'merged' | 'duplicate' | 'conflict'; note: Note | null }

/** How a document reaches the server and the browser's storage. */
export type DocumentPort = Omit<ReturnType<typeof portOf>, 'adopt' | 'onHidden'>

/** Browsers send no more than this many bytes after a page has closed. The rest waits in the draft. */
const keepaliveBytes = 60_000

/** What the documents of a page use of it. */
export function portOf({ store }: Engine) {
  // The account that wrote them. Another one may have logged in by the time a draft is kept.
  const account = ownAccount()
  return {
    async send(
      item: string,
      base: number,
      mutation: string,
      set: { text: string } | { deleted: false },
      keepalive: boolean,
    ): Promise<Result> {
      const isShort = !('text' in set) || set.text.length * 3 < keepaliveBytes
      const results = await postChanges([{ mutation, item, kind: 'note', base, set }], keepalive && isShort)
      const [result] = results
      if (!result) throw new Error('The server did not confirm it.')
      return { outcome: result.outcome, note: itemsOf('note', results)[0] ?? null }
    },
    fetch: async (id: string) => (await call('GET /notes/:id', { params: { id } })).data.note,
    /** Keeps a draft, or removes it. Returns whether the browser had space for it. */
    keep: (name: string, draft: Draft | undefined) => keepDraft(account, name, draft),
    onStored: (note: Note) => store.put({ texts: [note] }),
    /** Waits before another attempt after so many others, until the signal is aborted. */
    wait: waitToRetry,
    adopt: (adopt: (draft: Draft, name: string) => void, signal: AbortSignal) =>
      adoptDrafts(account, adopt, signal),
    /** Calls `leave` when the page is hidden or closes. */
    onHidden(leave: () => void, signal: AbortSignal) {
      const onVisibility = () => document.visibilityState === 'hidden' && leave()
      document.addEventListener('visibilitychange', onVisibility, { signal })
      window.addEventListener('pagehide', leave, { signal })
    },
  }
}

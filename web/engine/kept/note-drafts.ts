import { randomId } from '../entry.ts'
import type { Needs } from '../needs.ts'
import type { Unsent } from './unsent-storage.ts'

/** A text of the note that the server has, and the version that it is part of. Version 0: there is no such note yet. */
export type Stored = { text: string; version: number }

/** A change whose answer has not arrived. It is sent again as it was, so that the server applies it once. */
export type Sent = Stored & { mutation: string }

/** The unsaved text of a note, which the browser keeps until the server has it. `since`: when it was first kept. */
export type Draft = { id: string; text: string; stored: Stored; sent: Sent | undefined; since?: number }

type Adopt = (draft: Draft, name: string) => void

const lockOf = (tab: string) => `daymark-tab ${tab}`

export type NoteDrafts = ReturnType<typeof createNoteDrafts>

/** The drafts of notes are in local storage by account, so that no account sees the drafts of another account, and by tab. */
export function createNoteDrafts(unsent: Unsent, { locks, isOver }: Pick<Needs, 'locks' | 'isOver'>) {
  const tab = randomId()

  /** Keeps a draft, or removes it. Returns false if the browser has no space for it. `name`: the id of its note, or the name that `adopt` has given it. */
  function keep(name: string, draft: Draft | undefined): boolean {
    const key = unsent.key('note-draft', `${tab} ${name}`)
    if (draft) return unsent.keep(key, draft)
    unsent.drop(key)
    return true
  }

  function takeOver(owner: string, adopt: Adopt) {
    // The session has ended while the lock was awaited: the drafts stay until their account visits again.
    if (isOver()) return
    for (const [key, draft] of unsent.under<Draft>(unsent.key('note-draft', `${owner} `))) {
      const name = randomId()
      // First as a draft of this page: nothing is lost if it is closed in between.
      if (!keep(name, draft)) continue
      unsent.drop(key)
      adopt(draft, name)
    }
  }

  // Held as long as the page exists: a draft whose lock is free belongs to a page that has gone.
  locks?.request(lockOf(tab), () => new Promise(() => {})).catch(() => {})

  return {
    keep,

    /**
     * Calls `adopt` with each draft that a closed page of this account left behind, now or when that page closes. The draft
     * belongs to this page then, under a name of its own, because this page may have another draft of the same note. Without
     * locks, which need HTTPS, all drafts of other pages count as left behind.
     */
    adopt(adopt: Adopt, signal: AbortSignal) {
      const prefix = unsent.key('note-draft')
      const owners = new Set(
        unsent.under(prefix).map(([key]) => key.slice(prefix.length).split(' ')[0] as string),
      )
      owners.delete(tab)
      for (const owner of owners) {
        const take = () => takeOver(owner, adopt)
        if (locks) locks.request(lockOf(owner), { signal }, take).catch(() => {})
        else take()
      }
    },
  }
}

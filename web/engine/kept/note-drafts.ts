import { randomId } from '../entry.ts'
import type { Needs } from '../needs.ts'
import type { Unsent } from './unsent-storage.ts'

/** A text on the server and its version, or version 0 for a new note. */
export type Stored = { text: string; version: number }

/** A change without an answer. It is sent again unchanged, so that the server applies it once. */
export type Sent = Stored & { mutation: string }

/** `since`: when the text was first kept. */
export type Draft = { id: string; text: string; stored: Stored; sent: Sent | undefined; since?: number }

type Adopt = (draft: Draft, name: string) => void

const lockOf = (tab: string) => `daymark-tab ${tab}`

export type NoteDrafts = ReturnType<typeof createNoteDrafts>

/** Keeps the unsaved texts of notes in local storage, by account and by tab. */
export function createNoteDrafts(unsent: Unsent, { locks, isOver }: Pick<Needs, 'locks' | 'isOver'>) {
  const tab = randomId()

  /** Keeps or removes a draft. Returns false if the storage is full. `name`: the id of its note, or the name from `adopt`. */
  function keep(name: string, draft: Draft | undefined): boolean {
    const key = unsent.key('note-draft', `${tab} ${name}`)
    if (draft) return unsent.keep(key, draft)
    unsent.drop(key)
    return true
  }

  function takeOver(owner: string, adopt: Adopt) {
    // The session has ended meanwhile: the drafts stay for the next visit of their account.
    if (isOver()) return
    for (const [key, draft] of unsent.under<Draft>(unsent.key('note-draft', `${owner} `))) {
      const name = randomId()
      // Nothing is lost if this page closes in between.
      if (!keep(name, draft)) continue
      unsent.drop(key)
      adopt(draft, name)
    }
  }

  // Held while the page exists: a draft whose lock is free belongs to a closed page.
  locks?.request(lockOf(tab), () => new Promise(() => {})).catch(() => {})

  return {
    keep,

    /**
     * Calls `adopt` with each draft of a page that has closed or closes, under a new name: this page may have a draft of the same note.
     * Without HTTPS there are no locks, so all other pages count as closed.
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

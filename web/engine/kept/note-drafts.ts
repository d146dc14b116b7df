import { randomId } from '../../api/random-id.ts'
import { isSessionOver } from '../../api/session.ts'
import { dropUnsent, keepUnsent, unsentKey, unsentUnder } from './unsent-storage.ts'

/** A text of the note that the server has, and the version that it is part of. Version 0: there is no such note yet. */
export type Stored = { text: string; version: number }

/** A change whose answer has not arrived. It is sent again as it was, so that the server applies it once. */
export type Sent = Stored & { mutation: string }

/** The unsaved text of a note, which the browser keeps until the server has it. `since`: when it was first kept. */
export type Draft = { id: string; text: string; stored: Stored; sent: Sent | undefined; since?: number }

/** The drafts of notes are in local storage by account, so that no account sees the drafts of another account, and by tab. */
const tab = randomId()
const lockOf = (owner: string) => `daymark-tab ${owner}`

/** Held as long as this page exists: a draft whose lock is free belongs to a page that has gone. */
const whileOpen = new Promise<never>(() => {})
navigator.locks?.request(lockOf(tab), () => whileOpen).catch(() => {})

/**
 * Keeps a draft of an account, or removes it. Returns false if the browser has no space for it. `name` is the id of its note, or
 * the name that `adoptDrafts` has given it.
 */
export function keepDraft(account: string | undefined, name: string, draft: Draft | undefined): boolean {
  const key = unsentKey('note-draft', account, `${tab} ${name}`)
  if (draft) return keepUnsent(key, draft)
  dropUnsent(key)
  return true
}

type Adopt = (draft: Draft, name: string) => void

/**
 * Calls `adopt` with each draft that a closed page of this account left behind, now or when that page closes. The draft
 * belongs to this page then, under a name of its own, because this page may have another draft of the same note. Without
 * locks, which need HTTPS, all drafts of other pages count as left behind.
 */
export function adoptDrafts(account: string | undefined, adopt: Adopt, signal: AbortSignal) {
  const prefix = unsentKey('note-draft', account)
  const owners = new Set(unsentUnder(prefix).map(([key]) => key.slice(prefix.length).split(' ')[0] as string))
  owners.delete(tab)
  for (const owner of owners) {
    const take = () => takeOver(account, owner, adopt)
    if (navigator.locks) navigator.locks.request(lockOf(owner), { signal }, take).catch(() => {})
    else take()
  }
}

function takeOver(account: string | undefined, owner: string, adopt: Adopt) {
  // The session has ended while the lock was awaited: the drafts stay until their account visits again.
  if (isSessionOver()) return
  for (const [key, draft] of unsentUnder<Draft>(unsentKey('note-draft', account, `${owner} `))) {
    const name = randomId()
    // First as a draft of this page: nothing is lost if it is closed in between.
    if (!keepDraft(account, name, draft)) continue
    dropUnsent(key)
    adopt(draft, name)
  }
}

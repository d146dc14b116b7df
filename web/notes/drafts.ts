import { randomId } from '../api/random-id.ts'
import { hasSessionEnded, storedAccount } from '../api/session.ts'
import { draftPrefix } from './draft-keys.ts'
import type { Stored } from './note-text.ts'

/** A change whose answer has not arrived. It is sent again as it was, so that the server applies it once. */
export type Sent = Stored & { mutation: string }

/** The unsaved text of a note, which the browser keeps until the server has it. `since`: when it was first kept. */
export type Draft = { id: string; text: string; stored: Stored; sent: Sent | undefined; since?: number }

/** The drafts of notes in this browser's local storage: by account, so that no account sees those of another, and by tab. */
const tab = randomId()
const lockOf = (owner: string) => `daymark-tab ${owner}`

/** Held as long as this page exists: a draft whose lock is free belongs to a page that has gone. */
const whileOpen = new Promise<never>(() => {})
navigator.locks?.request(lockOf(tab), () => whileOpen).catch(() => {})

/**
 * Keeps a draft of an account, or removes it. Returns false if the browser has no space for it. After a logout nothing is
 * kept, and for another account that has logged in meanwhile neither. After a session that the server has ended, the
 * draft waits for the next one. `name` is the id of its note, or the name that `adoptDrafts` has given it.
 */
export function keepDraft(account: string | undefined, name: string, draft: Draft | undefined): boolean {
  const isSignedIn = account !== undefined && account === storedAccount()
  if (draft && !isSignedIn && !hasSessionEnded()) return true
  const key = `${draftPrefix(account)}${tab} ${name}`
  try {
    if (draft) localStorage.setItem(key, JSON.stringify(draft))
    else localStorage.removeItem(key)
    return true
  } catch {
    return false
  }
}

type Adopt = (draft: Draft, name: string) => void

/**
 * Calls `adopt` with each draft that a closed page of this account left behind, now or when that page closes. The draft
 * belongs to this page then, under a name of its own, because this page may have another draft of the same note. Without
 * locks, which need HTTPS, all drafts of other pages count as left behind.
 */
export function adoptDrafts(account: string | undefined, adopt: Adopt, signal: AbortSignal) {
  const prefix = draftPrefix(account)
  const owners = new Set(
    Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length).split(' ')[0] as string),
  )
  owners.delete(tab)
  for (const owner of owners) {
    const take = () => takeOver(account, owner, adopt)
    if (navigator.locks) navigator.locks.request(lockOf(owner), { signal }, take).catch(() => {})
    else take()
  }
}

function takeOver(account: string | undefined, owner: string, adopt: Adopt) {
  // Another account has logged in while the lock was awaited: the drafts stay until their account visits again.
  if (account !== storedAccount()) return
  const ownerPrefix = `${draftPrefix(account)}${owner} `
  for (const key of Object.keys(localStorage).filter((name) => name.startsWith(ownerPrefix))) {
    const draft = parsed(localStorage.getItem(key))
    const name = randomId()
    // First as a draft of this page: nothing is lost if it is closed in between.
    if (draft && !keepDraft(account, name, draft)) continue
    localStorage.removeItem(key)
    if (draft) adopt(draft, name)
  }
}

function parsed(json: string | null): Draft | undefined {
  try {
    return json === null ? undefined : JSON.parse(json)
  } catch {
    return undefined
  }
}

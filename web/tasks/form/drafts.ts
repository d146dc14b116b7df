import type { Task } from '#contract/tasks.ts'
import { randomId } from '../../api/random-id.ts'
import { storedAccount } from '../../api/session.ts'
import type { TaskValues } from './task-form.tsx'

/**
 * What was typed into the Add dialog or the quick line, or into the Edit dialog of a task over its version `base`, and
 * when.
 */
export type Draft = { values: Record<keyof TaskValues, string>; base?: Task; at: number }

/** A draft and its key in local storage, which logging out clears. */
export type KeptDraft = Draft & { key: string }

/** The oldest are dropped when an account has more in this browser. */
const mostDrafts = 20

const prefixOf = (account: string | undefined) => `draft ${account} `

/** The key of a new draft; undefined without a session. `place`: `add`, `quick`, or the id of the task that is edited. */
export function newDraftKey(place: string): string | undefined {
  const account = storedAccount()
  return account && `${prefixOf(account)}${place} ${randomId()}`
}

/** The id in the key of a draft, which is sent as `Idempotency-Key`. Without a key, a new id. */
export const idOf = (key: string | undefined): string => key?.slice(key.lastIndexOf(' ') + 1) ?? randomId()

/** The drafts of the signed-in account in this browser, newest first: all of them, or those of one place. */
export function keptDrafts(place = ''): KeptDraft[] {
  if (storedAccount() === undefined) return []
  const prefix = prefixOf(storedAccount()) + (place && `${place} `)
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .map((key) => ({ ...JSON.parse(localStorage.getItem(key) ?? '{}'), key }))
    .sort((one, other) => other.at - one.at)
}

/** Keeps a draft, unless the account has logged out meanwhile or the storage is full: then the text is only in its form. */
export function keepDraft(key: string, draft: Draft): void {
  if (!key.startsWith(prefixOf(storedAccount()))) return
  if (localStorage.getItem(key) === null)
    for (const { key } of keptDrafts().slice(mostDrafts - 1)) dropDraft(key)
  try {
    localStorage.setItem(key, JSON.stringify(draft))
  } catch (error) {
    console.warn('A draft could not be kept.', error)
  }
}

export const dropDraft = (key: string): void => localStorage.removeItem(key)

import { keptFor } from '#contract/limits.ts'
import type { Settings } from '#contract/settings.ts'
import { keepInBrowser, ownAccount } from '../api/session.ts'
import { storedValue } from '../api/stored-value.ts'

/** The import that began last in this browser, by which it goes on after an interruption, and is undone. */
export type LastImport = {
  id: string
  /** Follows from the items of the files. */
  items: string
  at: number
  /** How many items it has added or restored. */
  changed: number
  /** Whether all of it was sent: then the same files begin another import. */
  isEnded: boolean
  /** The settings that it has changed: what they were, and what it made of them. */
  settings?: { before: Partial<Settings>; taken: Partial<Settings> } | undefined
}

/** Whether an undo would change anything. */
export const hasChanges = ({ changed, settings }: LastImport): boolean =>
  changed > 0 || settings !== undefined

/** With the account, so that another one that is used in this browser does not see it. */
const keyNow = () => `import ${ownAccount()} last`

/** Of the signed-in account. Undefined if there is none that can be undone. */
export function lastImport(): LastImport | undefined {
  const last = storedValue<LastImport>(localStorage, keyNow())
  return last && last.at > Date.now() - keptFor ? last : undefined
}

export const keepLastImport = (last: LastImport | undefined): void => keepInBrowser(keyNow(), last)

import { ownAccount } from '../../api/session.ts'
import { perCache } from '../../sync/per-cache.ts'
import type { Draft } from './note-drafts.ts'
import { unsentKey, unsentUnder } from './unsent-storage.ts'

/** The notes that are open on the dashboard with this cache, for those parts of it that do not load the code of notes. */
export const openNotesOf = perCache(() => ({
  /** Writes the drafts: what was just typed may not be in one yet. */
  keepDrafts() {},
}))

/** The texts of this account's notes that were typed in this browser and that the server does not have yet. */
export const unsentDrafts = (): Draft[] =>
  unsentUnder<Draft>(unsentKey('note-draft', ownAccount())).map(([, draft]) => draft)

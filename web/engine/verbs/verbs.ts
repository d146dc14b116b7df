import type { Verb } from '../entry.ts'
import { added } from './add.tsx'
import { completed } from './complete.tsx'
import { deleted } from './delete.tsx'
import { edited } from './edit.tsx'
import { moved } from './move.tsx'
import { pinned, unpinned } from './pin.tsx'
import { prioritised } from './prioritise.tsx'
import { reopened } from './reopen.tsx'
import { restored, reverted } from './restore.tsx'
import type { Sentences } from './sentences.ts'
import { skipped } from './skip.tsx'
import { stopped } from './stop.tsx'
import { tagged, tagRemoved, tagRenamed } from './tag.tsx'
import { ticked } from './tick.ts'

/** What is said about the changes of each verb. */
export const sentencesOf: Record<Verb, Sentences> = {
  add: added,
  edit: edited,
  complete: completed,
  reopen: reopened,
  move: moved,
  skip: skipped,
  stop: stopped,
  prioritise: prioritised,
  tag: tagged,
  renameTag: tagRenamed,
  removeTag: tagRemoved,
  tick: ticked,
  link: added,
  delete: deleted,
  restore: restored,
  revert: reverted,
  pin: pinned,
  unpin: unpinned,
}

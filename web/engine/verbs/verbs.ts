import { add, edit, link, tick } from './add-edit.ts'
import { complete, remove, reopen, restore } from './complete.ts'
import { pin, revert, unpin } from './notes.ts'
import { move, prioritise, skip, stop } from './plan.ts'
import { removeTag, renameTag, tag } from './tags.ts'
import type { AnyVerb } from './verb.ts'

const all = {
  ...{ add, edit, complete, reopen, move, skip, stop, prioritise, tag, renameTag, removeTag, tick, link },
  ...{ delete: remove, restore, revert, pin, unpin },
}

export type Verb = keyof typeof all

/** Every verb by its name. */
export const verbs: { [Name in Verb]: AnyVerb & { name: Name } } = all

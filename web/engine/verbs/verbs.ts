import type { Verb } from '../entry.ts'
import { add, edit, link, tick } from './add-edit.ts'
import { complete, remove, reopen, restore } from './complete.ts'
import { pin, revert, unpin } from './notes.ts'
import { move, prioritise, skip, stop } from './plan.ts'
import { removeTag, renameTag, tag } from './tags.ts'
import type { AnyVerb } from './verb.ts'

const all = [
  ...[add, edit, complete, reopen, move, skip, stop, prioritise, tag, renameTag, removeTag, tick, link],
  ...[remove, restore, revert, pin, unpin],
]

export const verbs = Object.fromEntries(all.map((verb) => [verb.name, verb])) as unknown as Record<
  Verb,
  AnyVerb
>

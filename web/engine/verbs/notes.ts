import { ofNote } from './complete.ts'
import type { Texts } from './tags.ts'
import { verb } from './verb.ts'

const pinning = (pinned: boolean) => (item: string, title: string) => ({
  item,
  ...ofNote(title),
  set: { pinned },
})

export const pin = verb('pin', pinning(true), {
  done: 'Pinned {items}',
  undone: ['{items} is no longer pinned', '{items} are no longer pinned'],
  failed: 'This note was not pinned.',
})

export const unpin = verb('unpin', pinning(false), {
  done: 'Unpinned {items}',
  undone: ['{items} is pinned again', '{items} are pinned again'],
  failed: 'This note was not unpinned.',
})

export const revert = verb('revert', (texts: Texts) => texts, {
  done: 'Restored {items} to an earlier version',
  undone: ['{items} has its newer text again', '{items} have their newer texts again'],
  failed: 'This text was not restored.',
})

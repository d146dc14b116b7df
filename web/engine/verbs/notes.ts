import { ofNote } from './complete.ts'
import { verb } from './verb.ts'

/** Pins a note, which has this title, to the top of the list. */
export const pin = verb(
  'pin',
  {
    said: {
      done: 'Pinned {items}',
      undone: ['{items} is no longer pinned', '{items} are no longer pinned'],
      failed: 'This note was not pinned.',
    },
  },
  (item: string, title: string) => ({ item, ...ofNote(title), set: { pinned: true } }),
)

export const unpin = verb(
  'unpin',
  {
    said: {
      done: 'Unpinned {items}',
      undone: ['{items} is pinned again', '{items} are pinned again'],
      failed: 'This note was not unpinned.',
    },
  },
  (item: string, title: string) => ({ item, ...ofNote(title), set: { pinned: false } }),
)

/** Gives a note the text of an earlier version. */
export const revert = verb(
  'revert',
  {
    said: {
      done: 'Restored {items} to an earlier version',
      undone: ['{items} has its newer text again', '{items} have their newer texts again'],
      failed: 'This text was not restored.',
    },
  },
  (item: string, title: string, base: number, text: string) => ({
    item,
    ...ofNote(title),
    base,
    set: { text },
  }),
)

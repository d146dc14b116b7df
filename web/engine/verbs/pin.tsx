import type { NewChange } from '../entry.ts'
import type { Sentences } from './sentences.ts'

export const pinned: Sentences = {
  done: (items) => <>Pinned {items}</>,
  undone: (item) => <>{item} is no longer pinned</>,
  allUndone: (items) => `${items} are no longer pinned`,
  failed: 'This note was not pinned.',
}

export const unpinned: Sentences = {
  done: (items) => <>Unpinned {items}</>,
  undone: (item) => <>{item} is pinned again</>,
  allUndone: (items) => `${items} are pinned again`,
  failed: 'This note was not unpinned.',
}

/** Pins a note, which has this title, to the top of the list, or unpins it. */
export const pin = (item: string, title: string, isPinned: boolean): NewChange => ({
  verb: isPinned ? 'pin' : 'unpin',
  item,
  kind: 'note',
  title,
  set: { pinned: isPinned },
})

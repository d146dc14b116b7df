import { createStore } from 'zustand/vanilla'
import { createListeners } from '../api/listeners.ts'
import { type Entry, itemsOfEntry } from './entry.ts'
import type { Journal } from './journal/journal.ts'
import type { Draft } from './kept/note-drafts.ts'
import type { FormDrafts, Unsent } from './kept/unsent-storage.ts'

/** In milliseconds. Most changes are sent within this time, and no dot is shown for them, so that nothing flickers. */
const aMoment = 2000

/** The items of a change, or the note of a text, and when it was made. */
export type Late = { items: readonly string[]; at: number }

type Parts = {
  journal: Journal
  unsent: Unsent
  formDrafts: FormDrafts
}

/** What this account has in this browser and not on the server. */
export function createWaiting({ journal, unsent, formDrafts }: Parts) {
  /** What has waited for longer than a moment to be sent: changes, oldest first, then texts of notes. */
  const late = createStore<readonly Late[]>(() => [])
  /** The items of these changes and texts. */
  const lateItems = createStore<ReadonlySet<string>>(() => new Set())
  let lateEntries: readonly Entry[] = []
  let lateNotes: readonly Late[] = []
  let isWaiting = false

  function show() {
    const all = [...lateEntries.map((entry) => ({ items: itemsOfEntry(entry), at: entry.at })), ...lateNotes]
    if (all.length + late.getState().length === 0) return
    late.setState(all, true)
    lateItems.setState(new Set(all.flatMap(({ items }) => items)), true)
  }

  /** Keeps the changes that were late before, and those of `waited`, as far as they are still unsent. */
  function look(waited: readonly Entry[] = []) {
    const known = new Set([...lateEntries, ...waited].map(({ mutation }) => mutation))
    const entries = journal.entries()
    lateEntries = entries.filter(({ mutation }) => known.has(mutation))
    show()
    if (isWaiting || lateEntries.length === entries.length) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      look(entries)
    }, aMoment)
  }

  journal.subscribe(() => look())
  look()

  const waiting = {
    late,
    lateItems,
    /** The texts of notes that the server does not have, as the browser keeps them. */
    notes: (): Draft[] => unsent.under<Draft>(unsent.key('note-draft')).map(([, draft]) => draft),
    /** Tells the open notes to write what was just typed into their drafts. */
    keeping: createListeners(),
    /** Shows that the texts of these notes could not be saved. */
    showNotes(failed: readonly Late[]) {
      lateNotes = failed
      show()
    },

    /** All of it, as it is now. `damaged`: the keys of the values that the page cannot read. */
    all: () => ({
      changes: journal.entries(),
      notes: waiting.notes(),
      drafts: formDrafts.all(),
      damaged: unsent.damaged(),
    }),

    isNothing: () => Object.values(waiting.all()).flat().length === 0,
  }
  return waiting
}

/** The entries that the server has rejected: lines are shown at the field in which they were typed, the others as decisions. */
export const rejectedLines = (entries: readonly Entry[]) =>
  entries.filter(({ failure, typed }) => failure && typed)
export const toDecide = (entries: readonly Entry[]) =>
  entries.filter(({ failure, typed }) => failure && !typed)

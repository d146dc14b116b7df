import { createStore } from 'zustand/vanilla'
import { createListeners } from '../api/listeners.ts'
import { type Entry, itemsOfEntry } from './entry.ts'
import type { Journal } from './journal/journal.ts'
import type { Draft } from './kept/note-drafts.ts'
import type { FormDrafts, Unsent } from './kept/unsent-storage.ts'

/** Milliseconds after which an unsent change gets a dot. Most changes are sent earlier, so nothing flickers. */
const aMoment = 2000

export type Late = { items: readonly string[]; at: number }

type Parts = {
  journal: Journal
  unsent: Unsent
  formDrafts: FormDrafts
}

/** What this account has in this browser and not on the server. */
export function createWaiting({ journal, unsent, formDrafts }: Parts) {
  /** Unsent changes, oldest first, then unsaved notes. */
  const late = createStore<readonly Late[]>(() => [])
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
    notes: (): Draft[] => unsent.under<Draft>(unsent.key('note-draft')).map(([, draft]) => draft),
    keeping: createListeners(),
    showNotes(failed: readonly Late[]) {
      lateNotes = failed
      show()
    },

    /** `damaged`: the keys of values that the page cannot read. */
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

/** Rejected lines are shown at their field, other rejected entries as decisions. */
export const rejectedLines = (entries: readonly Entry[]) =>
  entries.filter(({ failure, typed }) => failure && typed)
export const toDecide = (entries: readonly Entry[]) =>
  entries.filter(({ failure, typed }) => failure && !typed)

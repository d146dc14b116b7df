import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { journalOf } from '../../changes/page-journal.ts'
import { type Entry, itemsOfEntry } from '../../store/pending-change.ts'
import { perCache } from '../../sync/per-cache.ts'

/** In milliseconds. Most changes are sent within this time, and no dot is shown for them, so that nothing flickers. */
const aMoment = 2000

/** The items of a change, or the note of a text, and when it was made. */
export type Late = { items: readonly string[]; at: number }

/** What has waited for longer than a moment to be sent: changes, oldest first, then texts of notes. */
export const lateChangesOf = perCache((queryClient: QueryClient) => {
  const journal = journalOf(queryClient)
  const shown = createStore<readonly Late[]>(() => [])
  let late: readonly Entry[] = []
  let texts: readonly Late[] = []
  let isWaiting = false

  function show() {
    const all = [...late.map((entry) => ({ items: itemsOfEntry(entry), at: entry.at })), ...texts]
    if (all.length + shown.getState().length > 0) shown.setState(all, true)
  }

  /** Keeps the changes that were late before, and those of `waited`, as far as they are still unsent. */
  function look(waited: readonly Entry[] = []) {
    const known = new Set([...late, ...waited].map(({ mutation }) => mutation))
    const entries = journal.entries()
    late = entries.filter(({ mutation }) => known.has(mutation))
    show()
    if (isWaiting || late.length === entries.length) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      look(entries)
    }, aMoment)
  }

  journal.subscribe(() => look())
  look()
  return {
    ...shown,
    /** The texts of notes that could not be saved. */
    showTexts(unsaved: readonly Late[]) {
      texts = unsaved
      show()
    },
  }
})

/** The result of `select` for all of them. */
export const useLateChanges = <Value>(select: (changes: readonly Late[]) => Value): Value =>
  useStore(lateChangesOf(useQueryClient()), select)

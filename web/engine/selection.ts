import { createStore } from 'zustand/vanilla'

type State = {
  ids: ReadonlySet<string>
  /** The first card of a range, and the other cards that were selected when the range began. */
  anchor: { id: string; others: ReadonlySet<string> } | undefined
}

export type Selection = State & {
  toggle: (id: string) => void
  /** Selects the cards from the anchor, or without one from `from`, to `to`. */
  extend: (from: string, to: string, cards: readonly string[]) => void
  selectAll: (cards: readonly string[]) => void
  drop: (id: string) => void
  clear: () => void
}

const nothing: State = { ids: new Set(), anchor: undefined }

export const createSelection = () =>
  createStore<Selection>()((set) => ({
    ...nothing,
    toggle: (id) =>
      set(({ ids }) => {
        const others = without(ids, id)
        return { ids: ids.has(id) ? others : new Set([...others, id]), anchor: { id, others } }
      }),
    extend: (from, to, cards) =>
      set(({ ids, anchor }) => {
        const begun = anchor && cards.includes(anchor.id) ? anchor : { id: from, others: ids }
        const [first = 0, last = 0] = [cards.indexOf(begun.id), cards.indexOf(to)].sort((a, b) => a - b)
        return { ids: new Set([...begun.others, ...cards.slice(first, last + 1)]), anchor: begun }
      }),
    selectAll: (cards) => set({ ids: new Set(cards), anchor: undefined }),
    drop: (id) => set(({ ids }) => ({ ids: without(ids, id) })),
    clear: () => set(nothing),
  }))

const without = (ids: ReadonlySet<string>, id: string) => new Set([...ids].filter((other) => other !== id))

import { flushSync } from 'react-dom'
import type { Engine } from '../engine/engine.ts'
import type { NewChange } from '../engine/entry.ts'

/** The cards of tasks that can be selected, from top to bottom. Deleted tasks cannot. */
export const selectableCards = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('[data-action=complete]')].flatMap(
    (ring) => ring.closest<HTMLElement>('[data-task]') ?? [],
  )

export const idOf = ({ dataset }: HTMLElement): string => dataset.task ?? ''

/** Focuses the first of these cards, or without one the title. */
export function focusFirst(ids: ReadonlySet<string>) {
  const card = selectableCards().find((card) => ids.has(idOf(card)))
  ;(card ?? document.getElementById('panel-title'))?.focus({ preventScroll: true })
}

/** Makes changes of the selected tasks, which one press undoes. `close`: closes the dialog in which they were chosen. */
export function changeSelected(engine: Engine, changes: readonly NewChange[], close?: () => void) {
  // The dialog gives the focus back to the bar, and the bar to a card, from which it moves on if the card leaves the list.
  if (close) flushSync(close)
  const { ids, clear } = engine.selection.getState()
  // Before the bar goes, together with the cards: all of them are rendered once.
  if (document.activeElement?.closest('[data-selection]')) focusFirst(ids)
  clear()
  engine.changes.make(changes)
}

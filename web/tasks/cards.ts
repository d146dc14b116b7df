import { flushSync } from 'react-dom'
import type { Engine } from '../engine/engine.ts'
import type { NewChange } from '../engine/entry.ts'

/** From top to bottom. Deleted tasks cannot be selected. */
export const selectableCards = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('[data-action=complete]')].flatMap(
    (ring) => ring.closest<HTMLElement>('[data-task]') ?? [],
  )

export const idOf = ({ dataset }: HTMLElement): string => dataset.task ?? ''

export function focusFirst(ids: ReadonlySet<string>) {
  const card = selectableCards().find((card) => ids.has(idOf(card)))
  ;(card ?? document.getElementById('panel-title'))?.focus({ preventScroll: true })
}

/** One press undoes all of the changes. `close`: closes the dialog of the choice. */
export function changeSelected(engine: Engine, changes: readonly NewChange[], close?: () => void) {
  // The dialog gives the focus back to the bar, and the bar to a card. If the card leaves the list, the focus moves on.
  if (close) flushSync(close)
  const { ids, clear } = engine.selection.getState()
  // Before the bar goes, together with the cards: all of them are rendered once.
  if (document.activeElement?.closest('[data-selection]')) focusFirst(ids)
  clear()
  engine.changes.make(changes)
}

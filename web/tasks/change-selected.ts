import { flushSync } from 'react-dom'
import type { Dashboard } from '../state/dashboard.tsx'
import type { NewChange } from '../store/pending-change.ts'
import { focusFirst } from './cards.ts'

/** Makes changes of the selected tasks, which one press undoes. `close`: closes the dialog in which they were chosen. */
export function changeSelected(dashboard: Dashboard, changes: readonly NewChange[], close?: () => void) {
  // The dialog gives the focus back to the bar, and the bar to a card, from which it moves on if the card leaves the list.
  if (close) flushSync(close)
  const { ids, clear } = dashboard.selection.getState()
  // Before the bar goes, together with the cards: all of them are rendered once.
  if (document.activeElement?.closest('[data-selection]')) focusFirst(ids)
  clear()
  dashboard.changes.make(changes)
}

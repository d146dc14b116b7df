import type { Selection } from '../engine/selection.ts'
import { offered } from '../engine/verbs/verb.ts'
import { idOf, selectableCards } from '../tasks/cards.ts'
import { focusInView, type Move, moves } from '../ui/list-moves.ts'
import { selectKey } from '../views/command-keys.ts'

/** The elements between which the arrow keys move. In a search, the notes below the cards are among them. */
const stops = '[data-task], [data-found-note]'

type Press = Pick<KeyboardEvent, 'key' | 'shiftKey'>

/** Returns whether the key did something. */
export function pressCardKey({ key, shiftKey }: Press, selection: Selection): boolean {
  const focused = document.activeElement
  const card = focused?.closest<HTMLElement>(stops)
  const step = moveOf(key)
  if (step)
    return moveFocus(step, card, { enters: enters.test(key), selection: shiftKey ? selection : undefined })
  if (!card) return false
  if (key === selectKey) return select(card, selection)
  if (key === offered.edit.key || (key === 'Enter' && focused === card)) return press(card, 'edit')
  // The other keys change all selected tasks (selection-bar.tsx).
  if (selection.ids.size > 0) return false
  if (key === offered.complete.key) return tick(card)
  const verb = (['move', 'prioritise', 'delete'] as const).find((name) => offered[name].key === key)
  return verb !== undefined && press(card, verb)
}

export function selectAllCards({ selectAll }: Selection): boolean {
  const ids = selectableCards().map(idOf)
  if (ids.length > 0) selectAll(ids)
  return ids.length > 0
}

/** With Shift, letters are capitals. */
const moveOf = (key: string) => moves[key.replace(/^[JK]$/, (letter) => letter.toLowerCase())]

export const isMove = (key: string): boolean => moveOf(key) !== undefined

/** From outside of the cards, these keys lead to the first card in view; the others scroll. */
const enters = /^(ArrowDown|[jk])$/i

/** With `selection`, the cards between the old and the new focus are selected too. */
function moveFocus(
  move: Move,
  card: HTMLElement | null | undefined,
  { enters, selection }: { enters: boolean; selection: Selection | undefined },
): boolean {
  const cards = [...document.querySelectorAll<HTMLElement>(stops)]
  const target = card
    ? cards[move(cards.indexOf(card), cards.length - 1)]
    : enters && cards.find(isBelowTopBar)
  if (!target) return false
  const ids = selectableCards().map(idOf)
  if (card && ids.includes(idOf(target))) selection?.extend(idOf(card), idOf(target), ids)
  focusInView(target)
  return true
}

function select(card: HTMLElement, { toggle }: Selection): boolean {
  const isSelectable = selectableCards().includes(card)
  if (isSelectable) toggle(idOf(card))
  return isSelectable
}

const isBelowTopBar = (card: HTMLElement) =>
  card.getBoundingClientRect().top >= (document.querySelector('header')?.getBoundingClientRect().bottom ?? 0)

/** If the card will go, the focus moves first, so that the next key acts on the next card. */
function tick(card: HTMLElement): boolean {
  if (!press(card, 'complete')) return false
  const cards = [...document.querySelectorAll<HTMLElement>(stops)]
  const next = card.closest('[data-list]') && cards[cards.indexOf(card) + 1]
  if (next) focusInView(next)
  return true
}

function press(card: HTMLElement, verb: keyof typeof offered): boolean {
  const control = card.querySelector<HTMLElement>(`[data-action=${verb}]`)
  control?.click()
  return control !== null
}

/** What the arrow keys move between: cards, and in a search the notes below them. */
const stops = '[data-task], [data-found-note]'

/** Keys on the cards of the list. Returns whether the key did something. */
export function pressCardKey(key: string): boolean {
  const focused = document.activeElement
  const card = focused?.closest<HTMLElement>(stops)
  const move = moves[key]
  if (move) return moveFocus(move, focused, card)
  if (!card) return false
  if (key === 'x') return press(card, 'complete')
  if (key === 'm') return press(card, 'move')
  if (key === 'e' || (key === 'Enter' && focused === card)) return press(card, 'edit')
  return key === 'Delete' && press(card, 'delete')
}

/** The keys that move the focus from card to card, and that may be held down. */
export const isMove = (key: string): boolean => key in moves

/** From the index of the focused card and that of the last one to the next index. */
type Move = (index: number, last: number) => number

const moves: Record<string, Move> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  Home: () => 0,
  End: (_, last) => last,
}

function moveFocus(move: Move, focused: Element | null, card: HTMLElement | null | undefined): boolean {
  const cards = [...document.querySelectorAll<HTMLElement>(stops)]
  // From nowhere, the first press down goes to the first card in view; the other keys scroll.
  const isNowhere = focused?.matches('body, main, h1') ?? true
  const target = card
    ? cards[move(cards.indexOf(card), cards.length - 1)]
    : isNowhere && move === moves.ArrowDown && cards.find(isBelowTopBar)
  if (!target) return false
  target.focus({ preventScroll: true })
  target.scrollIntoView({ block: 'nearest' })
  return true
}

const isBelowTopBar = (card: HTMLElement) =>
  card.getBoundingClientRect().top >= (document.querySelector('header')?.getBoundingClientRect().bottom ?? 0)

function press(card: HTMLElement, action: 'complete' | 'move' | 'edit' | 'delete'): boolean {
  const control = card.querySelector<HTMLElement>(`[data-action=${action}]`)
  control?.click()
  return control !== null
}

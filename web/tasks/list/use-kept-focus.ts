import { useEffect, useLayoutEffect, useRef } from 'react'
import { pressedKey } from '../../ui/pressed-key.ts'

/** `above`: the ids of the cards above. `action`: of the control in the card that has the focus. */
type FocusPlace = { id: string | undefined; above: (string | undefined)[]; action: string | undefined }

/** Keys that lead to a card, or change the meaning of the next one. */
const movesFocus = /^(Arrow.*|[jk]|Home|End|Page.*|Tab|Shift|Control|Alt|Meta)$/i

/**
 * Keeps the focus on the same control of the same card. If a key has removed the card, the card in its place gets the focus,
 * otherwise the title of the panel: the next key must not act on a card that the reader did not choose.
 */
export function useKeptFocus(rows: readonly unknown[]) {
  const place = useRef<FocusPlace>(undefined)
  /** Whether the last press was a key that may have removed the card. */
  const isOfKey = useRef(false)

  useEffect(() => {
    const remember = (event: Event) => {
      place.current = placeOf(event.target as Element)
      if (event.type === 'pointerdown') isOfKey.current = false
    }
    const rememberKey = (event: KeyboardEvent) => {
      isOfKey.current = !movesFocus.test(pressedKey(event))
    }
    const left = new AbortController()
    const { signal } = left
    document.addEventListener('focusin', remember, { signal })
    // A press on blank space takes the focus away without giving it to anything.
    document.addEventListener('pointerdown', remember, { signal })
    // Before the listener that changes tasks, whose cards go before the next listener is called.
    window.addEventListener('keydown', rememberKey, { signal, capture: true })
    return () => left.abort()
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: cards move when the rows change
  useLayoutEffect(() => {
    if (!place.current || document.activeElement !== document.body) return
    focusOn(place.current, isOfKey.current)
    isOfKey.current = false
  }, [rows])
}

const allCards = () => [...document.querySelectorAll<HTMLElement>('[data-task]')]

function placeOf(element: Element): FocusPlace | undefined {
  const card = element.closest<HTMLElement>('[data-task]')
  if (!card) return
  const { action } = element.closest<HTMLElement>('[data-action]')?.dataset ?? {}
  const ids = allCards().map(({ dataset }) => dataset.task)
  const id = card.dataset.task
  return { id, above: ids.slice(0, ids.indexOf(id)), action }
}

function focusOn({ id, above, action }: FocusPlace, isOfKey: boolean) {
  const cards = allCards()
  const same = cards.find(({ dataset }) => dataset.task === id)
  if (same) return (same.querySelector<HTMLElement>(`[data-action=${action}]`) ?? same).focus()
  const title = document.getElementById('panel-title')
  if (!isOfKey) return title?.focus({ preventScroll: true })
  // Several cards may have gone at once.
  const next = cards.findLastIndex(({ dataset }) => above.includes(dataset.task)) + 1
  const target = cards[next] ?? cards.at(-1) ?? title
  target?.focus()
}

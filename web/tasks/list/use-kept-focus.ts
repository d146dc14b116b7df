import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Entry } from './use-entries.ts'

/** A card, the cards above it and, if it is not the card itself, the control in it. */
type Place = { id: string | undefined; above: (string | undefined)[]; action: string | undefined }

/**
 * Keeps the focus where it was when cards move or go: on the same control of the same card; if the card has gone, on the
 * card in its place, and after the last card on the panel's title. After a card has gone by a press of the pointer, it is on
 * the title too, so that the next key does not act on a card that the reader did not choose.
 */
export function useKeptFocus(entries: Entry<unknown>[]) {
  const place = useRef<Place>(undefined)
  const usesPointer = useRef(false)

  useEffect(() => {
    const remember = (event: Event) => {
      place.current = placeOf(event.target as Element)
      if (event.type === 'pointerdown') usesPointer.current = true
    }
    const rememberKey = () => {
      usesPointer.current = false
    }
    document.addEventListener('focusin', remember)
    // A press on blank space takes the focus away without giving it to anything.
    document.addEventListener('pointerdown', remember)
    document.addEventListener('keydown', rememberKey)
    return () => {
      document.removeEventListener('focusin', remember)
      document.removeEventListener('pointerdown', remember)
      document.removeEventListener('keydown', rememberKey)
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: cards move when the entries change
  useLayoutEffect(() => {
    if (place.current && document.activeElement === document.body) focusOn(place.current, usesPointer.current)
  }, [entries])
}

const allCards = () => [...document.querySelectorAll<HTMLElement>('[data-task]')]

function placeOf(element: Element): Place | undefined {
  const card = element.closest<HTMLElement>('[data-task]')
  if (!card) return
  const { action } = element.closest<HTMLElement>('[data-action]')?.dataset ?? {}
  const ids = allCards().map(({ dataset }) => dataset.task)
  const id = card.dataset.task
  return { id, above: ids.slice(0, ids.indexOf(id)), action }
}

function focusOn({ id, above, action }: Place, usesPointer: boolean) {
  const cards = allCards()
  const same = cards.find(({ dataset }) => dataset.task === id)
  if (same) return (same.querySelector<HTMLElement>(`[data-action=${action}]`) ?? same).focus()
  const title = document.getElementById('panel-title')
  if (usesPointer) return title?.focus({ preventScroll: true })
  // Several cards may have gone at once.
  const next = cards.findLastIndex(({ dataset }) => above.includes(dataset.task)) + 1
  const target = cards[next] ?? cards.at(-1) ?? title
  target?.focus()
}

import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Task } from '#contract/tasks.ts'

/** A card and, if it is not the card itself, the control in it. */
type Place = { id: string | undefined; index: number; action: string | undefined }

/**
 * Keeps the focus where it was when cards move or go: on the same control of the same card; if the card has gone, on the
 * card in its place, and after the last card on the panel's title. After a card has gone by a press of the pointer, the
 * focus stays nowhere, so that the next key does not act on a card that the reader did not choose.
 */
export function useKeptFocus(tasks: Task[] | undefined) {
  const place = useRef<Place>(undefined)
  const usesPointer = useRef(false)

  useEffect(() => {
    const note = (event: Event) => {
      place.current = placeOf(event.target as Element)
      if (event.type === 'pointerdown') usesPointer.current = true
    }
    const noteKey = () => {
      usesPointer.current = false
    }
    document.addEventListener('focusin', note)
    // A press on blank space takes the focus away without giving it to anything.
    document.addEventListener('pointerdown', note)
    document.addEventListener('keydown', noteKey)
    return () => {
      document.removeEventListener('focusin', note)
      document.removeEventListener('pointerdown', note)
      document.removeEventListener('keydown', noteKey)
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: cards move when the tasks change
  useLayoutEffect(() => {
    if (place.current && document.activeElement === document.body) focusOn(place.current, usesPointer.current)
  }, [tasks])
}

const allCards = () => [...document.querySelectorAll<HTMLElement>('[data-task]')]

function placeOf(element: Element): Place | undefined {
  const card = element.closest<HTMLElement>('[data-task]')
  if (!card) return
  const { action } = element.closest<HTMLElement>('[data-action]')?.dataset ?? {}
  return { id: card.dataset.task, index: allCards().indexOf(card), action }
}

function focusOn({ id, index, action }: Place, usesPointer: boolean) {
  const cards = allCards()
  const same = cards.find(({ dataset }) => dataset.task === id)
  if (same) return (same.querySelector<HTMLElement>(`[data-action=${action}]`) ?? same).focus()
  if (usesPointer) return
  const target = cards[index] ?? cards.at(-1) ?? document.getElementById('panel-title')
  target?.focus()
}

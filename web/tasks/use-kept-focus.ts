import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Task } from '#contract/tasks.ts'

type Place = { id: string | undefined; index: number; action: string }

/**
 * Keeps the focus where it was when cards move or go: on the same card, else on the one in its place, and when no card
 * is left on the panel's title.
 */
export function useKeptFocus(tasks: Task[] | undefined) {
  const place = useRef<Place>(undefined)

  useEffect(() => {
    const note = (event: Event) => {
      place.current = placeOf(event.target as Element)
    }
    document.addEventListener('focusin', note)
    // A press on blank space takes the focus away without giving it to anything.
    document.addEventListener('pointerdown', note)
    return () => {
      document.removeEventListener('focusin', note)
      document.removeEventListener('pointerdown', note)
    }
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: cards move when the tasks change
  useLayoutEffect(() => {
    if (place.current && document.activeElement === document.body) focusOn(place.current)
  }, [tasks])
}

const allCards = () => [...document.querySelectorAll<HTMLElement>('[data-task]')]

function placeOf(element: Element): Place | undefined {
  const card = element.closest<HTMLElement>('[data-task]')
  if (!card) return
  const { action = 'edit' } = element.closest<HTMLElement>('[data-action]')?.dataset ?? {}
  return { id: card.dataset.task, index: allCards().indexOf(card), action }
}

function focusOn({ id, index, action }: Place) {
  const cards = allCards()
  const card = cards.find(({ dataset }) => dataset.task === id) ?? cards[index] ?? cards.at(-1)
  const target = card?.querySelector<HTMLElement>(`[data-action=${action}]`)
  const place = target ?? document.getElementById('panel-title')
  place?.focus()
}

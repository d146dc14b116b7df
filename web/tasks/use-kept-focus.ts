import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Task } from '#contract/tasks.ts'

type Place = { id: string | undefined; index: number; control: string }

/**
 * Cards move and go under the reader's hands. The focus stays with its card; where that is gone it moves to the
 * one in its place, and where none is left to the panel's title.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes is where the cards are
  useLayoutEffect(() => {
    if (place.current && document.activeElement === document.body) focusOn(place.current)
  }, [tasks])
}

const allCards = () => [...document.querySelectorAll<HTMLElement>('[data-task]')]

function placeOf(element: Element): Place | undefined {
  const card = element.closest<HTMLElement>('[data-task]')
  if (!card) return
  const control = element.closest('.task-delete') ? '.task-delete' : '.task-edit'
  return { id: card.dataset.task, index: allCards().indexOf(card), control }
}

function focusOn({ id, index, control }: Place) {
  const cards = allCards()
  const card = cards.find(({ dataset }) => dataset.task === id) ?? cards[index] ?? cards.at(-1)
  const target = card?.querySelector<HTMLElement>(control) ?? document.getElementById('panel-title')
  target?.focus()
}

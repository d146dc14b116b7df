import { type DragEvent, useState } from 'react'
import { move } from '../../engine/verbs/plan.ts'
import { useDashboard } from '../../state/dashboard-state.tsx'
import { useEngine } from '../../state/use-engine.tsx'

/** `over`: the day under the dragged card. The handlers are for the element around the days. */
export function useDayDrop() {
  const dragged = useDashboard((state) => state.dragged)
  const [over, setOver] = useState<string>()
  const { make } = useEngine().changes

  /** Also for `dragenter`: WebKit sends nothing else to a day on which the pointer stops at once. */
  function onDragOver(event: DragEvent) {
    const day = dragged && dayAt(event)
    setOver(day)
    if (day === undefined) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'move'
  }

  function onDrop(event: DragEvent) {
    const dueDate = dayAt(event)
    setOver(undefined)
    if (!dragged || dueDate === undefined) return
    event.preventDefault()
    make([move.make(dragged, dueDate)])
  }

  return { over, onDragEnter: onDragOver, onDragOver, onDrop, onDragLeave: () => setOver(undefined) }
}

const dayAt = ({ target }: DragEvent): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-day]')?.dataset.day : undefined

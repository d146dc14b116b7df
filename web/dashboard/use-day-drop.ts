import { type DragEvent, useState } from 'react'
import { useDashboard } from '../state/dashboard-state.tsx'
import { useChangeTask } from '../tasks/change-task.ts'

/** Takes cards that are dropped on a day. Returns the day under the dragged card and the handlers of the element around the days. */
export function useDayDrop() {
  const dragged = useDashboard((state) => state.dragged)
  const open = useDashboard((state) => state.open)
  const [over, setOver] = useState<string>()
  const { mutateAsync } = useChangeTask()

  function onDragOver(event: DragEvent) {
    const day = dragged && dayAt(event)
    setOver(day)
    if (day === undefined) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'move'
  }

  async function onDrop(event: DragEvent) {
    const dueDate = dayAt(event)
    setOver(undefined)
    if (!dragged || dueDate === undefined) return
    event.preventDefault()
    try {
      await mutateAsync({ task: dragged, set: { dueDate }, deed: 'Moved' })
    } catch (error) {
      open({ name: 'moveTask', task: dragged, failure: (error as Error).message })
    }
  }

  return { over, onDragOver, onDrop, onDragLeave: () => setOver(undefined) }
}

const dayAt = ({ target }: DragEvent): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-day]')?.dataset.day : undefined

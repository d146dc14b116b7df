import type { Task } from '#contract/tasks.ts'
import { useGoToView } from '../state/dashboard-state.tsx'
import { useToday } from '../ui/civil-day.ts'
import { focusOnceShown } from '../ui/focus-once-shown.ts'

/** If the card is not on show, the view of its day is opened. */
export function useShowTask() {
  const goTo = useGoToView()
  const today = useToday()
  return ({ _id, dueDate }: Pick<Task, '_id' | 'dueDate'>) =>
    focusOnceShown(
      () => focusCard(_id),
      () => goTo(dueDate === null ? 'someday' : dueDate > today ? 'upcoming' : 'today'),
    )
}

function focusCard(id: string): boolean {
  const card = document.querySelector<HTMLElement>(`[data-task="${id}"]`)
  card?.focus()
  card?.scrollIntoView({ block: 'nearest' })
  return card !== null
}

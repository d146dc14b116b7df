import { useRef } from 'react'
import type { Task } from '#contract/tasks.ts'
import { useDashboard, useIsOpen } from '../../state/dashboard-state.tsx'
import { daysAfter, useToday } from '../../ui/civil-day.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts'
import { useChangeTask } from '../change-task.ts'
import { dueShortcuts } from '../form/due-shortcuts.tsx'
import { DayChoice } from './day-choice.tsx'
import { useLetterKeys } from './use-letter-keys.ts'

/** Moves a task to another day. */
export function MoveDialog({ task, failure }: { task: Task; failure?: string }) {
  const isOpen = useIsOpen('moveTask')
  const closeOverlay = useDashboard((state) => state.close)
  const close = () => closeOverlay('moveTask')
  const today = useToday()
  const field = useRef<HTMLInputElement>(null)
  const { mutateAsync, error } = useChangeTask()
  const [move] = useOneAtATime(async (dueDate: string) => {
    // While it fades out, the dialog still takes clicks.
    if (!isOpen) return
    const beforeShown = () => {
      close()
      // The dialog gives the focus back to the card, from which it moves on if the card leaves the list.
      return new Promise((closed) => setTimeout(closed))
    }
    await mutateAsync({ task, set: { dueDate }, deed: 'Moved', beforeShown }).catch(() => {})
  })
  useLetterKeys(isOpen, {
    ...Object.fromEntries(dueShortcuts.map(([, days, key]) => [key, () => move(daysAfter(today, days))])),
    d: () => field.current?.focus(),
  })
  const reason = error?.message ?? failure
  return (
    <Dialog open={isOpen} onClose={close} title="Move">
      <div className="task-form">
        {reason && <Notice>This task was not moved. {reason}</Notice>}
        <p>
          <bdi>{task.title}</bdi>
        </p>
        <DayChoice field={field} dueDate={task.dueDate} onChoose={move} />
      </div>
    </Dialog>
  )
}

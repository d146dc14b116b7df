import { type MouseEvent, useLayoutEffect, useRef } from 'react'
import { useDashboard } from '../../state/dashboard-state.tsx'
import { ignoreRepeats } from '../../ui/ignore-repeats.ts'
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts'
import { useMoveOverdue } from './move-overdue.ts'
import './overdue-actions.css'

/** The buttons for all overdue tasks at once. */
export function OverdueActions() {
  const open = useDashboard((state) => state.open)
  const { mutateAsync, error } = useMoveOverdue()
  const [move, isMoving] = useOneAtATime(({ detail }: MouseEvent) =>
    mutateAsync({ isByPointer: detail > 0 }).catch(() => {}),
  )
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const moveAll = button.current
    // The button disappears with its group. The focus moves to the heading of the list.
    return () => {
      if (moveAll === document.activeElement) document.getElementById('panel-title')?.focus()
    }
  }, [])
  return (
    <div className="overdue-actions">
      <button type="button" className="button button-quiet" onClick={() => open({ name: 'review' })}>
        Review
      </button>
      <button
        ref={button}
        type="button"
        className="button button-quiet"
        aria-busy={isMoving}
        onKeyDown={ignoreRepeats}
        onClick={move}
      >
        Move all to today
      </button>
      {error && (
        <p className="task-failure" role="status">
          Not all overdue tasks were moved. {error.message}
        </p>
      )}
    </div>
  )
}

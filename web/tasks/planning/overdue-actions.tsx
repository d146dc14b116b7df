import { useLayoutEffect, useRef } from 'react'
import { useParts } from '../../state/dashboard.tsx'
import { useDashboard } from '../../state/dashboard-state.tsx'
import { ignoreRepeats } from '../../ui/ignore-repeats.ts'
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts'
import { moveOverdue } from './move-overdue.ts'
import './overdue-actions.css'

/** The buttons for all overdue tasks at once. */
export function OverdueActions() {
  const open = useDashboard((state) => state.open)
  const dashboard = useParts()
  const [move, isMoving] = useOneAtATime(() => moveOverdue(dashboard))
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
    </div>
  )
}

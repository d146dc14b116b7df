import { useLayoutEffect, useRef } from 'react'
import { todayHere } from '#contract/days.ts'
import type { Engine } from '../../engine/engine.ts'
import { isDueBefore } from '../../engine/store/item-rules.ts'
import type { Store } from '../../engine/store/store.ts'
import { move } from '../../engine/verbs/plan.ts'
import { useDashboard } from '../../state/dashboard-state.tsx'
import { useEngine } from '../../state/use-engine.tsx'
import { Button } from '../../ui/button.tsx'
import { ignoreRepeats } from '../../ui/drop-second-click.ts'
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts'
import { changeSelected } from '../cards.ts'
import './overdue-actions.css'

export function OverdueActions() {
  const open = useDashboard((state) => state.open)
  const engine = useEngine()
  const [moveAll, isMoving] = useOneAtATime(() => moveOverdue(engine))
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const shown = button.current
    // The button disappears with its group. The focus moves to the heading of the list.
    return () => {
      if (shown === document.activeElement) document.getElementById('panel-title')?.focus()
    }
  }, [])
  return (
    <div className="overdue-actions wraps">
      <Button className="button button-quiet button-small" onClick={() => open({ name: 'review' })}>
        Review
      </Button>
      <Button
        ref={button}
        className="button button-quiet button-small"
        aria-busy={isMoving}
        onKeyDown={ignoreRepeats}
        onClick={moveAll}
      >
        Move all to today
      </Button>
    </div>
  )
}

/** In milliseconds: a server with the specified calls alone never fills the store. */
const longestWait = 10_000

/** Waits for a store that is still being filled, and for nothing else. */
async function moveOverdue(engine: Engine) {
  const { store, connection } = engine
  if (!store.isComplete && !connection.offline.getState()) await filled(store)
  const today = todayHere()
  const tasks = store.list('today', today).filter((task) => isDueBefore(task, today))
  changeSelected(
    engine,
    tasks.map((task) => move.make(task, today)),
  )
}

const filled = (store: Store) =>
  new Promise<void>((resolve) => {
    const stop = store.subscribe(() => store.isComplete && end())
    const timeout = setTimeout(end, longestWait)
    function end() {
      stop()
      clearTimeout(timeout)
      resolve()
    }
  })

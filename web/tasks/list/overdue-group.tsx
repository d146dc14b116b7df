import { useState } from 'react'
import { OverdueActions } from '../planning/overdue-actions.tsx'
import { TaskGroup, type TaskGroupProps } from './task-group.tsx'

/** The number of overdue tasks that are always shown: more would push the tasks of today off the screen. */
const alwaysShown = 5

/** The overdue tasks, folded after the first five until the reader unfolds them. */
export function OverdueGroup({ entries, ...shared }: Omit<TaskGroupProps, 'label' | 'actions'>) {
  const [isUnfolded, setUnfolded] = useState(false)
  const folded = entries.length - alwaysShown
  return (
    <>
      <TaskGroup
        label="Overdue"
        actions={<OverdueActions />}
        entries={isUnfolded ? entries : entries.slice(0, alwaysShown)}
        {...shared}
      />
      {folded > 0 && (
        <button
          type="button"
          className="button button-quiet fold"
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {isUnfolded ? 'Show fewer overdue tasks' : `Show ${folded} more overdue`}
        </button>
      )}
    </>
  )
}

import { noTime, priorities } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import { isDueBefore } from '../../engine/store/item-rules.ts'
import { Button } from '../../ui/button.tsx'
import { OverdueActions } from '../planning/overdue-actions.tsx'
import { TaskGroup, type TaskGroupProps } from './task-group.tsx'
import type { Row } from './use-rows.ts'

/** The number of overdue tasks that are always shown: more would push the tasks of today off the screen. */
export const alwaysShown = 3

export const foldedCount = (tasks: readonly Task[] = [], today: string) =>
  Math.max(0, tasks.filter((task) => isDueBefore(task, today)).length - alwaysShown)

export type Fold = { isUnfolded: boolean; setUnfolded: (isUnfolded: boolean) => void }

/**
 * The overdue tasks, the most urgent and newest first, with their number. They are folded after the first three until the
 * reader unfolds or prints them.
 */
export function OverdueGroup({
  rows,
  isUnfolded,
  setUnfolded,
  ...shared
}: Omit<TaskGroupProps, 'label' | 'actions'> & Fold) {
  const folded = rows.length - alwaysShown
  return (
    <>
      <TaskGroup
        label="Overdue"
        count={rows.filter(({ gap }) => gap === undefined).length}
        actions={<OverdueActions />}
        rows={byUrgency(rows, isUnfolded ? rows.length : alwaysShown)}
        {...shared}
      />
      {folded > 0 && (
        <Button
          className="button button-quiet fold"
          data-folded={isUnfolded ? undefined : folded}
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {isUnfolded ? 'Show fewer overdue tasks' : `Show ${folded} more overdue`}
        </Button>
      )}
    </>
  )
}

/**
 * The first of the rows in the order of this group. Tasks come sorted by due day, time and id. Their places stay the same while
 * the list is held.
 */
function byUrgency(rows: Row[], count: number): Row[] {
  let sorted: Row[] = []
  // Last those of other priorities, which another server may have.
  for (const rank of [...priorities.keys(), -1])
    if (sorted.length < count)
      sorted = sorted.concat(
        rows
          .filter(({ place }) => priorities.indexOf(place.priority) === rank)
          .reverse()
          .sort(newestDayFirst),
      )
  return sorted.slice(0, count)
}

/** The newest due day first, and within a day the earliest time. */
const newestDayFirst = ({ place: one }: Row, { place: other }: Row) =>
  one.dueDate === other.dueDate
    ? (one.dueTime ?? noTime).localeCompare(other.dueTime ?? noTime)
    : (other.dueDate ?? '').localeCompare(one.dueDate ?? '')

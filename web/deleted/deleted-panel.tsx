import { useEffect, useMemo } from 'react'
import type { Item, StoredNote, StoredTask } from '../engine/entry.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { useStored } from '../state/use-engine.tsx'
import { ListEnd, ListFailure, TaskSkeleton } from '../tasks/list/list-states.tsx'
import { Panel } from '../tasks/list/panel.tsx'
import { useListRows } from '../tasks/list/use-rows.ts'
import { useSessionCheck } from '../tasks/list/use-session-check.ts'
import { useTaskList } from '../tasks/list/use-task-list.ts'
import { Button } from '../ui/button.tsx'
import { useToday } from '../ui/civil-day.ts'
import { EmptyState, Lesson } from '../ui/empty-state.tsx'
import { views } from '../views/views.ts'
import { DeletedCard } from './deleted-card.tsx'
import '../tasks/list/task-group.css'

const { title, lead, emptyText } = views.deleted

export function DeletedPanel() {
  useSessionCheck()
  const today = useToday()
  const open = useDashboard((state) => state.open)
  const { tasks, error, failedMore, hasMore, loadMore, retry } = useTaskList('deleted', today)
  const notes = useStored((store) => store.notes(true))
  const items = useMemo(() => tasks && merge(tasks, notes, hasMore), [tasks, notes, hasMore])
  const newest = items?.[0]
  const { rows, around } = useListRows(items)
  useEffect(() => {
    // The note that had the focus has left the page.
    if (document.activeElement === document.body) document.getElementById('panel-title')?.focus()
  }, [])

  return (
    <Panel
      title={title}
      lead={lead}
      tools={
        newest && (
          <Button
            className="button button-quiet delete-all"
            onClick={() => open({ name: 'deleteForGood', item: newest, andEarlier: true })}
          >
            Delete all for good
          </Button>
        )
      }
    >
      {error && (
        <ListFailure text="The deleted tasks and notes could not be loaded." error={error} onRetry={retry} />
      )}
      {!items && !error && <TaskSkeleton />}
      {items && rows.length === 0 && !error && !hasMore && (
        <EmptyState
          below={
            <Lesson
              text="Ctrl+Z undoes your last change, even a deletion."
              example="See all keys"
              onTry={() => open({ name: 'keys' })}
            />
          }
        >
          {emptyText}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <div data-list {...around}>
          <ul className="task-list">
            {rows.map(({ task: item, gap }) => (
              <DeletedCard key={item._id} item={item} gap={gap} today={today} />
            ))}
          </ul>
        </div>
      )}
      {items && <ListEnd hasMore={hasMore} failed={failedMore} onReached={loadMore} />}
    </Panel>
  )
}

/** While further tasks can be loaded, notes that were deleted before the last loaded task are left out. */
function merge(tasks: readonly StoredTask[], notes: readonly StoredNote[], hasMore: boolean): Item[] {
  const last = hasMore ? tasks.at(-1) : undefined
  const reached = last ? notes.filter((note) => newestFirst(note, last) < 0) : notes
  return [...tasks, ...reached].sort(newestFirst)
}

const placeOf = ({ deletedAt, _id }: Item) => `${deletedAt} ${_id}`

const newestFirst = (one: Item, other: Item) => (placeOf(one) > placeOf(other) ? -1 : 1)

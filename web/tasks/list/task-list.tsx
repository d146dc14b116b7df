import { useDeferredValue, useState } from 'react'
import { type ListName, noTime, priorities } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import { isDueBefore } from '../../engine/store/item-rules.ts'
import { useGoToView } from '../../state/dashboard-state.tsx'
import { useEngine } from '../../state/use-engine.tsx'
import { Button } from '../../ui/button.tsx'
import { useToday } from '../../ui/civil-day.ts'
import { EmptyState, Lesson } from '../../ui/empty-state.tsx'
import { QuietNotice } from '../../ui/notice.tsx'
import { usePrinting } from '../../ui/use-printing.ts'
import type { Grouping, ListToasts } from '../../views/views.ts'
import { OverdueActions } from '../planning/overdue-actions.tsx'
import { useComing } from '../repeat/task-repeat.tsx'
import { countTasks } from '../sentence.tsx'
import { CompletionDays, countOf, DueDays, type DueDaysProps } from './due-days.tsx'
import { EarlierTasks } from './earlier-tasks.tsx'
import { ListEnd, ListFailure, TaskSkeleton } from './list-states.tsx'
import { TaskGroup, type TaskGroupProps } from './task-group.tsx'
import { type Row, useListRows } from './use-rows.ts'
import { useTaskList } from './use-task-list.ts'

type TaskListProps = {
  list: ListName
  emptyText: string
  toasts?: ListToasts
  groups?: Grouping
  lesson?: { text: string; example: string } | undefined
  /** Whether it stays empty until its call has answered. */
  isCleared?: boolean
}

export function TaskList({ list, emptyText, toasts, groups, lesson, isCleared = false }: TaskListProps) {
  const today = useToday()
  const listed = useTaskList(list, today, { toasts, needsAnswer: isCleared })
  const { tasks, error, failedMore, hasMore, loadMore, retry } = listed
  const { rows, around } = useListRows(tasks)
  const [isUnfolded, setUnfolded] = useState(false)
  const coming = useComing(groups === 'due day')
  const fold = { isUnfolded: usePrinting() || isUnfolded, setUnfolded }
  const shown =
    (tasks?.length ?? 0) - (groups === 'overdue' && !fold.isUnfolded ? foldedCount(tasks, today) : 0)

  return (
    <>
      {error && <ListFailure text="These tasks could not be loaded." error={error} onRetry={retry} />}
      {!tasks && !error && <TaskSkeleton />}
      {groups === 'due day' && <EarlierTasks today={today} />}
      {tasks && rows.length + coming.length === 0 && !error && !hasMore && (
        <EmptyState below={<EmptyLesson list={list} lesson={lesson} />}>{emptyText}</EmptyState>
      )}
      {tasks && rows.length + coming.length > 0 && (
        <div data-list {...around}>
          <TaskGroups {...{ rows, coming, hasMore, today, groups, fold }} />
        </div>
      )}
      {tasks && <ListEnd hasMore={hasMore} failed={failedMore} onReached={loadMore} />}
      <p role="status" className="visually-hidden">
        {shown > 0 && `${countTasks(shown)} shown`}
      </p>
      {listed.isLoadedToPrint && <QuietNotice>Loading the whole list to print it …</QuietNotice>}
    </>
  )
}

type TaskGroupsProps = DueDaysProps & { groups: Grouping | undefined; fold: Fold }

function TaskGroups({ groups, fold, coming, hasMore, ...given }: TaskGroupsProps) {
  // A group that is added later renders its first cards at once: one of them may have the focus.
  const isOpening = !useDeferredValue(true, false)
  const shared = { ...given, isOpening }
  if (groups === 'overdue') return <OverdueApart fold={fold} {...shared} />
  if (groups === 'day of completion') return <CompletionDays {...shared} />
  if (groups === 'due day') return <DueDays {...{ coming, hasMore }} {...shared} />
  return <TaskGroup {...shared} />
}

/** The group of today stays the same one: a new one would render only its first cards, and the others would lose the focus. */
function OverdueApart({ rows, fold, ...shared }: Omit<TaskGroupProps, 'label'> & { fold: Fold }) {
  const first = rows.findIndex(({ place }) => !isDueBefore(place, shared.today))
  const overdue = rows.slice(0, first < 0 ? rows.length : first)
  const due = rows.slice(overdue.length)
  const label = overdue.length > 0 && { label: 'Today', count: countOf(due) }
  return (
    <>
      {overdue.length > 0 && <OverdueGroup rows={overdue} {...fold} {...shared} />}
      {due.length > 0 && (
        <TaskGroup
          {...label}
          day={shared.today}
          rows={due}
          above={Math.min(overdue.length, alwaysShown)}
          {...shared}
        />
      )}
    </>
  )
}

function EmptyLesson({ list, lesson }: Pick<TaskListProps, 'list' | 'lesson'>) {
  const lines = useEngine().quickLines
  const goTo = useGoToView()
  if (list === 'done')
    return (
      <Lesson
        text="Press the ring to complete a task, or x on the keyboard."
        example="Show Today’s tasks"
        onTry={() => goTo('today')}
      />
    )
  if (!lesson) return
  const typeExample = () => {
    lines.getState().type(lesson.example)
    document.querySelector<HTMLElement>('[data-quick-add]')?.focus()
  }
  return <Lesson {...lesson} onTry={typeExample} />
}

/** The number of overdue tasks that are always shown: more would push the tasks of today off the screen. */
const alwaysShown = 3

const foldedCount = (tasks: readonly Task[] = [], today: string) =>
  Math.max(0, tasks.filter((task) => isDueBefore(task, today)).length - alwaysShown)

type Fold = { isUnfolded: boolean; setUnfolded: (isUnfolded: boolean) => void }
type OverdueGroupProps = Omit<TaskGroupProps, 'label' | 'actions'> & Fold

function OverdueGroup({ rows, isUnfolded, setUnfolded, ...shared }: OverdueGroupProps) {
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

/** Sorts by the places of the rows, which stay the same while the list is held. */
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

const newestDayFirst = ({ place: one }: Row, { place: other }: Row) =>
  one.dueDate === other.dueDate
    ? (one.dueTime ?? noTime).localeCompare(other.dueTime ?? noTime)
    : (other.dueDate ?? '').localeCompare(one.dueDate ?? '')

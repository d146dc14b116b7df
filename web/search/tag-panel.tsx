import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { fold } from '#contract/folding.ts'
import { pageSize } from '#contract/limits.ts'
import { compareInList, defaultPriority, lists } from '#contract/lists.ts'
import { isTag } from '#contract/tags.ts'
import type { Task } from '#contract/tasks.ts'
import type { Engine } from '../engine/engine.ts'
import { notesWithTag } from '../engine/store/tags-in-use.ts'
import { useDashboard, useReplaceTag } from '../state/dashboard-state.tsx'
import { useEngine, useStored } from '../state/use-engine.tsx'
import { useFound } from '../tasks/found-tasks.ts'
import { EarlierLine } from '../tasks/list/earlier-tasks.tsx'
import { ListEnd, ListFailure, TaskSkeleton } from '../tasks/list/list-states.tsx'
import { Panel } from '../tasks/list/panel.tsx'
import { TaskGroup } from '../tasks/list/task-group.tsx'
import { useListRows } from '../tasks/list/use-rows.ts'
import { QuickAdd } from '../tasks/quick-add/quick-add.tsx'
import { Button } from '../ui/button.tsx'
import { useToday } from '../ui/civil-day.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { usePrinting } from '../ui/use-printing.ts'
import { FoundNotes, onlyHere } from './found-notes.tsx'

/** The place of a tag, which is given without its `#`. */
export function TagPanel({ name }: { name: string }) {
  const tag = `#${name}`
  if (isTag(tag)) return <TagPlace named={tag} />
  return (
    <Panel title={<bdi>{tag}</bdi>}>
      <EmptyState>This is no tag. A tag is one word with a letter, such as #home</EmptyState>
    </Panel>
  )
}

function TagPlace({ named }: { named: string }) {
  const { tag, open, done } = useTagged(named)
  const isComplete = useStored((store) => store.isComplete)
  const [limit, setLimit] = useState<number>(pageSize.default)
  const { data, error, isFetching, isEarlier, refetch } = useFound(named, limit)
  const overlay = useDashboard((state) => state.open)
  const [isUnfolded, setUnfolded] = useState(false)
  const isPrinting = usePrinting()
  const showMore = useCallback(() => setLimit(pageSize.max), [])
  useRenamed(named)
  const found = isEarlier ? undefined : data
  const notes = found ? notesWithTag(found, named) : []
  /** Whether all tasks with the tag are in the store. */
  const isWhole = isComplete || (found !== undefined && !found.more)
  const isAnswered = isWhole && found !== undefined && !isFetching

  return (
    <Panel
      title={
        <>
          <bdi>{tag}</bdi>
          {isWhole && ` · ${open.length} open`}
        </>
      }
      tools={
        open.length + done.length + notes.length > 0 && (
          <div className="tag-actions">
            {(['renameTag', 'removeTag'] as const).map((name) => (
              <Button
                key={name}
                className="button button-quiet button-small"
                onClick={() => overlay({ name, tag })}
              >
                {name === 'renameTag' ? 'Rename' : 'Remove'}
              </Button>
            ))}
          </div>
        )
      }
    >
      <QuickAdd dueIn={0} priority={defaultPriority} tag={tag} hint={`Add a task for today with ${tag}`} />
      {error && !isFetching && !isWhole && (
        <ListFailure text="These tasks could not be loaded." error={error} onRetry={refetch} />
      )}
      {!isWhole && !error && <TaskSkeleton />}
      <TagTasks tasks={open} />
      {isAnswered && open.length === 0 && (
        <EmptyState>
          {done.length + notes.length > 0 ? `No open task has ${tag}` : `No task or note has ${tag}`}
        </EmptyState>
      )}
      {done.length > 0 && (
        <div className="earlier">
          <EarlierLine
            label="Done"
            count={done.length}
            aria-expanded={isUnfolded}
            onClick={() => setUnfolded(!isUnfolded)}
          />
          {(isUnfolded || isPrinting) && <TagTasks tasks={done} />}
        </div>
      )}
      {notes.length > 0 && <FoundNotes notes={notes} isLabelled />}
      {found && <ListEnd hasMore={found.more && limit < pageSize.max} onReached={showMore} />}
      {error && isWhole && !isFetching && (
        <ListFailure text={onlyHere(error, data?.hasTexts)} onRetry={refetch} />
      )}
    </Panel>
  )
}

function TagTasks({ tasks }: { tasks: readonly Task[] }) {
  const [wanted, setWanted] = useState<number>(pageSize.default)
  const isPrinting = usePrinting()
  const shown = useMemo(() => (isPrinting ? tasks : tasks.slice(0, wanted)), [tasks, wanted, isPrinting])
  const { rows, around } = useListRows(shown)
  const today = useToday()
  const showMore = useCallback(() => setWanted((before) => before + pageSize.default), [])
  return (
    <>
      {rows.length > 0 && (
        <div data-list {...around}>
          <TaskGroup rows={rows} today={today} />
        </div>
      )}
      <ListEnd hasMore={shown.length < tasks.length} onReached={showMore} />
    </>
  )
}

/** Follows a tag whose renaming is undone or redone. */
function useRenamed(named: string) {
  const { undo } = useEngine()
  const replaceTag = useEffectEvent(useReplaceTag())
  useEffect(() => {
    const is = (tag: string) => fold(tag) === fold(named)
    return undo.onMoved(({ from, to }) => {
      if (from === undefined || to === undefined || is(from) === is(to)) return
      replaceTag(is(from) ? to : from)
    })
  }, [undo, named])
}

type TaggedTasks = { tag: string; open: readonly Task[]; done: readonly Task[] }

/** The tasks of the store that have a tag, and the tag as it is written most often. The object is the same until one of them changes. */
function useTagged(named: string): TaggedTasks {
  const engine = useEngine()
  const [tagged, setTagged] = useState(() => taggedIn(engine, named))
  useEffect(() => {
    const look = () =>
      setTagged((before) => {
        const now = taggedIn(engine, named)
        return areSameTasks(before, now) ? before : now
      })
    look()
    return engine.store.subscribe(look)
  }, [engine, named])
  return tagged
}

/** Soonest first, and then those without a day as in Someday. */
const compareOpen = (one: Task, other: Task) =>
  compareInList((one.dueDate ?? other.dueDate) ? lists.high : lists.someday, one, other)

function taggedIn({ store, tags }: Engine, named: string): TaggedTasks {
  const { tag, ids } = tags.of(named)
  const tasks = [...ids].flatMap((id) => store.task(id) ?? [])
  return {
    tag,
    open: tasks.filter(({ doneAt }) => doneAt === null).sort(compareOpen),
    done: tasks
      .filter(({ doneAt }) => doneAt !== null)
      .sort((one, other) => compareInList(lists.done, one, other)),
  }
}

const areSameTasks = (before: TaggedTasks, now: TaggedTasks) =>
  before.tag === now.tag &&
  (['open', 'done'] as const).every(
    (which) =>
      before[which].length === now[which].length &&
      before[which].every((task, index) => task === now[which][index]),
  )

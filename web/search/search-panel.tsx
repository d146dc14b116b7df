import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { pageSize } from '#contract/limits.ts'
import { wordsOf } from '#contract/search.ts'
import type { Task } from '#contract/tasks.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { SearchedWords } from '../tasks/card/marked-text.tsx'
import { type FoundTasks, foundQuery } from '../tasks/found-tasks.ts'
import { ListEnd } from '../tasks/list/list-end.tsx'
import { ListFailure } from '../tasks/list/list-failure.tsx'
import { TaskGroup } from '../tasks/list/task-group.tsx'
import { TaskSkeleton } from '../tasks/list/task-skeleton.tsx'
import { useGaps } from '../tasks/list/use-gaps.ts'
import { useKeptFocus } from '../tasks/list/use-kept-focus.ts'
import { useToday } from '../ui/civil-day.ts'
import { Delayed } from '../ui/delayed.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { notLoaded, useChunk } from '../ui/use-chunk.ts'
import '../tasks/list/list-panel.css'

const loadFoundNotes = () => import('./found-notes.tsx')

/** The main area while something is searched for: open and done tasks, and notes. */
export const SearchPanel = ({ text }: { text: string }) => (
  <section className="panel" aria-labelledby="panel-title">
    <h1 id="panel-title" className="panel-title" tabIndex={-1}>
      Search results
    </h1>
    <p className="panel-lead">Open tasks, then done ones, then notes</p>
    {wordsOf(text).length === 0 ? (
      <EmptyState>Type a word from a title or a body, or a tag such as #home</EmptyState>
    ) : (
      <Results text={text} />
    )}
  </section>
)

/** The search in each of its states: loading, failed, nothing found, or tasks and notes. */
function Results({ text }: { text: string }) {
  const [longText, setLongText] = useState('')
  const limit = longText === text ? pageSize.max : pageSize.default
  const { data: found, error, isFetching, isPlaceholderData, refetch } = useQuery(foundQuery(text, limit))
  const [notes, reloadNotes] = useChunk(loadFoundNotes, true)
  // Tasks and notes are shown together, so that nothing moves.
  const isComplete = notes !== undefined || found?.notes.length === 0
  const data = isComplete ? found : undefined
  const { entries, leaveGap } = useGaps(data?.tasks)
  useKeptFocus(data?.tasks)
  const today = useToday()
  const open = useDashboard((state) => state.open)
  const edit = useCallback((task: Task) => open({ name: 'editTask', task }), [open])
  const showMore = useCallback(() => setLongText(text), [text])
  const isCurrent = data && !isPlaceholderData

  if (error && !isFetching)
    return <ListFailure text={`The search failed. ${error.message}`} onRetry={() => void refetch()} />
  return (
    <>
      {!data && (
        <Delayed>
          <TaskSkeleton />
        </Delayed>
      )}
      {isCurrent && data.tasks.length + data.notes.length === 0 && (
        <EmptyState>No task or note contains “{text.trim()}”</EmptyState>
      )}
      {data && (
        <SearchedWords value={data.words}>
          {entries.length > 0 && (
            <TaskGroup
              {...(data.notes.length > 0 && { label: 'Tasks' })}
              entries={entries}
              today={today}
              onEdit={edit}
              onDeleted={leaveGap}
            />
          )}
          {data.notes.length > 0 &&
            (typeof notes === 'object' ? (
              <notes.FoundNotes notes={data.notes} isLabelled={entries.length > 0} />
            ) : (
              <ListFailure text={`Notes were found. ${notLoaded}`} onRetry={reloadNotes} />
            ))}
        </SearchedWords>
      )}
      {isCurrent && (
        <ListEnd
          hasMore={data.more && limit < pageSize.max && !isFetching}
          failed={false}
          onReached={showMore}
        />
      )}
      {isCurrent && <p className="panel-lead">{remark(data, limit)}</p>}
      <p role="status" className="visually-hidden">
        {isCurrent && foundText(data)}
      </p>
    </>
  )
}

function foundText({ tasks, notes }: FoundTasks) {
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
  return `${count(tasks.length, 'task')}${notes.length > 0 ? ` and ${count(notes.length, 'note')}` : ''} found`
}

function remark({ more, complete }: FoundTasks, limit: number) {
  if (more && limit === pageSize.max) return 'Not all that was found is shown. Add a word to find less.'
  if (!complete && !more) return 'There is too much text to search all of it: the oldest was left out.'
}

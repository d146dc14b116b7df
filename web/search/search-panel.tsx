import { useCallback, useMemo, useState } from 'react'
import { excerptStart } from '#contract/excerpt.ts'
import { findWords } from '#contract/find-words.ts'
import { pageSize } from '#contract/limits.ts'
import { wordsOf } from '#contract/search-rules.ts'
import { Finder, SearchedWords } from '../tasks/card/marked-text.tsx'
import { type FoundTasks, useFound } from '../tasks/found-tasks.ts'
import { ListEnd, ListFailure, TaskSkeleton } from '../tasks/list/list-states.tsx'
import { Panel } from '../tasks/list/panel.tsx'
import { TaskGroup } from '../tasks/list/task-group.tsx'
import { useListRows } from '../tasks/list/use-rows.ts'
import { countTasks } from '../tasks/sentence.tsx'
import { useToday } from '../ui/civil-day.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { FoundNotes, onlyHere } from './found-notes.tsx'

export const SearchPanel = ({ text }: { text: string }) => (
  <Panel title="Search results" lead="Open tasks, then done ones, then notes">
    {wordsOf(text).length === 0 ? (
      <EmptyState>Type a word from a title or a body, or a tag such as #home</EmptyState>
    ) : (
      <Results text={text} />
    )}
  </Panel>
)

const finder = { findWords, excerptStart }

function Results({ text }: { text: string }) {
  const [longText, setLongText] = useState('')
  const limit = longText === text ? pageSize.max : pageSize.default
  const { data, error, isFetching, isEarlier, refetch } = useFound(text, limit)
  const { rows, around } = useListRows(data?.tasks, data?.words.join(' '))
  const today = useToday()
  const showMore = useCallback(() => setLongText(text), [text])
  const isCurrent = data && !isEarlier
  /** Whether the server has answered, too. */
  const isAnswered = isCurrent === true && !isFetching && !error
  const { words, similar } = data ?? {}
  const marked = useMemo(() => [words ?? [], similar ?? []].flat(), [words, similar])

  if (error && !isFetching && !data)
    return <ListFailure text="The search failed." error={error} onRetry={refetch} />
  return (
    <>
      {!data && <TaskSkeleton />}
      {isAnswered && rows.length + data.notes.length === 0 && (
        <EmptyState>No task or note contains “{text.trim()}”</EmptyState>
      )}
      {data && (
        <Finder value={finder}>
          <SearchedWords value={marked}>
            {rows.length > 0 && (
              <div {...around}>
                <TaskGroup {...(data.notes.length > 0 && { label: 'Tasks' })} rows={rows} today={today} />
              </div>
            )}
            {data.notes.length > 0 && <FoundNotes notes={data.notes} isLabelled={rows.length > 0} />}
          </SearchedWords>
        </Finder>
      )}
      {isCurrent && (
        <ListEnd hasMore={isAnswered && data.more && limit < pageSize.max} onReached={showMore} />
      )}
      {error && data && !isFetching && (
        <ListFailure text={onlyHere(error, data.hasTexts)} onRetry={refetch} />
      )}
      {isCurrent && <p className="panel-lead soft one-line">{remark(data, limit)}</p>}
      <p role="status" className="visually-hidden">
        {isAnswered && foundText(data)}
      </p>
    </>
  )
}

function foundText({ tasks, notes }: FoundTasks) {
  const inNotes = `${notes.length} ${notes.length === 1 ? 'note' : 'notes'}`
  if (notes.length === 0) return `${countTasks(tasks.length)} found`
  return tasks.length === 0 ? `${inNotes} found` : `${countTasks(tasks.length)} and ${inNotes} found`
}

function remark({ similar, more, complete }: FoundTasks, limit: number) {
  if (more && limit === pageSize.max) return 'More results than shown. Add a word to narrow them.'
  if (!complete && !more) return 'There is too much text to search. The oldest tasks and notes were left out.'
  if (similar.length > 0) return `Results with one letter changed: ${similar.join(', ')}`
}

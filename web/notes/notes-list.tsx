import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { memo } from 'react'
import { Link } from 'react-router'
import type { NoteSummary } from '#contract/notes.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { ListEnd } from '../tasks/list/list-end.tsx'
import { ListFailure } from '../tasks/list/list-failure.tsx'
import { TaskSkeleton } from '../tasks/list/task-skeleton.tsx'
import { dayOfInstant, daysAfter, formatDay, useToday } from '../ui/civil-day.ts'
import { Delayed } from '../ui/delayed.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { useLocale } from '../ui/locale.ts'
import { views } from '../views/views.ts'
import { deletedNote } from './deleted-note.tsx'
import { notePath } from './note-path.ts'
import { noteListQuery, noteQuery } from './note-queries.ts'
import { plainText, shownTitle } from './plain-text.ts'
import { UnsavedNotes } from './unsaved-notes.tsx'
import { useWriteNote } from './use-write-note.ts'
import './notes-list.css'

type NotesListProps = { shown: string | undefined; isDeleted: boolean }

/** The notes, or those that were deleted in the last 30 days, in each of the states of a list. */
export function NotesList({ shown, isDeleted }: NotesListProps) {
  const query = useInfiniteQuery(noteListQuery(isDeleted))
  const notes = query.data?.pages.flatMap((page) => page.notes)
  const error = query.isFetching ? null : query.error
  const failedMore = query.isFetchNextPageError
  return (
    <section className="notes-list" aria-labelledby="panel-title">
      <ListHead isDeleted={isDeleted} newest={notes?.[0]} />
      {!isDeleted && <UnsavedNotes listed={notes} shown={shown} />}
      {error && !failedMore && (
        <ListFailure
          text={`The notes could not be loaded. ${error.message}`}
          onRetry={() => query.refetch()}
        />
      )}
      {!notes && !error && (
        <Delayed>
          <TaskSkeleton />
        </Delayed>
      )}
      {notes?.length === 0 && !error && (
        <EmptyState>
          {isDeleted ? 'Nothing was deleted in the last 30 days' : views.notes.emptyText}
        </EmptyState>
      )}
      {notes && notes.length > 0 && (
        <ul>
          {notes.map((note) => (
            <NoteItem key={note._id} note={note} isShown={note._id === shown} isDeleted={isDeleted} />
          ))}
        </ul>
      )}
      {notes && (
        <ListEnd
          hasMore={query.hasNextPage && !query.isFetching}
          failed={failedMore}
          onReached={query.fetchNextPage}
        />
      )}
    </section>
  )
}

function ListHead({ isDeleted, newest }: { isDeleted: boolean; newest: NoteSummary | undefined }) {
  const ask = useDashboard((state) => state.open)
  const write = useWriteNote()
  return (
    <>
      <header className="notes-list-head">
        <h1 id="panel-title" className="panel-title" tabIndex={-1}>
          {isDeleted ? 'Recently deleted' : views.notes.title}
        </h1>
        {isDeleted && newest && (
          <button
            type="button"
            className="button button-quiet"
            onClick={() => ask({ name: 'deleteForGood', item: deletedNote(newest), andEarlier: true })}
          >
            Empty
          </button>
        )}
        {!isDeleted && (
          <button type="button" className="button" aria-keyshortcuts="w" onClick={write}>
            <Icon name="plus" />
            Write a note
          </button>
        )}
      </header>
      <p className="notes-list-lead">
        {isDeleted ? 'Kept for 30 days. ' : `${views.notes.lead}. `}
        <Link to={isDeleted ? '/dashboard/notes' : '/dashboard/notes?deleted'}>
          {isDeleted ? 'Back to all notes' : 'Deleted notes'}
        </Link>
      </p>
    </>
  )
}

type NoteItemProps = { note: NoteSummary; isShown: boolean; isDeleted: boolean }

/** Rendered again only if its note changed: the list can be long, and each save changes it. */
const NoteItem = memo(function NoteItem({
  note: { _id: id, title, snippet, pinned, changedAt },
  isShown,
  isDeleted,
}: NoteItemProps) {
  const day = useDayLabel(changedAt)
  const queryClient = useQueryClient()
  return (
    <li>
      <Link
        onPointerDown={({ pointerType, button }) => {
          // The text arrives while the button is still pressed. A touch may begin a scroll.
          if (pointerType === 'mouse' && button === 0) queryClient.prefetchQuery(noteQuery(id))
        }}
        to={{ pathname: notePath(id), search: isDeleted ? '?deleted' : '' }}
        aria-current={isShown ? 'true' : undefined}
        className="note-item"
      >
        <span className="note-item-title" dir="auto">
          {shownTitle(title)}
        </span>
        {pinned && (
          <span className="note-item-pin">
            <Icon name="pin" />
            <span className="visually-hidden">pinned</span>
          </span>
        )}
        <span className="note-item-facts">
          <time dateTime={changedAt}>{day}</time> <span dir="auto">{plainText(snippet)}</span>
        </span>
      </Link>
    </li>
  )
})

function useDayLabel(instant: string): string {
  const [today, locale] = [useToday(), useLocale()]
  const day = dayOfInstant(instant)
  if (day === today) return 'Today'
  if (today && day === daysAfter(today, -1)) return 'Yesterday'
  return formatDay(day, today, locale)
}

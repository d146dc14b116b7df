import { memo, type ReactNode, useCallback, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useStore } from 'zustand'
import { daysAfter } from '#contract/days.ts'
import { pageSize } from '#contract/limits.ts'
import type { NoteSummary } from '#contract/notes.ts'
import type { NoteOrder } from '#contract/settings.ts'
import { noteOf, notesOf } from '../engine/notes/note-calls.ts'
import { useSettings } from '../settings/settings-store.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { useEngine, useFetched, useStored } from '../state/use-engine.tsx'
import { ListEnd, ListFailure, TaskSkeleton } from '../tasks/list/list-states.tsx'
import { useRetry } from '../tasks/list/use-retry.ts'
import { UnsentDot } from '../tasks/unsent-dot.tsx'
import { dayOfInstant, formatDay, useDayContext } from '../ui/civil-day.ts'
import { formatMonth } from '../ui/day-headings.ts'
import { EmptyState, Lesson } from '../ui/empty-state.tsx'
import { keepTyped } from '../ui/held-keys.ts'
import { Icon } from '../ui/icon.tsx'
import { useLocale } from '../ui/use-locale.ts'
import { usePrinting } from '../ui/use-printing.ts'
import { notePath } from '../views/note-path.ts'
import { views } from '../views/views.ts'
import { shownTitle } from './markdown/plain-text.ts'
import { noteIcons } from './note-icons.ts'
import { ListHead } from './notes-list-head.tsx'
import { UnsavedNotes } from './unsaved-notes.tsx'
import { takeKeysOf, useWriteNote } from './use-go-to-note.ts'
import { usePlainText } from './use-plain-text.ts'
import { useTaggedNotes } from './use-tagged-notes.ts'
import './notes-list.css'

export function NotesList({ shown: shownNote }: { shown: string | undefined }) {
  const fetched = notesOf(useEngine())
  const { pages, fetching, failure } = useFetched(fetched)
  const { noteOrder: order } = useSettings()
  const locale = useLocale()
  const tag = useDashboard((state) => state.noteTag)
  const tagged = useTaggedNotes(tag)
  const ordered = useStored((store) => store.orderedNotes(order, locale))
  const all = useMemo(() => (tagged ? ordered.filter(tagged) : ordered), [ordered, tagged])
  const isComplete = useStored((store) => store.isComplete)
  const hasFirst = useStored((store) => store.hasFirst)
  const [wanted, setWanted] = useState(pageSize.default)
  const isWhole = usePrinting() && isComplete
  const isAnswered = pages.length > 0
  const end = pages.at(-1)?.next?.after
  // Only in its own order, the fetched pages are the beginning of the list.
  const isAsCalled = order === 'changed' && !tagged
  const notes = useMemo(() => {
    if (!isAnswered && !hasFirst) return
    if (!isAsCalled) return isWhole ? all : all.slice(0, wanted)
    const reached = end ? all.findIndex(({ _id }) => _id === end._id) + 1 : all.length
    const place = isAnswered ? reached : 0
    return isWhole ? all : all.slice(0, hasFirst ? Math.max(wanted, place) : place)
  }, [all, isAnswered, isAsCalled, end, hasFirst, isWhole, wanted])
  const shown = notes?.length ?? 0
  const failedMore = failure?.which === 'next'
  useRetry(failedMore ? undefined : failure?.error, fetched.reload)
  const isMoreHeld = (isComplete || !isAsCalled) && shown < all.length
  const showMore = useCallback(
    () => (isMoreHeld ? setWanted(shown + pageSize.default) : fetched.fetchNext()),
    [isMoreHeld, shown, fetched],
  )
  const isOffline = useStore(useEngine().connection.offline)
  // A line above the list says that it is offline.
  const error = fetching || (isOffline && notes) ? undefined : failure?.error
  return (
    <section className="notes-list" aria-labelledby="panel-title">
      <ListHead order={order} tag={tag} />
      <UnsavedNotes notes={tag ? ordered : notes} shown={shownNote} />
      {error && !failedMore && (
        <ListFailure text="The notes could not be loaded." error={error} onRetry={fetched.refetch} />
      )}
      {!notes && !error && <TaskSkeleton />}
      {notes?.length === 0 && !error && tag && <EmptyState>No note has the tag {tag}.</EmptyState>}
      {notes?.length === 0 && !error && !tag && !shownNote && (
        <EmptyState below={<NotesLesson />}>{views.notes.emptyText}</EmptyState>
      )}
      {notes && (
        <Groups notes={notes} order={order}>
          {(note) => (
            <NoteItem
              key={note._id}
              note={note}
              at={order === 'created' ? note.createdAt : note.changedAt}
              isShown={note._id === shownNote}
            />
          )}
        </Groups>
      )}
      {notes && (
        <ListEnd
          hasMore={isMoreHeld || (!isComplete && end !== undefined && !fetching)}
          failed={failedMore}
          onReached={showMore}
        />
      )}
    </section>
  )
}

type GroupsProps = {
  notes: readonly NoteSummary[]
  order: NoteOrder
  children: (note: NoteSummary) => ReactNode
}

function Groups({ notes, order, children }: GroupsProps) {
  const { today, locale } = useDayContext()
  const groups = Map.groupBy(notes, ({ pinned, changedAt, createdAt }) => {
    if (pinned) return 'Pinned'
    if (order === 'title') return 'By title'
    return formatMonth(dayOfInstant(order === 'created' ? createdAt : changedAt), today, locale)
  })
  return [...groups].map(([label, group]) => (
    <section key={label} className="notes-month" aria-label={label}>
      <h2 className="soft small">{label}</h2>
      <ul>{group.map(children)}</ul>
    </section>
  ))
}

function NotesLesson() {
  const write = useWriteNote()
  return (
    <Lesson
      text="A line that begins with - [ ] can be ticked."
      example="Write a packing list"
      onTry={() => {
        keepTyped('Packing list\n\n- [ ] Tent\n- [ ] Stove\n- [ ] ')
        write()
      }}
    />
  )
}

type NoteItemProps = { note: NoteSummary; at: string; isShown: boolean }

/** Memoised, because the list can be long and changes with each save. */
const NoteItem = memo(function NoteItem({ note, at, isShown }: NoteItemProps) {
  const { _id: id, title, snippet, pinned } = note
  const day = useDayLabel(at)
  const text = usePlainText(snippet)
  const engine = useEngine()
  return (
    <li>
      <Link
        onPointerDown={({ pointerType, button }) => {
          // Fetches the text while the button is still pressed. A touch may begin a scroll.
          if (pointerType === 'mouse' && button === 0) noteOf(engine, id).prefetch()
        }}
        to={notePath(id)}
        data-note={id}
        onClick={takeKeysOf}
        aria-current={isShown ? 'true' : undefined}
        className="note-item hovers"
      >
        <UnsentDot item={id} />
        <span className="strong one-line" dir="auto">
          {shownTitle(title)}
        </span>
        {pinned && (
          <span className="note-item-pin small">
            <Icon name={noteIcons.pin} />
            <span className="visually-hidden">pinned</span>
          </span>
        )}
        {text && (
          <span className="note-item-snippet soft small two-lines" dir="auto">
            {text}
          </span>
        )}{' '}
        <time className="soft small" dateTime={at}>
          {day}
        </time>
      </Link>
    </li>
  )
})

function useDayLabel(instant: string): string {
  const { today, locale } = useDayContext()
  const day = dayOfInstant(instant)
  if (day === today) return 'Today'
  if (today && day === daysAfter(today, -1)) return 'Yesterday'
  return formatDay(day, today, locale)
}

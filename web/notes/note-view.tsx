import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { problemFrom } from '../api/client.ts'
import { useFetched, useParts, useStored } from '../state/dashboard.tsx'
import { ListFailure } from '../tasks/list/list-failure.tsx'
import { useRetry } from '../tasks/list/use-retry.ts'
import { Delayed } from '../ui/delayed.tsx'
import { isTyping } from '../ui/text-field.ts'
import { shownWords } from '../views/views.ts'
import { DeletedNote } from './deleted-note.tsx'
import { noteOf, press } from './fetched-notes.ts'
import { isNewNoteId } from './new-note.ts'
import type { NoteDocument } from './note-document.ts'
import { documentsOf } from './note-documents.ts'
import { NotePane } from './note-pane.tsx'
import { TypeAhead } from './type-ahead.tsx'
import { isAhead, isTouched, takeTyped } from './typed-ahead.ts'

/** One note, from the store or from the server. */
export function NoteView({ id }: { id: string }) {
  const dashboard = useParts()
  const documents = documentsOf(dashboard)
  const [isNew] = useState(() => isNewNoteId(id))
  const { state } = useLocation()
  const wasNew = state?.isNew === true
  const fetched = noteOf(dashboard, id)
  const { fetching, failure } = useFetched(fetched, { freshFor: press, isWanted: !isNew })
  const isFetching = !isNew && fetching !== undefined
  const error = failure?.error
  const data = useStored((store) => store.text(id))
  const isGone = useStored((store) => (store.note(id) ?? store.text(id))?.deletedAt != null)
  // The same document until this note is left, even if the store changes meanwhile.
  const [note, setNote] = useState<NoteDocument | undefined>(() => openAtOnce())

  function openAtOnce() {
    if (isNew) return documents.create(id)
    if (data && !isGone) return documents.open(data)
    return documents.get(id)
  }

  // Nothing else is shown in its place, so it does not wait for a press.
  useRetry(note ? undefined : error, fetched.reload)

  const isMissing = problemFrom(error)?.status === 404
  useEffect(() => {
    if (data && !isGone) {
      const opened = documents.open(data)
      setNote((open) => open ?? opened)
    } else if (isMissing && wasNew) setNote((open) => open ?? documents.create(id))
  }, [data, isGone, isMissing, wasNew, documents, id])

  useEffect(() => {
    if (note && !isFetching) documents.catchUp(note)
  }, [note, isFetching, documents])

  const isFailed = error !== undefined && !isFetching && !note
  // What was typed for it belongs to no other note.
  useEffect(() => void (isFailed && !wasNew && takeTyped()), [isFailed, wasNew])

  // A note that is loaded late takes no focus from a field in use. With a finger, the first press shows the note.
  const isFree = isAhead() || !isTyping()
  const goesInto = isAhead() || (state?.[shownWords] && isFree && !isTouched())
  const focus = goesInto ? 'where it was' : undefined
  if (note) return <NotePane note={note} focus={isNew || (wasNew && isFree) ? 'at the end' : focus} />
  if (data && isGone) return <DeletedNote note={data} />
  return (
    <section className="note-pane" aria-label="Note">
      {isFailed ? (
        <ListFailure
          text={
            isMissing
              ? 'There is no such note. It may have been deleted for good.'
              : `The note could not be loaded. ${error.message}`
          }
          onRetry={fetched.refetch}
        />
      ) : (
        <>
          {focus && <TypeAhead />}
          <Delayed>
            <p className="notes-nothing">Loading the note</p>
          </Delayed>
        </>
      )}
    </section>
  )
}

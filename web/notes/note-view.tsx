import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { NoteSummary } from '#contract/notes.ts'
import { problemFrom } from '../api/client.ts'
import { forgetNoteIntent, noteIntent, rememberNoteIntent } from '../api/note-intent.ts'
import { noteOf, press } from '../engine/notes/note-calls.ts'
import type { NoteDocument } from '../engine/notes/note-document.ts'
import { documentsOf } from '../engine/notes/note-documents.ts'
import { useEngine, useFetched, useStored } from '../state/use-engine.tsx'
import { ListFailure } from '../tasks/list/list-states.tsx'
import { useRetry } from '../tasks/list/use-retry.ts'
import { Button } from '../ui/button.tsx'
import { Delayed } from '../ui/delayed.tsx'
import { keepTyped, TypeAhead, takeTyped, typedAhead } from '../ui/held-keys.ts'
import { Icon } from '../ui/icon.tsx'
import { Notice } from '../ui/notice.tsx'
import { isTyping } from '../ui/pressed-key.ts'
import { isTouched } from '../ui/use-media.ts'
import { pathOf, shownWords } from '../views/views.ts'
import { DeletedNote } from './deleted-note.tsx'
import { shownTitle } from './markdown/plain-text.ts'
import { isNewNoteId } from './new-note.ts'
import { NotePane } from './note-pane.tsx'
import { useWriteNote } from './use-go-to-note.ts'
import { usePlainText } from './use-plain-text.ts'

export function NoteView({ id }: { id: string }) {
  const engine = useEngine()
  const documents = documentsOf(engine)
  const [isNew] = useState(() => isNewNoteId(id))
  const { state } = useLocation()
  const wasNew = state?.isNew === true
  const fetched = noteOf(engine, id)
  const { fetching, failure } = useFetched(fetched, { freshFor: press, isWanted: !isNew })
  const isFetching = !isNew && fetching !== undefined
  const error = failure?.error
  const data = useStored((store) => store.text(id))
  const summary = useStored((store) => store.note(id))
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
  const [typed, setTyped] = useState('')
  const writeNote = useWriteNote()
  useEffect(() => {
    const text = isFailed && !wasNew ? takeTyped() : ''
    if (!text) return
    // Offered elsewhere, too, if this is left.
    if (!noteIntent()) rememberNoteIntent(text)
    setTyped(text)
  }, [isFailed, wasNew])
  const writeTyped = () => {
    if (noteIntent() === typed) forgetNoteIntent()
    keepTyped(typed)
    writeNote()
  }

  // A note that is loaded late takes no focus from a field in use. With a finger, the first press shows the note.
  const isAhead = typedAhead() !== undefined
  const isFree = isAhead || !isTyping()
  const goesInto = isAhead || (state?.[shownWords] && isFree && !isTouched())
  const focus = goesInto ? 'where it was' : undefined
  // It was deleted here before its first save.
  if (note && isGone && summary?.version === 0) return <DeletedNote note={{ ...summary, text: note.text }} />
  if (note) return <NotePane note={note} focus={isNew || (wasNew && isFree) ? 'at the end' : focus} />
  if (data && isGone) return <DeletedNote note={data} />
  return (
    <section className="note-pane" aria-label="Note">
      <header className="note-toolbar row wraps measure">
        <Link to={pathOf('notes')} className="icon-button note-back" aria-label="All notes">
          <Icon name="back" />
        </Link>
      </header>
      {isFailed ? (
        <>
          <ListFailure text={isMissing ? missing : failureText(error)} onRetry={fetched.refetch} />
          {summary && <Beginning note={summary} />}
          {typed && (
            <Notice>
              <p>What you typed for this note is kept: {typed}</p>
              <Button onClick={writeTyped}>Write it as a new note</Button>
            </Notice>
          )}
        </>
      ) : (
        <>
          {focus && <TypeAhead />}
          <Delayed>
            <p className="notes-nothing soft">Loading the note</p>
          </Delayed>
        </>
      )}
    </section>
  )
}

const missing = 'There is no such note. It may have been deleted for good.'

const failureText = (error: Error) =>
  problemFrom(error)?.status === 0
    ? 'Only the title and the first lines of this note are on this device. The server cannot be reached.'
    : `The note could not be loaded. ${error.message}`

/** What the list knows of a note whose text is not here. */
function Beginning({ note: { title, snippet } }: { note: NoteSummary }) {
  return (
    <div className="note-beginning measure">
      <h1 dir="auto">{shownTitle(title)}</h1>
      <p className="soft" dir="auto">
        {usePlainText(snippet)}
      </p>
    </div>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'
import { summaryOf } from '#contract/note-summary.ts'
import { Notice } from '../ui/notice.tsx'
import { GoneNotice } from './gone-notice.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { noteIsUsed } from './new-note.ts'
import { useChangeNote } from './note-changes.ts'
import type { NoteDocument } from './note-document.ts'
import { documentsOf } from './note-documents.ts'
import { mountNoteField, type NoteField } from './note-field.ts'
import { notePath } from './note-path.ts'
import { NoteState } from './note-state.tsx'
import { NoteToolbar } from './note-toolbar.tsx'
import { shownTitle } from './plain-text.ts'
import { ReadingView } from './reading-view.tsx'
import { takeTyped } from './typed-ahead.ts'
import { useLinkedItems, useOpenItem } from './use-linked-items.ts'
import { useMakeTask } from './use-make-task.ts'
import './note-pane.css'

type Shown = 'text' | 'reading' | 'history'

/** A note that is written: what can be done with it, whether it is saved, and its text. */
export function NotePane({ note, wantsFocus }: { note: NoteDocument; wantsFocus: boolean }) {
  const documents = documentsOf(useQueryClient())
  const state = useSyncExternalStore(note.subscribe, () => note.state)
  const [shown, setShown] = useState<Shown>('text')
  const [failure, setFailure] = useState<string>()
  const field = useRef<NoteField>(undefined)
  const linked = useLinkedItems()
  const open = useOpenItem()
  const makeTask = useMakeTask(note, field, setFailure)
  const actions = useNoteActions(note, setFailure)
  useEffect(() => documents.use(note), [documents, note])

  return (
    <section className="note-pane" aria-label="Note">
      <NoteHeading note={note} />
      <NoteToolbar
        note={note}
        isStored={state.is !== 'new'}
        shown={shown}
        onShow={setShown}
        onMakeTask={() => field.current && makeTask(field.current.caretLine())}
        {...actions}
      >
        <NoteState state={state} onRetry={() => note.save()} />
      </NoteToolbar>
      {failure && <Notice>{failure}</Notice>}
      {state.is === 'gone' && <GoneNotice note={note} canRestore={state.canRestore} />}
      {shown === 'history' && <HistoryPanel note={note} onRestored={() => setShown('text')} />}
      {shown === 'reading' && <ReadingView note={note} linked={linked} onOpen={open} />}
      {/* Hidden, not removed: what can be undone in it stays. */}
      <div className="note-text" hidden={shown !== 'text'}>
        <FieldHost
          note={note}
          field={field}
          wantsFocus={wantsFocus}
          uses={{ linked, onOpen: open, onMakeTask: makeTask }}
        />
      </div>
    </section>
  )
}

type FieldHostProps = {
  note: NoteDocument
  field: React.RefObject<NoteField | undefined>
  wantsFocus: boolean
  uses: Parameters<typeof mountNoteField>[2]
}

/** The text area or editor, which React does not render: nothing may come between it and the keys. */
function FieldHost({ note, field, wantsFocus, uses }: FieldHostProps) {
  const host = useRef<HTMLDivElement>(null)
  const current = useRef(uses)
  useEffect(() => {
    current.current = uses
  })

  useEffect(() => {
    if (!host.current) return
    const mounted = mountNoteField(host.current, note, {
      linked: current.current.linked,
      onOpen: (address) => current.current.onOpen(address),
      onMakeTask: (line) => current.current.onMakeTask(line),
    })
    field.current = mounted
    const unsubscribe = note.subscribe(() => note.state.is !== 'new' && noteIsUsed(note.id))
    if (wantsFocus) {
      mounted.focus()
      const typed = takeTyped()
      if (typed) mounted.replaceLine({ from: 0, text: '' }, typed)
    }
    return () => {
      unsubscribe()
      mounted.remove()
      field.current = undefined
    }
  }, [note, field, wantsFocus])
  return <div ref={host} className="note-field" />
}

/** The heading of the page on a narrow screen, where the list is not shown. */
function NoteHeading({ note }: { note: NoteDocument }) {
  const title = useSyncExternalStore(note.subscribe, () => summaryOf(note.text.slice(0, 1000)).title)
  return (
    <h1 className="note-heading visually-hidden">
      {title === '' && note.state.is === 'new' ? 'New note' : shownTitle(title)}
    </h1>
  )
}

/** Deletes a note, or gives up one that was never stored. */
function useNoteActions(note: NoteDocument, onFailure: (reason: string | undefined) => void) {
  const navigate = useNavigate()
  const change = useChangeNote()
  const attempt = async (work: () => Promise<unknown>, text: string) => {
    onFailure(undefined)
    await work().catch((error: Error) => onFailure(`${text} ${error.message}`))
  }
  return {
    onPin: (pinned: boolean) =>
      attempt(
        () => change(note.id, { set: { pinned }, deed: pinned ? 'Pinned' : 'Unpinned' }),
        pinned ? 'The note was not pinned.' : 'The note was not unpinned.',
      ),
    onDelete: () =>
      attempt(async () => {
        if (note.isOnlyHere) {
          note.discard()
          return navigate('/dashboard/notes', { replace: true })
        }
        await change(note.id, { set: { deleted: true }, deed: 'Deleted' })
        // The reader may have gone to another note meanwhile.
        if (location.pathname === notePath(note.id)) navigate('/dashboard/notes', { replace: true })
      }, 'The note was not deleted.'),
  }
}

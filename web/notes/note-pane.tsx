import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { summaryOf } from '#contract/note-summary.ts'
import type { NoteDocument } from '../engine/notes/note-document.ts'
import { documentsOf } from '../engine/notes/note-documents.ts'
import { useEngine } from '../state/use-engine.tsx'
import { Notice } from '../ui/notice.tsx'
import { isTouched } from '../ui/use-media.ts'
import { usePrinting } from '../ui/use-printing.ts'
import { shownWords } from '../views/views.ts'
import type { NoteTextField } from './editor/note-text-field.ts'
import { FormatBar } from './format-bar.tsx'
import { GoneNotice } from './gone-notice.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { leftFieldsOf } from './left-fields.ts'
import { mayHaveOutline } from './markdown/headings.ts'
import { shownTitle } from './markdown/plain-text.ts'
import { noteIsUsed } from './new-note.ts'
import { type FieldUses, mountNoteField } from './note-field.ts'
import { NoteOutline } from './note-outline.tsx'
import { NoteProgress } from './note-progress.tsx'
import { NoteToolbar, type ShownNote } from './note-toolbar.tsx'
import { PrintedNote, ReadingView } from './reading-view.tsx'
import { takeTyped } from './typed-ahead.ts'
import { useCopies } from './use-copies.ts'
import { useLinkedItems, useOpenItem, useTickTask } from './use-linked-items.ts'
import { useMakeTask } from './use-make-task.ts'
import './note-pane.css'

const noPictures = 'Pictures cannot be kept in notes yet.'

/** Where the caret is when the opened text takes the focus. */
type NoteFocus = 'at the end' | 'where it was' | undefined

export function NotePane({ note, focus }: { note: NoteDocument; focus: NoteFocus }) {
  const engine = useEngine()
  const documents = documentsOf(engine)
  const state = useSyncExternalStore(note.subscribe, () => note.state)
  const [shown, setShown] = useState<ShownNote>('text')
  const [failure, setFailure] = useState<string>()
  const [hasOutline, setHasOutline] = useState(false)
  const field = useRef<NoteTextField>(undefined)
  const linked = useLinkedItems()
  const makeTask = useMakeTask(note, { field, linked }, setFailure)
  const uses = {
    linked,
    onOpen: useOpenItem(),
    onTickTask: useTickTask(setFailure),
    onWriteNote: (title: string) => documents.write(title),
  }
  const copies = useCopies(note, setFailure)
  const isPrinting = usePrinting()
  useEffect(() => documents.use(note), [documents, note])

  return (
    <section className="note-pane" aria-label="Note">
      <NoteHeading note={note} />
      <NoteToolbar
        note={note}
        shown={shown}
        onShow={setShown}
        onMakeTask={() => field.current && makeTask(field.current.caretLine())}
        items={[
          { name: 'Find in the note', isOff: shown !== 'text', onClick: () => field.current?.find() },
          {
            name: 'Outline',
            isOff: shown !== 'text' || !mayHaveOutline(note.text),
            onClick: () => setHasOutline(true),
          },
          ...copies,
        ]}
      >
        <NoteProgress note={note} linked={linked} />
      </NoteToolbar>
      {hasOutline && (
        <NoteOutline
          text={note.text}
          onClose={() => setHasOutline(false)}
          onGo={(position) => {
            field.current?.goTo(position)
            // The on-screen keyboard would cover the section.
            if (!isTouched()) field.current?.enter()
          }}
        />
      )}
      {shown === 'text' && <FormatBar onFormat={(format) => field.current?.format(format)} />}
      {failure && <Notice>{failure}</Notice>}
      {state.is === 'gone' && <GoneNotice note={note} canRestore={state.canRestore} />}
      {shown === 'history' && <HistoryPanel note={note} onRestored={() => setShown('text')} />}
      {shown === 'reading' && <ReadingView note={note} {...uses} />}
      {/* Hidden, not removed: its history of changes for undo stays. */}
      <div className="note-text" hidden={shown !== 'text'}>
        <FieldHost
          note={note}
          field={field}
          focus={focus}
          uses={{
            ...uses,
            onMakeTask: makeTask,
            left: leftFieldsOf(engine),
            onType: () => setFailure((reason) => (reason === noPictures ? undefined : reason)),
          }}
          onPicture={() => setFailure(noPictures)}
        />
      </div>
      {isPrinting && <PrintedNote note={note} linked={linked} />}
    </section>
  )
}

type FieldHostProps = {
  note: NoteDocument
  field: React.RefObject<NoteTextField | undefined>
  focus: NoteFocus
  uses: FieldUses
  onPicture: () => void
}

/** The text area or editor. React does not render it, so that no rendering delays its keys. */
function FieldHost({ note, field, focus, uses, onPicture }: FieldHostProps) {
  const host = useRef<HTMLDivElement>(null)
  // The functions do not depend on later renderings.
  const [firstUses] = useState(uses)

  useEffect(() => {
    if (!host.current) return
    const remove = mountNoteField(host.current, note, field, firstUses)
    const unsubscribe = note.subscribe(() => note.state.is !== 'new' && noteIsUsed(note.id))
    return () => {
      unsubscribe()
      remove()
    }
  }, [note, field, firstUses])
  const { key, state } = useLocation()
  const words: readonly string[] | undefined = state?.[shownWords]
  // biome-ignore lint/correctness/useExhaustiveDependencies: each opening does this, also of a note that is open already
  useEffect(() => {
    if (words) field.current?.reveal(words)
    if (!focus) return
    if (focus === 'where it was' || words) field.current?.enter()
    else field.current?.focus()
    const typed = takeTyped()
    if (typed) field.current?.type(typed)
  }, [note, key])
  const onTransfer = refusePicture(onPicture)
  return <div ref={host} className="note-field" onPasteCapture={onTransfer} onDropCapture={onTransfer} />
}

/** The heading of the page on a narrow screen, which does not show the list. */
function NoteHeading({ note }: { note: NoteDocument }) {
  const title = useSyncExternalStore(note.subscribe, () => summaryOf(note.text.slice(0, 1000)).title)
  return (
    <h1 className="note-heading visually-hidden">
      {title === '' && note.state.is === 'new' ? 'New note' : shownTitle(title)}
    </h1>
  )
}

/** Refuses pictures before the field gets them: an editor would read them as text, and a text area would leave the page. */
const refusePicture = (onRefused: () => void) => (event: React.ClipboardEvent | React.DragEvent) => {
  const data = 'clipboardData' in event ? event.clipboardData : event.dataTransfer
  if (![...data.files].some(({ type }) => type.startsWith('image/'))) return
  // Programs copy a picture of formatted text together with it.
  const isText = data.getData('text/plain') !== '' && data.getData('text/html') !== ''
  if (event.type === 'paste' && isText) return
  event.preventDefault()
  event.stopPropagation()
  onRefused()
}

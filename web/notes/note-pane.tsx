import { type MouseEvent, type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { summaryOf } from '#contract/note-summary.ts'
import type { NoteDocument } from '../engine/notes/note-document.ts'
import { documentsOf } from '../engine/notes/note-documents.ts'
import { editor } from '../parts/parts.ts'
import { useEngine } from '../state/use-engine.tsx'
import { ChunkFailure } from '../ui/chunk-failure.tsx'
import { Notice } from '../ui/notice.tsx'
import { isTouched } from '../ui/use-media.ts'
import { usePart } from '../ui/use-part.ts'
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
import { type Editor, type FieldUses, mountNoteField, writeAhead } from './note-field.ts'
import { NoteOutline } from './note-outline.tsx'
import { NoteProgress } from './note-progress.tsx'
import { NoteToolbar, type ShownNote } from './note-toolbar.tsx'
import { PrintedNote, ReadingView } from './reading-view.tsx'
import { endTypeAhead, isAhead, takeTyped, typeAhead, untilComposed } from './typed-ahead.ts'
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
  const left = leftFieldsOf(engine)
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
  const { ready, hasFailed } = useEditor()
  const ahead = useRef<Ahead>(undefined)
  // What is typed next is not for this note.
  useEffect(() => () => void (field.current ?? endTypeAhead()), [])
  useEffect(() => documents.use(note), [documents, note])
  useEffect(() => {
    const look = () => note.state.is !== 'new' && noteIsUsed(note.id)
    look()
    return note.subscribe(look)
  }, [note])

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
      {shown === 'text' && hasFailed && <ChunkFailure onRetry={editor.want} />}
      {shown === 'reading' && <ReadingView note={note} {...uses} />}
      {/* Hidden, not removed: its history of changes for undo stays. */}
      <div className="note-text" hidden={shown !== 'text'}>
        {ready ? (
          <FieldHost
            {...{ note, ahead, field, focus }}
            editor={ready}
            uses={{
              ...uses,
              onMakeTask: makeTask,
              left,
              onType: () => setFailure((reason) => (reason === noPictures ? undefined : reason)),
            }}
            onPicture={() => setFailure(noPictures)}
          />
        ) : (
          <TextAhead {...{ note, ahead, focus }} place={left.get(note.id)?.head ?? 0}>
            <ReadingView note={note} {...uses} />
          </TextAhead>
        )}
      </div>
      {isPrinting && <PrintedNote note={note} linked={linked} />}
    </section>
  )
}

/** The editor once it has loaded and nothing is being composed. */
function useEditor() {
  const loaded = usePart(editor)
  const hasFailed = loaded === 'failed'
  const [ready, setReady] = useState(hasFailed ? undefined : loaded)
  useEffect(() => {
    let isLeft = false
    if (loaded && loaded !== 'failed') untilComposed().then(() => isLeft || setReady(loaded))
    return () => {
      isLeft = true
    }
  }, [loaded])
  return { ready, hasFailed }
}

type Ahead = ReturnType<typeof writeAhead> | undefined

type TextAheadProps = {
  note: NoteDocument
  ahead: React.RefObject<Ahead>
  focus: NoteFocus
  place: number
  children: ReactNode
}

/** The note until the editor is there. A press in the text takes the keys, too. */
function TextAhead({ note, ahead, focus, place, children }: TextAheadProps) {
  const [begin] = useState({ focus, place })
  useEffect(() => {
    const { focus, place } = begin
    const writing = writeAhead(note, focus === 'at the end' ? Number.POSITIVE_INFINITY : place)
    ahead.current = writing
    if (focus) typeAhead({ isShown: true })
    return writing.stop
  }, [note, ahead, begin])
  function press({ target }: MouseEvent) {
    const isSelecting = getSelection()?.isCollapsed === false
    if (isSelecting || (target as Element).closest('a, button, input, label')) return
    ahead.current?.goToEnd()
    typeAhead({ isShown: true })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: keys are taken by a field beside it
    <div className="note-field note-ahead" onClick={press}>
      {children}
    </div>
  )
}

type FieldHostProps = {
  note: NoteDocument
  editor: Editor
  ahead: React.RefObject<Ahead>
  field: React.RefObject<NoteTextField | undefined>
  focus: NoteFocus
  uses: FieldUses
  onPicture: () => void
}

/** The editor. React does not render it, so that no rendering delays its keys. */
function FieldHost({ note, editor, ahead, field, focus, uses, onPicture }: FieldHostProps) {
  const host = useRef<HTMLDivElement>(null)
  // The functions do not depend on later renderings.
  const [firstUses] = useState(uses)

  useEffect(() => {
    if (!host.current) return
    const text = isAhead() ? ahead.current?.text() : undefined
    return mountNoteField(host.current, note, field, firstUses, editor, text)
  }, [note, editor, ahead, field, firstUses])
  const { key, state } = useLocation()
  const words: readonly string[] | undefined = state?.[shownWords]
  // biome-ignore lint/correctness/useExhaustiveDependencies: each opening does this, also of a note that is open already
  useEffect(() => {
    if (words) field.current?.reveal(words)
    const writing = ahead.current
    ahead.current = undefined
    if (writing ? !isAhead() : !focus) return
    if (writing && !words) field.current?.enter(writing.place())
    else if (focus === 'where it was' || words) field.current?.enter()
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

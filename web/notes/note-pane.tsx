import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { summaryOf } from '#contract/note-summary.ts'
import type { NoteDocument } from '../engine/notes/note-document.ts'
import { documentsOf } from '../engine/notes/note-documents.ts'
import { editor } from '../parts/parts.ts'
import { useEngine } from '../state/use-engine.tsx'
import { ChunkFailure } from '../ui/chunk-failure.tsx'
import { typedAhead } from '../ui/held-keys.ts'
import { Notice } from '../ui/notice.tsx'
import { pressedKey } from '../ui/pressed-key.ts'
import { useKeyDown } from '../ui/use-key-down.ts'
import { isTouched } from '../ui/use-media.ts'
import { usePart } from '../ui/use-part.ts'
import { usePrinting } from '../ui/use-printing.ts'
import type { NoteTextField } from './editor/note-text-field.ts'
import { FormatBar } from './format-bar.tsx'
import { GoneNotice } from './gone-notice.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { leftFieldsOf } from './left-fields.ts'
import { mayHaveOutline } from './markdown/headings.ts'
import { shownTitle } from './markdown/plain-text.ts'
import { noteIsUsed } from './new-note.ts'
import { NoteOutline } from './note-outline.tsx'
import { NoteProgress } from './note-progress.tsx'
import { type FieldPress, type NoteFocus, NoteText } from './note-text.tsx'
import { NoteToolbar, type ShownNote } from './note-toolbar.tsx'
import { PrintedNote, ReadingView } from './reading-view.tsx'
import { useCopies } from './use-copies.ts'
import { useLinkedItems, useOpenItem, useTickTask } from './use-linked-items.ts'
import { useMakeTask } from './use-make-task.ts'
import './note-pane.css'

const noPictures = 'Pictures cannot be kept in notes yet.'

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
  const loaded = usePart(editor)
  /** What was pressed before the editor was there. */
  const presses = useRef<FieldPress[]>([])
  const withField = (press: FieldPress) =>
    field.current ? press(field.current) : presses.current.push(press)
  const makeTaskOfLine = () => withField((shownField) => makeTask(shownField.caretLine()))
  // Before the keys of the editor.
  useKeyDown(
    shown === 'text',
    (event) => {
      const { shiftKey, ctrlKey, metaKey, repeat } = event
      if (pressedKey(event) !== 'Enter' || !shiftKey || !(ctrlKey || metaKey)) return
      const [target] = event.composedPath() as Element[]
      if (typedAhead() === undefined && !target?.matches('.cm-content')) return
      event.preventDefault()
      if (!repeat) makeTaskOfLine()
    },
    true,
  )
  // From the field that takes the keys until the editor is there, Tab would leave the note.
  useKeyDown(shown === 'text' && loaded === undefined, (event) => {
    const { shiftKey, ctrlKey, altKey, metaKey } = event
    if (pressedKey(event) !== 'Tab' || ctrlKey || altKey || metaKey || typedAhead() === undefined) return
    event.preventDefault()
    withField((shownField) => shownField.format(shiftKey ? 'outdent' : 'indent'))
  })
  const onPicture = refusePicture(() => setFailure(noPictures))
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
        onMakeTask={makeTaskOfLine}
        items={[
          {
            name: 'Find in the note',
            isOff: shown !== 'text',
            onClick: () => withField((shownField) => shownField.find()),
          },
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
          onGo={(position) =>
            withField((shownField) => {
              shownField.goTo(position)
              // The on-screen keyboard would cover the section.
              if (!isTouched()) shownField.enter()
            })
          }
        />
      )}
      {shown === 'text' && (
        <FormatBar onFormat={(format) => withField((shownField) => shownField.format(format))} />
      )}
      {failure && <Notice>{failure}</Notice>}
      {state.is === 'gone' && <GoneNotice note={note} canRestore={state.canRestore} />}
      {shown === 'text' && loaded === 'failed' && <ChunkFailure onRetry={editor.want} />}
      {shown === 'history' && <HistoryPanel note={note} onRestored={() => setShown('text')} />}
      {shown === 'reading' && <ReadingView note={note} {...uses} />}
      {/* Hidden, not removed: its history of changes for undo stays. */}
      <div
        className="note-text"
        hidden={shown !== 'text'}
        onPasteCapture={onPicture}
        onDropCapture={onPicture}
      >
        <NoteText
          {...{ note, field, focus, presses }}
          editor={loaded === 'failed' ? undefined : loaded}
          uses={{
            ...uses,
            left: leftFieldsOf(engine),
            onType: () => setFailure((reason) => (reason === noPictures ? undefined : reason)),
          }}
        >
          <ReadingView note={note} {...uses} hasBlankLines />
        </NoteText>
      </div>
      {isPrinting && <PrintedNote note={note} linked={linked} />}
    </section>
  )
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

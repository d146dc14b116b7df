import {
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useLocation } from 'react-router'
import { findWords } from '#contract/find-words.ts'
import { summaryOf } from '#contract/note-summary.ts'
import type { NoteDocument } from '../engine/notes/note-document.ts'
import { documentsOf } from '../engine/notes/note-documents.ts'
import { editor } from '../parts/parts.ts'
import { useEngine } from '../state/use-engine.tsx'
import { ChunkFailure } from '../ui/chunk-failure.tsx'
import { endTypeAhead, takeTyped, typeAhead, typedAhead } from '../ui/held-keys.ts'
import { Notice } from '../ui/notice.tsx'
import { pressedKey } from '../ui/pressed-key.ts'
import { useKeyDown } from '../ui/use-key-down.ts'
import { isTouched } from '../ui/use-media.ts'
import { usePart } from '../ui/use-part.ts'
import { usePrinting } from '../ui/use-printing.ts'
import { shownWords } from '../views/views.ts'
import type { NoteTextField } from './editor/note-text-field.ts'
import { FormatBar } from './format-bar.tsx'
import { GoneNotice } from './gone-notice.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { type LeftFields, leftFieldsOf } from './left-fields.ts'
import { mayHaveOutline } from './markdown/headings.ts'
import { shownTitle } from './markdown/plain-text.ts'
import { noteIsUsed } from './new-note.ts'
import { type Editor, type FieldUses, mountNoteField, writeAhead } from './note-field.ts'
import { NoteOutline } from './note-outline.tsx'
import { NoteProgress } from './note-progress.tsx'
import { NoteToolbar, type ShownNote } from './note-toolbar.tsx'
import { PrintedNote, ReadingView } from './reading-view.tsx'
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
  const loaded = usePart(editor)
  const [isComposing, setComposing] = useState(false)
  const ahead = useRef<Ahead>(undefined)
  /** What was pressed before the editor was there. */
  const presses = useRef<Press[]>([])
  const withField = (press: Press) => (field.current ? press(field.current) : presses.current.push(press))
  const makeTaskOfLine = () => withField((shownField) => makeTask(shownField.caretLine()))
  const onPicture = refusePicture(() => setFailure(noPictures))
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
      {shown === 'history' && <HistoryPanel note={note} onRestored={() => setShown('text')} />}
      {shown === 'text' && loaded === 'failed' && <ChunkFailure onRetry={editor.want} />}
      {shown === 'reading' && <ReadingView note={note} {...uses} />}
      {/* Hidden, not removed: its history of changes for undo stays. */}
      <div
        className="note-text"
        hidden={shown !== 'text'}
        onPasteCapture={onPicture}
        onDropCapture={onPicture}
      >
        {loaded && loaded !== 'failed' && !isComposing ? (
          <FieldHost
            {...{ note, ahead, presses, field, focus }}
            editor={loaded}
            uses={{
              ...uses,
              onMakeTask: makeTask,
              left,
              onType: () => setFailure((reason) => (reason === noPictures ? undefined : reason)),
            }}
          />
        ) : (
          <TextAhead
            {...{ note, ahead, focus, left }}
            onComposition={setComposing}
            onMakeTask={makeTaskOfLine}
            onPress={withField}
          >
            <ReadingView note={note} {...uses} hasBlankLines />
          </TextAhead>
        )}
      </div>
      {isPrinting && <PrintedNote note={note} linked={linked} />}
    </section>
  )
}

type Ahead = ReturnType<typeof writeAhead> | undefined
type Press = (field: NoteTextField) => void

type TextAheadProps = {
  note: NoteDocument
  ahead: React.RefObject<Ahead>
  focus: NoteFocus
  left: LeftFields
  onComposition: (isComposing: boolean) => void
  onMakeTask: () => void
  onPress: (press: Press) => void
  children: ReactNode
}

/** The note until the editor is there. A press in the text takes the keys, too. */
function TextAhead({
  note,
  ahead,
  focus,
  left,
  onComposition,
  onMakeTask,
  onPress,
  children,
}: TextAheadProps) {
  const host = useRef<HTMLDivElement>(null)
  const words: readonly string[] = useLocation().state?.[shownWords] ?? []
  const [begin] = useState(() => ({
    isFocused: focus !== undefined,
    place:
      focus === 'at the end'
        ? Number.POSITIVE_INFINITY
        : (findWords(note.text, words)[0]?.from ?? left.get(note.id)?.head ?? 0),
  }))
  useEffect(() => {
    const writing = writeAhead(note, begin.place, onComposition)
    ahead.current = writing
    if (begin.isFocused) typeAhead(true)
    return writing.stop
  }, [note, ahead, begin, onComposition])
  // Before the reading view leaves the page.
  useLayoutEffect(() => {
    const scrolled = host.current
    return () => {
      const place = ahead.current?.place() ?? 0
      const scrollTop = scrolled?.scrollTop || left.get(note.id)?.scrollTop || 0
      left.add(note.id, { anchor: place, head: place, scrollTop })
    }
  }, [note, ahead, left])
  useKeyDown(true, (event) => {
    const isToMakeTask = pressedKey(event) === 'Enter' && event.shiftKey && (event.ctrlKey || event.metaKey)
    if (!isToMakeTask || typedAhead() === undefined) return
    event.preventDefault()
    if (!event.repeat) onMakeTask()
  })
  function press({ target, clientX: x, clientY: y }: MouseEvent) {
    const isSelecting = getSelection()?.isCollapsed === false
    if (isSelecting || (target as Element).closest('a, button, input, label')) return
    ahead.current?.goToEnd()
    typeAhead(true)
    const { text } = note
    // The editor alone knows the place. What is typed before is at the end.
    onPress((field) => note.text === text && field.goToPoint({ x, y }))
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: keys are taken by a field beside it
    <div ref={host} className="note-field note-ahead" onClick={press}>
      {children}
    </div>
  )
}

type FieldHostProps = {
  note: NoteDocument
  editor: Editor
  ahead: React.RefObject<Ahead>
  presses: React.RefObject<Press[]>
  field: React.RefObject<NoteTextField | undefined>
  focus: NoteFocus
  uses: FieldUses
}

/** The editor. React does not render it, so that no rendering delays its keys. */
function FieldHost({ note, editor, ahead, presses, field, focus, uses }: FieldHostProps) {
  const host = useRef<HTMLDivElement>(null)
  // The functions do not depend on later renderings.
  const [firstUses] = useState(uses)

  useEffect(() => {
    if (!host.current) return
    const text = typedAhead() === undefined ? undefined : ahead.current?.text()
    return mountNoteField(host.current, note, field, firstUses, editor, text)
  }, [note, editor, ahead, field, firstUses])
  const { key, state } = useLocation()
  const words: readonly string[] | undefined = state?.[shownWords]
  // biome-ignore lint/correctness/useExhaustiveDependencies: each opening does this, also of a note that is open already
  useEffect(() => {
    const shownField = field.current
    if (!shownField) return
    const isWritten = ahead.current !== undefined
    const typedSoFar = typedAhead()
    ahead.current = undefined
    if (words && !typedSoFar) shownField.reveal(words)
    if (isWritten ? typedSoFar !== undefined : focus) {
      if (isWritten || focus === 'where it was' || words) shownField.enter()
      else shownField.focus()
      const typed = takeTyped()
      if (typed) shownField.type(typed)
    }
    for (const press of presses.current.splice(0)) press(shownField)
  }, [note, key])
  return <div ref={host} className="note-field" />
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

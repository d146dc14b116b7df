import { type RefObject, useEffect, useRef } from 'react'
import { useLocation, useMatch, useNavigate } from 'react-router'
import { documentsOf } from '../engine/notes/note-documents.ts'
import { editor } from '../parts/parts.ts'
import { useEngine, useStored } from '../state/use-engine.tsx'
import { useSessionCheck } from '../tasks/list/use-session-check.ts'
import { notePath } from '../views/note-path.ts'
import { NoteView } from './note-view.tsx'
import { NotesList } from './notes-list.tsx'
import { useNotesKeys } from './use-notes-keys.ts'
import './notes-panel.css'
import './notes-print.css'

export function NotesPanel() {
  useSessionCheck()
  const engine = useEngine()
  const id = useMatch('/dashboard/notes/:id')?.params.id
  const panel = useRef<HTMLDivElement>(null)
  useNotesKeys(panel, id)
  useOpenAgain()
  useOnScreenKeyboard(panel)
  useEffect(() => documentsOf(engine).start(), [engine])
  useEffect(editor.want, [])
  useEffect(() => {
    // The note that had the focus has left the page.
    if (!id && document.activeElement === document.body) document.getElementById('panel-title')?.focus()
  }, [id])

  return (
    <div ref={panel} className="notes" data-shows={id ? 'note' : 'list'}>
      <NotesList shown={id} />
      {id ? (
        <NoteView key={id} id={id} />
      ) : (
        <p className="notes-nothing soft">Choose a note, or write one.</p>
      )}
    </div>
  )
}

/** Opens the note again that was deleted here, if that is undone before the reader goes elsewhere. */
function useOpenAgain() {
  const navigate = useNavigate()
  const id: string | undefined = useLocation().state?.deleted
  const isBack = useStored((store) => id !== undefined && store.note(id)?.deletedAt === null)
  useEffect(() => {
    if (id && isBack) navigate(notePath(id), { replace: true })
  }, [id, isBack, navigate])
}

/** Gives the style of an element the height of the on-screen keyboard, which covers the page and does not resize it. */
function useOnScreenKeyboard(element: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const { visualViewport: seen } = window
    if (!seen) return
    const measure = () => {
      // An enlarged page is covered by nothing.
      const covered = seen.scale > 1 ? 0 : window.innerHeight - seen.height - seen.offsetTop
      element.current?.style.setProperty('--on-screen-keyboard', `${Math.max(0, Math.round(covered))}px`)
    }
    measure()
    const left = new AbortController()
    seen.addEventListener('resize', measure, { signal: left.signal })
    seen.addEventListener('scroll', measure, { signal: left.signal })
    return () => left.abort()
  }, [element])
}

import { type RefObject, useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { documentsOf } from '../engine/notes/note-documents.ts'
import { offered } from '../engine/verbs/verb.ts'
import { useSettings } from '../settings/settings-store.ts'
import { useIsDialogOpen } from '../state/dashboard-state.tsx'
import { useEngine } from '../state/use-engine.tsx'
import { typedAhead } from '../ui/held-keys.ts'
import { focusInView, moves } from '../ui/list-moves.ts'
import { hasTextFieldFocus, pressedKey } from '../ui/pressed-key.ts'
import { useKeyDown } from '../ui/use-key-down.ts'
import { notePath } from '../views/note-path.ts'
import { useDeleteNote } from './use-delete-note.ts'

/** Whether the list and the note are shown one at a time. */
const isNarrow = () => matchMedia('(width < 768px)').matches

const itemOf = (element: Element | null) => element?.closest<HTMLElement>('[data-note]') ?? undefined

/** The keys of the list of notes, and Escape, which leads from a note back to the list. */
export function useNotesKeys(panel: RefObject<HTMLElement | null>, shown: string | undefined) {
  const navigate = useNavigate()
  const documents = documentsOf(useEngine())
  const deleteNote = useDeleteNote()
  const { keys: listening } = useSettings()
  const isDialogOpen = useIsDialogOpen()
  const items = () => [...(panel.current?.querySelectorAll<HTMLElement>('[data-note]') ?? [])]
  const current = () => items().find(({ dataset }) => dataset.note === shown)

  /** The item that a held key has reached. Its note is shown when the key is released. */
  const reached = useRef<HTMLElement>(undefined)
  useEffect(() => {
    const end = () => {
      const item = reached.current
      reached.current = undefined
      if (item && item === document.activeElement) show(item)
    }
    window.addEventListener('keyup', end)
    return () => window.removeEventListener('keyup', end)
  })

  function show(item: HTMLElement, state?: { deleted: string }) {
    focusInView(item)
    if (isNarrow()) return
    const path = notePath(item.dataset.note ?? '')
    if (path !== location.pathname) navigate(path, { replace: shown !== undefined, state })
  }

  function walk(key: string, focused: Element | null, isHeld: boolean): boolean {
    const [all, here] = [items(), itemOf(focused)]
    const index = here ? moves[key]?.(all.indexOf(here), all.length - 1) : undefined
    // If no control has the focus, these keys enter the list. The others scroll.
    const isBegin = !here && /^(ArrowDown|[jk])$/.test(key) && focused?.matches('body, main, h1')
    const next = index === undefined ? isBegin && (current() ?? all[0]) : all[index]
    if (next && isHeld) focusInView(next)
    else if (next) show(next)
    if (isHeld) reached.current = next || reached.current
    return Boolean(next)
  }

  async function remove(item: HTMLElement) {
    const { note: id = '' } = item.dataset
    // Only this page has its text, so it could not be restored.
    if (documents.get(id)?.isOnlyHere) return
    const all = items()
    const next = all[all.indexOf(item) + 1] ?? all[all.indexOf(item) - 1]
    const rest = next ?? document.getElementById('panel-title')
    rest?.focus()
    await deleteNote(id)
    if (location.pathname !== notePath(id)) return
    if (next && document.activeElement === next) show(next, { deleted: id })
    else navigate('/dashboard/notes', { replace: true, state: { deleted: id } })
  }

  function press(key: string, isHeld: boolean): boolean {
    const focused = document.activeElement
    const here = itemOf(focused)
    if (key in moves) return walk(key, focused, isHeld)
    if (here && key === 'ArrowRight') here.click()
    else if (here && key === offered.delete.key) remove(here)
    else return false
    return true
  }

  function leave(): boolean {
    const focused = document.activeElement
    // The browser closes a menu.
    if (document.querySelector('[popover="auto"]:popover-open')) return false
    const isInNote = panel.current?.contains(focused) || typedAhead() !== undefined
    if (!shown || !isInNote || itemOf(focused)) return false
    if (isNarrow()) navigate('/dashboard/notes')
    else (current() ?? document.getElementById('panel-title'))?.focus()
    return true
  }

  useKeyDown(!isDialogOpen, (event) => {
    const { shiftKey, ctrlKey, altKey, metaKey } = event
    if (event.defaultPrevented || event.isComposing || shiftKey || ctrlKey || altKey || metaKey) return
    const key = pressedKey(event)
    const isDone =
      key === 'Escape' ? leave() : listening && !hasTextFieldFocus(event) && press(key, event.repeat)
    if (isDone) event.preventDefault()
  })
}

import { useRef } from 'react'
import { offered } from '../engine/verbs/verb.ts'
import { useWriteNote } from '../notes/use-write-note.ts'
import { useDashboard, useGoToView, useIsDialogOpen, useIsOpen } from '../state/dashboard-state.tsx'
import { useEngine } from '../state/use-engine.tsx'
import { loadPlanningDialogs } from '../tasks/planning/load-planning-dialogs.ts'
import { hasTextFieldFocus, pressedKey } from '../ui/pressed-key.ts'
import { useKeyDown } from '../ui/use-key-down.ts'
import { keysKey, quickLineKey, searchKey, writeNoteKey } from '../views/command-keys.ts'
import { viewNames, views } from '../views/views.ts'
import { isMove, pressCardKey, selectAllCards } from './card-keys.ts'
import { focusQuickLine, focusSearch } from './input-focus.ts'
import { loadFrameDialogs } from './later-dialogs.tsx'

/** Ctrl+K, and single keys for frequent commands; they do nothing while typing, with a modifier held, or with a dialog open. */
export function useKeys(listening: boolean) {
  const goTo = useGoToView()
  const open = useDashboard((state) => state.open)
  const writeNote = useWriteNote()
  const isDialogOpen = useIsDialogOpen()
  const { selection } = useEngine()

  function press(key: string, shiftKey: boolean): boolean {
    const view = viewNames.find((name) => views[name].key === key)
    if (view) goTo(view)
    else if (key === offered.add.key) open({ name: 'addTask' })
    else if (key === writeNoteKey) writeNote()
    else if (key === quickLineKey) return focusQuickLine()
    else if (key === searchKey) return focusSearch()
    else if (key === keysKey) open({ name: 'keys' })
    else return pressCardKey({ key, shiftKey }, selection.getState())
    return true
  }

  const close = useDashboard((state) => state.close)
  const isPaletteOpen = useIsOpen('palette')
  useKeyDown(isPaletteOpen || !isDialogOpen, (event) => {
    // The chunk of the palette loads before the next key is pressed.
    if (event.key === 'Control' || event.key === 'Meta') loadFrameDialogs().catch(() => {})
    if (pressedKey(event) !== 'k' || event.shiftKey || event.altKey || event.ctrlKey === event.metaKey) return
    // On a Mac, Ctrl+K deletes to the end of the line.
    if (event.ctrlKey && /^Mac/.test(navigator.platform) && hasTextFieldFocus(event)) return
    event.preventDefault()
    if (event.repeat) return
    if (isPaletteOpen) close('palette')
    else open({ name: 'palette' })
  })

  // A key that is held down acts once, and types nothing into the dialog that it has opened.
  const held = useRef<string>(undefined)
  useKeyDown(listening, (event) => {
    if (!event.repeat) held.current = undefined
    else if (event.key === held.current) event.preventDefault()
  })

  useKeyDown(listening && !isDialogOpen, (event) => {
    // The calendar and menus handle the arrow keys themselves.
    if (event.defaultPrevented || hasTextFieldFocus(event)) return
    const key = pressedKey(event)
    if (event.ctrlKey || event.metaKey || event.altKey) {
      const isSelectAll = key === 'a' && !event.altKey && !event.shiftKey
      if (isSelectAll && selectAllCards(selection.getState())) event.preventDefault()
      return
    }
    if (event.repeat && !isMove(key)) return
    if (!press(key, event.shiftKey)) return
    // The card that has the focus may be moved next, or get another priority.
    if (isMove(key)) loadPlanningDialogs().catch(() => {})
    // Without this the `n` would be typed into the dialog that it opens.
    event.preventDefault()
    if (!isMove(key)) held.current = event.key
  })
}

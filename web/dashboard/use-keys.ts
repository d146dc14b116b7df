import { useWriteNote } from '../notes/use-write-note.ts'
import { useDashboard, useGoToView, useIsDialogOpen } from '../state/dashboard-state.tsx'
import { hasTextFieldFocus } from '../ui/text-field.ts'
import { useKeyDown } from '../ui/use-key-down.ts'
import { viewNames, views } from '../views/views.ts'
import { isMove, pressCardKey } from './card-keys.ts'

/** Single keys for what is done all day; silent while typing, with a modifier held, or with a dialog open. */
export function useKeys(listening: boolean) {
  const goTo = useGoToView()
  const open = useDashboard((state) => state.open)
  const writeNote = useWriteNote()
  const isDialogOpen = useIsDialogOpen()

  function press(key: string): boolean {
    const view = viewNames.find((name) => views[name].key === key)
    if (view) goTo(view)
    else if (key === 'n') open({ name: 'addTask' })
    else if (key === 'w') writeNote()
    else if (key === 'q') return focusQuickLine()
    else if (key === '/') return focusSearch()
    else if (key === '?') open({ name: 'keys' })
    else return pressCardKey(key)
    return true
  }

  useKeyDown(listening && !isDialogOpen, (event) => {
    const isModified = event.ctrlKey || event.metaKey || event.altKey
    // The calendar and menus have uses of their own for the arrow keys.
    if (isModified || event.isComposing || event.defaultPrevented || hasTextFieldFocus(event)) return
    if (isMove(event.key) ? event.shiftKey : event.repeat) return
    // Without this the `n` would be typed into the dialog that it opens.
    if (press(event.key)) event.preventDefault()
  })
}

function focusQuickLine(): boolean {
  const line = document.querySelector<HTMLElement>('[data-quick-add]')
  line?.focus()
  return line !== null
}

function focusSearch(): boolean {
  const box = document.querySelector<HTMLInputElement>('[data-action=search]')
  box?.focus()
  box?.select()
  return box instanceof HTMLInputElement
}

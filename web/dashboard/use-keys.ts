import { useEffect, useEffectEvent } from 'react'
import { useDashboard, useGoToView } from '../state/dashboard-state.tsx'
import { viewNames, views } from '../views/views.ts'

/** Single keys for what is done all day; silent while typing, with a modifier held, or with a dialog open. */
export function useKeys(listening: boolean) {
  const goTo = useGoToView()
  const open = useDashboard((state) => state.open)
  const isDialogOpen = useDashboard(({ overlay }) => overlay !== undefined && overlay.name !== 'drawer')

  const press = useEffectEvent((key: string): boolean => {
    const view = viewNames.find((name) => views[name].key === key)
    if (view) goTo(view)
    else if (key === 'n') open({ name: 'addTask' })
    else if (key === '?') open({ name: 'keys' })
    else return false
    return true
  })

  useEffect(() => {
    if (!listening || isDialogOpen) return
    const onKeyDown = (event: KeyboardEvent) => {
      const isModified = event.ctrlKey || event.metaKey || event.altKey
      if (isModified || event.isComposing || isTyping(event.target)) return
      // Without this the `n` would be typed into the dialog that it opens.
      if (press(event.key)) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [listening, isDialogOpen])
}

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null

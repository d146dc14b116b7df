import { useEffect, useEffectEvent } from 'react'
import { useSlice } from './dashboard-state.tsx'

/** Single keys for what is done all day; silent while typing, with a modifier held, or with a box open. */
export function useKeys(listening: boolean, showKeys: () => void) {
  const [, select] = useSlice('sidebarSelection')
  const [, setAddTaskBoxActive] = useSlice('addTaskBoxActive')

  const press = useEffectEvent((key: string): boolean => {
    if (key === 'n') setAddTaskBoxActive(true)
    else if (key === '1') select('today')
    else if (key === '2') select('latest')
    else if (key === '3') select('priority')
    else if (key === '?') showKeys()
    else return false
    return true
  })

  useEffect(() => {
    if (!listening) return
    const onKeyDown = (event: KeyboardEvent) => {
      const isModified = event.ctrlKey || event.metaKey || event.altKey
      if (isModified || event.isComposing || isTyping(event.target) || document.querySelector('dialog[open]'))
        return
      // Without this the `n` would be typed into the box that it opens.
      if (press(event.key)) event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [listening])
}

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null

import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { useEngine } from '../../state/use-engine.tsx'
import { useSignal } from '../../ui/use-signal.ts'
import { countTasks } from '../sentence.tsx'
import { SelectionBar } from './selection-bar.tsx'
import './selection.css'
import { idOf, selectableCards } from '../cards.ts'
import { followTouches } from './touch-gestures.ts'

/** The parts of the selection that are not in the first load: the bar, and selecting with the pointer. */
export function SelectionTools() {
  const { ids } = useStore(useEngine().selection)
  usePointerSelection()
  return (
    <>
      <Announcement count={ids.size} />
      {ids.size > 0 && <SelectionBar />}
    </>
  )
}

/** Says how many are selected. A live region must exist before its text. */
function Announcement({ count }: { count: number }) {
  const [text, setText] = useState('')
  useEffect(() => setText(count > 0 ? `${countTasks(count)} selected` : ''), [count])
  return (
    <p role="status" className="visually-hidden">
      {text}
    </p>
  )
}

/** Elements that handle a press themselves, also with Shift or Ctrl. */
const controls = 'a, button, input, label, select, textarea'

/**
 * Selects by Shift-click and Ctrl- or Cmd-click, on touch screens by a long press and then by taps. Listens to the document,
 * so that lists of thousands have no listeners of their own, and before the handlers of the cards.
 */
function usePointerSelection() {
  const { selection } = useEngine()
  useSignal([selection], (signal) => {
    const options = { signal, capture: true }

    function select(card: HTMLElement, isRange = false) {
      const { anchor, toggle, extend } = selection.getState()
      const id = idOf(card)
      const focused = document.activeElement?.closest<HTMLElement>('[data-task]')
      const from = anchor?.id ?? (focused ? idOf(focused) : id)
      if (isRange) extend(from, id, selectableCards().map(idOf))
      else toggle(id)
      card.focus({ preventScroll: true })
    }

    function click(event: MouseEvent) {
      const card = cardAt(event)
      const isTap = event instanceof PointerEvent && event.pointerType === 'touch'
      const isSelecting = isTap && selection.getState().ids.size > 0
      const isChosen = event.shiftKey || event.ctrlKey || event.metaKey || isSelecting
      if (!card || !isChosen) return
      // Otherwise the title would open the Edit dialog.
      event.preventDefault()
      event.stopPropagation()
      select(card, event.shiftKey)
    }

    // Shift would select the text up to the card.
    const keepText = (event: MouseEvent) => event.shiftKey && cardAt(event) && event.preventDefault()

    followTouches(select, options)
    document.addEventListener('click', click, options)
    document.addEventListener('mousedown', keepText, options)
  })
}

function cardAt({ target }: Event): HTMLElement | undefined {
  if (!(target instanceof Element) || target.closest(controls)) return
  const card = target.closest<HTMLElement>('[data-task]')
  return card && selectableCards().includes(card) ? card : undefined
}

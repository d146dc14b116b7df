import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { useIsDialogOpen } from '../../state/dashboard-state.tsx'
import { ignoreRepeats } from '../../ui/ignore-repeats.ts'
import { hasTextFieldFocus } from '../../ui/text-field.ts'
import { useKeyDown } from '../../ui/use-key-down.ts'
import { useOneAtATime } from '../../ui/use-one-at-a-time.ts'
import { type Direction, keepUndoHistory, type Notice, undoHistoryOf } from './undo-history.ts'
import { dropPresses, useUndo } from './use-undo.ts'
import './undo-bar.css'

/** How long the bar is shown, in milliseconds. */
const shownFor = 8000

/** Says what was just done, with a button that undoes it; the keys undo and redo earlier changes too. */
export function UndoBar() {
  const queryClient = useQueryClient()
  const history = undoHistoryOf(queryClient)
  const { notice, dismiss } = useStore(history)
  const reverse = useUndo()
  // The button names one change, a key does not.
  const [reverseNamed] = useOneAtATime(reverse)
  const [isHeld, setHeld] = useState(false)
  useEffect(() => keepUndoHistory(history), [history])
  useEffect(() => () => dropPresses(queryClient), [queryClient])
  useUndoKeys(reverse)

  useEffect(() => {
    if (!notice || isHeld) return
    const timer = setTimeout(dismiss, shownFor)
    return () => clearTimeout(timer)
  }, [notice, isHeld, dismiss])

  const offered = notice && directionAfter(notice)
  return (
    <section
      className="undo-bar"
      aria-label="Last change"
      data-shown={notice !== undefined}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={({ target }) => setHeld(target.matches(':focus-visible'))}
      onBlur={() => setHeld(false)}
    >
      <p role="status" className="undo-text">
        {notice && textOf(notice)}
      </p>
      {offered && (
        <button
          type="button"
          className="link-button"
          onKeyDown={ignoreRepeats}
          // Redo takes the place of Undo, where the second click of a double click would reverse the first.
          onClick={({ detail }) => detail < 2 && reverseNamed(offered)}
        >
          {offered === 'undo' ? 'Undo' : 'Redo'}
        </button>
      )}
    </section>
  )
}

/** What the button does: reverse what the bar reports, or try again. */
function directionAfter(notice: Notice): Direction | undefined {
  if (notice.about === 'failed') return notice.isFinal ? undefined : notice.direction
  return notice.about === 'made' ? 'undo' : 'redo'
}

function textOf(notice: Notice) {
  const { deed, title, isGroup } = notice.step
  return (
    <>
      {notice.about === 'made' ? deed : `${outcomeOf(notice)}: ${deed.toLowerCase()}`}{' '}
      {isGroup ? title : <Quoted title={title} />}
      {notice.about === 'failed' && `. ${notice.reason}`}
    </>
  )
}

const Quoted = ({ title }: { title: string }) => (
  <>
    “<bdi>{title}</bdi>”
  </>
)

function outcomeOf(notice: Notice): string {
  if (notice.about === 'undone') return 'Undone'
  return notice.about === 'failed' && notice.direction === 'redo' ? 'Not redone' : 'Not undone'
}

/** Ctrl/Cmd+Z undoes, with Shift it redoes. In a text field and in a dialog these keys are the browser's. */
function useUndoKeys(reverse: (direction: Direction) => void) {
  useKeyDown(!useIsDialogOpen(), (event) => {
    const isUndoKey = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.altKey
    if (!isUndoKey || hasTextFieldFocus(event)) return
    event.preventDefault()
    if (!event.repeat) reverse(event.shiftKey ? 'redo' : 'undo')
  })
}

import { useWriteNote } from '../notes/use-write-note.ts'
import { useGoToView, useShownView } from '../state/dashboard-state.tsx'
import { Icon } from '../ui/icon.tsx'
import { views } from '../views/views.ts'
import { useQuickLine } from './input-focus.ts'
import './phone-bar.css'

/** The views that a phone is mostly used for. */
const names = ['today', 'upcoming', 'notes'] as const

/** On a phone only: the most used views, and a new task, or a new note where notes are shown. The drawer has the other views. */
export function PhoneBar() {
  const shown = useShownView()
  const goTo = useGoToView()
  const writeLine = useQuickLine()
  const writeNote = useWriteNote()
  const isNotes = shown === 'notes'
  return (
    <nav aria-label="Bottom bar" className="phone-bar">
      {names.map((name) => (
        <button
          key={name}
          type="button"
          aria-label={`Show ${views[name].label}`}
          aria-current={name === shown}
          onClick={() => goTo(name)}
        >
          <Icon name={views[name].icon} />
          {views[name].label}
        </button>
      ))}
      <button
        type="button"
        aria-label={isNotes ? 'New note' : 'New task'}
        onClick={isNotes ? writeNote : writeLine}
      >
        <Icon name="plus" />
        New
      </button>
    </nav>
  )
}

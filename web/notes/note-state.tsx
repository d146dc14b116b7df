import type { Stage } from '../engine/notes/note-reducer.ts'
import { LinkButton } from '../ui/button.tsx'

/**
 * Says whether the server has the note. Only a state that requires an action is announced and red. "Saved" after each pause
 * would disturb, and a note that the browser keeps is sent later without an action.
 */
export function NoteState({ state, onRetry }: { state: Stage; onRetry: () => void }) {
  if (state.is !== 'unknown' && state.is !== 'failed')
    return <p className="note-state soft small">{texts[state.is]}</p>
  const retry = (label: string) => <LinkButton onClick={onRetry}>{label}</LinkButton>
  if (state.is === 'unknown')
    return (
      <p className="note-state soft small">
        <span className="note-state-rest">Saved on this device, not synced yet.</span> {retry('Sync now')}
      </p>
    )
  return (
    <p className="note-state soft small" data-failed="true" role="alert">
      Not saved: {state.reason} {retry('Save now')}
    </p>
  )
}

const texts = { new: 'New', saved: 'Saved', draft: 'Saving', waiting: 'Saving', gone: 'Not saved: deleted' }

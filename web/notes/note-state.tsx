import type { SaveState } from './save-state.ts'

/**
 * Whether the server has the note, in words. Only a state that requires an action is announced and red: "Saved" after each pause would
 * disturb, and a note that the browser keeps is sent later by itself.
 */
export function NoteState({ state, onRetry }: { state: SaveState; onRetry: () => void }) {
  if (state.is !== 'failed') return <p className="note-state">{texts[state.is]}</p>
  const retry = (
    <button type="button" className="link-button" onClick={onRetry}>
      Save now
    </button>
  )
  if (state.isSentLater)
    return (
      <p className="note-state">
        Kept <span className="note-state-rest">in this browser until the server has it.</span> {retry}
      </p>
    )
  return (
    <p className="note-state" data-failed="true" role="alert">
      Not saved: {state.reason} {retry}
    </p>
  )
}

const texts = { new: 'New', saved: 'Saved', unsaved: 'Saving', saving: 'Saving', gone: 'Not saved: deleted' }

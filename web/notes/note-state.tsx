import type { SaveState } from './note-document.ts'

/** Whether the server has the note, in words. Only a failure is announced: "Saved" after each pause would disturb. */
export function NoteState({ state, onRetry }: { state: SaveState; onRetry: () => void }) {
  if (state.is !== 'failed') return <p className="note-state">{texts[state.is]}</p>
  return (
    <p className="note-state" data-failed="true" role="alert">
      Not saved: {state.reason}{' '}
      <button type="button" className="link-button" onClick={onRetry}>
        Save now
      </button>
    </p>
  )
}

const texts = { new: 'New', saved: 'Saved', unsaved: 'Saving', saving: 'Saving', gone: 'Not saved: deleted' }

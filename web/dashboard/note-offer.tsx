import { useReducer, useSyncExternalStore } from 'react'
import { forgetNoteIntent, noteIntent } from '../api/note-intent.ts'
import { keepTyped } from '../notes/typed-ahead.ts'
import { useWriteNote } from '../notes/use-write-note.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { shownView } from '../state/dashboard-store.ts'
import { IconButton } from '../ui/icon-button.tsx'
import './note-offer.css'

/** Offers a note that the visitor wanted to write before the login, or a note with the text that another program shared. */
export function NoteOffer() {
  const [, renew] = useReducer((count: number) => count + 1, 0)
  const text = useSyncExternalStore(noEvents, noteIntent, () => null)
  const view = useDashboard(shownView)
  const write = useWriteNote()
  if (text === null || view === undefined || view === 'notes') return
  const close = () => {
    forgetNoteIntent()
    renew()
  }
  return (
    <section className="note-offer" aria-label="Your note">
      {text ? <p className="note-offer-text">{text}</p> : <p>You came to write a note.</p>}
      <button
        type="button"
        className="button button-primary"
        onClick={() => {
          close()
          keepTyped(text)
          write()
        }}
      >
        Start the note
      </button>
      <IconButton icon="close" label="Not now" onClick={close} />
    </section>
  )
}

const noEvents = () => () => {}

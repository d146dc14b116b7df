import { useReducer, useSyncExternalStore } from 'react'
import { forgetNoteIntent, hasNoteIntent } from '../notes/note-intent.ts'
import { useWriteNote } from '../notes/use-write-note.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { shownView } from '../state/dashboard-store.ts'
import { Icon } from '../ui/icon.tsx'
import './note-offer.css'

/** Offers the note that the visitor wanted to write before the login. */
export function NoteOffer() {
  const [, renew] = useReducer((count: number) => count + 1, 0)
  const isWanted = useSyncExternalStore(noEvents, hasNoteIntent, () => false)
  const view = useDashboard(shownView)
  const write = useWriteNote()
  if (!isWanted || view === undefined || view === 'notes') return
  const close = () => {
    forgetNoteIntent()
    renew()
  }
  return (
    <section className="note-offer" aria-label="Your note">
      <p>You came to write a note.</p>
      <button
        type="button"
        className="button button-primary"
        onClick={() => {
          close()
          write()
        }}
      >
        Start the note
      </button>
      <button type="button" className="icon-button" aria-label="Not now" onClick={close}>
        <Icon name="close" />
      </button>
    </section>
  )
}

const noEvents = () => () => {}

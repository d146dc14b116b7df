import { Link, useNavigate } from 'react-router'
import type { Note } from '#contract/notes.ts'
import { ofNote, restore as restoreVerb } from '../engine/verbs/complete.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import { useEngine } from '../state/use-engine.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { notePath } from '../views/note-path.ts'
import { pathOf } from '../views/views.ts'
import { titleOfText } from './markdown/plain-text.ts'
import { ReadText } from './reading-view.tsx'
import { useLinkedItems, useOpenItem } from './use-linked-items.ts'
import './note-pane.css'

export function DeletedNote({ note }: { note: Note }) {
  const title = titleOfText(note.text)
  const ask = useDashboard((state) => state.open)
  const linked = useLinkedItems()
  const open = useOpenItem()
  const navigate = useNavigate()
  const { make } = useEngine().changes
  function restore() {
    make([restoreVerb.make(note, ofNote(title))], { isKept: true })
    navigate(notePath(note._id), { replace: true })
  }
  return (
    <section className="note-pane" aria-label="Note">
      <h1 className="note-heading visually-hidden">{title}</h1>
      <header className="note-toolbar row wraps measure">
        <Link to={pathOf('deleted')} className="icon-button note-back" aria-label="Back to the list">
          <Icon name="back" />
        </Link>
        <p className="note-state soft small">Deleted</p>
        <Button onClick={restore}>Restore the note</Button>
        <IconButton
          icon="delete"
          label="Delete the note for good"
          title="Delete the note for good"
          onClick={() => ask({ name: 'deleteForGood', item: { ...note, title }, andEarlier: false })}
        />
      </header>
      <ReadText text={note.text} linked={linked} onOpen={open} />
    </section>
  )
}

import { type ReactNode, useSyncExternalStore } from 'react'
import { Link, useNavigate } from 'react-router'
import type { NoteDocument } from '../engine/notes/note-document.ts'
import { pin, unpin } from '../engine/verbs/notes.ts'
import { offered } from '../engine/verbs/verb.ts'
import { useEngine, useStored } from '../state/use-engine.tsx'
import { IconButton } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { useMedia } from '../ui/use-media.ts'
import { notePath } from '../views/note-path.ts'
import { shownTitle } from './markdown/plain-text.ts'
import { noteIcons } from './note-icons.ts'
import { type MenuItem, NoteMenu } from './note-menu.tsx'
import { useDeleteNote } from './use-delete-note.ts'

export type ShownNote = 'text' | 'reading' | 'history'

type NoteToolbarProps = {
  note: NoteDocument
  shown: ShownNote
  onShow: (shown: ShownNote) => void
  onMakeTask: () => void
  /** What else the menu has. */
  items: readonly MenuItem[]
  children: ReactNode
}

/** The tools of a note as buttons, on a phone in its menu. */
export function NoteToolbar({ note, shown, onShow, onMakeTask, items, children }: NoteToolbarProps) {
  const { store, changes, journal } = useEngine()
  const navigate = useNavigate()
  const deleteNote = useDeleteNote()
  // A new note has no history and cannot be pinned.
  const isStored = useSyncExternalStore(note.subscribe, () => note.state.is !== 'new')
  const isPinned = useStored((store) => store.note(note.id)?.pinned ?? false)
  const toggle = (view: ShownNote) => () => onShow(shown === view ? 'text' : view)
  const isPhone = useMedia('(width < 768px)')
  function changePin() {
    // The server pins a note that it has: an empty one would not be saved later.
    if (note.version === 0) note.save()
    const title = shownTitle(store.note(note.id)?.title ?? '')
    changes.make([(isPinned ? unpin : pin).make(note.id, title)], { isKept: true })
  }

  /** Deletes the note, or gives up one that is empty or that the server rejects. */
  async function removeNote() {
    if (note.isOnlyHere) {
      note.discard()
      // Those that wait for its first save, which was rejected.
      journal.withdraw(...journal.entries().filter(({ item }) => item === note.id))
    } else await deleteNote(note.id)
    // The reader may have gone to another note meanwhile.
    if (location.pathname === notePath(note.id))
      navigate('/dashboard/notes', { replace: true, state: { deleted: note.id } })
  }

  const tools: (MenuItem & { icon: IconName })[] = [
    { icon: 'task', name: 'Make the line a task', isOff: shown !== 'text', onClick: onMakeTask },
    { icon: noteIcons.read, name: 'Reading view', pressed: shown === 'reading', onClick: toggle('reading') },
    {
      ...{ icon: noteIcons.history, name: 'History', pressed: shown === 'history' },
      ...{ isOff: !isStored, onClick: toggle('history') },
    },
    {
      ...{ icon: noteIcons.pin, name: offered.pin.label, pressed: isPinned },
      ...{ isOff: !isStored, onClick: changePin },
    },
    { icon: offered.delete.icon, name: 'Delete the note', onClick: removeNote },
  ]
  return (
    <header className="note-toolbar row wraps measure">
      <Link to="/dashboard/notes" className="icon-button note-back" aria-label="All notes">
        <Icon name="back" />
      </Link>
      {children}
      <div className="note-tools" role="toolbar" aria-label="Note">
        {/* A tool that cannot be used now keeps its place, so that no other moves. */}
        {!isPhone &&
          tools.map(({ icon, name, pressed, isOff, onClick }) => (
            <IconButton
              key={name}
              icon={icon}
              label={name}
              title={name}
              aria-pressed={pressed}
              disabled={isOff}
              onClick={onClick}
            />
          ))}
        <NoteMenu items={[...(isPhone ? tools : []), ...items]} />
      </div>
    </header>
  )
}

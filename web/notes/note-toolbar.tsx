import { type ReactNode, useSyncExternalStore } from 'react'
import { Link, useNavigate } from 'react-router'
import type { NoteDocument } from '../engine/notes/note-document.ts'
import type { Stage } from '../engine/notes/note-reducer.ts'
import { pin, unpin } from '../engine/verbs/notes.ts'
import { offered } from '../engine/verbs/verb.ts'
import { useEngine, useStored } from '../state/use-engine.tsx'
import { IconButton, LinkButton } from '../ui/button.tsx'
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
  items: readonly MenuItem[]
  children: ReactNode
}

export function NoteToolbar({ note, shown, onShow, onMakeTask, items, children }: NoteToolbarProps) {
  const { store, changes, journal } = useEngine()
  const navigate = useNavigate()
  const deleteNote = useDeleteNote()
  const state = useSyncExternalStore(note.subscribe, () => note.state)
  // A new note has no history and cannot be pinned.
  const isStored = state.is !== 'new'
  const isPinned = useStored((store) => store.note(note.id)?.pinned ?? false)
  const toggle = (view: ShownNote) => () => onShow(shown === view ? 'text' : view)
  const isPhone = useMedia('(width < 768px)')
  function changePin() {
    // The server pins only a stored note, and an empty one would not be saved later.
    if (note.version === 0) note.save()
    const title = shownTitle(store.note(note.id)?.title ?? '')
    changes.make([(isPinned ? unpin : pin).make(note.id, title)], { isKept: true })
  }

  async function removeNote() {
    if (note.isOnlyHere) {
      note.discard()
      // The changes that wait for its first save.
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
      <NoteState state={state} onRetry={() => note.save()} />
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

/** Only a state that requires an action is announced and red: "Saved" after each pause would disturb. */
function NoteState({ state, onRetry }: { state: Stage; onRetry: () => void }) {
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

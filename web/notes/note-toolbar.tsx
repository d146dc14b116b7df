import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { NoteDocument } from '../engine/notes/note-document.ts'
import { offered } from '../engine/verbs/verb.ts'
import { useStored } from '../state/use-engine.tsx'
import { IconButton } from '../ui/button.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { useMedia } from '../ui/use-media.ts'
import { noteIcons } from './note-icons.ts'
import { type MenuItem, NoteMenu } from './note-menu.tsx'

export type ShownNote = 'text' | 'reading' | 'history'

type NoteToolbarProps = {
  note: NoteDocument
  /** Whether the server has the note: a new one has no history and cannot be pinned. */
  isStored: boolean
  shown: ShownNote
  onShow: (shown: ShownNote) => void
  onMakeTask: () => void
  onPin: (pinned: boolean) => void
  onDelete: () => void
  /** What else the menu has. */
  items: readonly MenuItem[]
  children: ReactNode
}

/** The tools of a note as buttons, on a phone in its menu. */
export function NoteToolbar({
  note,
  isStored,
  shown,
  onShow,
  onMakeTask,
  onPin,
  onDelete,
  items,
  children,
}: NoteToolbarProps) {
  const isPinned = useStored((store) => store.note(note.id)?.pinned ?? false)
  const toggle = (view: ShownNote) => () => onShow(shown === view ? 'text' : view)
  const isPhone = useMedia('(width < 768px)')
  const tools: (MenuItem & { icon: IconName })[] = [
    { icon: 'task', name: 'Make the line a task', isOff: shown !== 'text', onClick: onMakeTask },
    { icon: noteIcons.read, name: 'Reading view', pressed: shown === 'reading', onClick: toggle('reading') },
    {
      ...{ icon: noteIcons.history, name: 'History', pressed: shown === 'history' },
      ...{ isOff: !isStored, onClick: toggle('history') },
    },
    {
      ...{ icon: noteIcons.pin, name: offered.pin.label, pressed: isPinned },
      ...{ isOff: !isStored, onClick: () => onPin(!isPinned) },
    },
    { icon: offered.delete.icon, name: 'Delete the note', onClick: onDelete },
  ]
  return (
    <header className="note-toolbar">
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

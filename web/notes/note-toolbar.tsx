import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useStored } from '../state/dashboard.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import type { NoteDocument } from './note-document.ts'

type Shown = 'text' | 'reading' | 'history'

type NoteToolbarProps = {
  note: NoteDocument
  /** Whether the server has the note: a new one has no history and cannot be pinned. */
  isStored: boolean
  shown: Shown
  onShow: (shown: Shown) => void
  onMakeTask: () => void
  onPin: (pinned: boolean) => void
  onDelete: () => void
  children: ReactNode
}

export function NoteToolbar({
  note,
  isStored,
  shown,
  onShow,
  onMakeTask,
  onPin,
  onDelete,
  children,
}: NoteToolbarProps) {
  const isPinned = useStored((store) => store.note(note.id)?.pinned ?? false)
  const toggle = (view: Shown) => () => onShow(shown === view ? 'text' : view)
  return (
    <header className="note-toolbar">
      <Link to="/dashboard/notes" className="icon-button note-back" aria-label="All notes">
        <Icon name="back" />
      </Link>
      {children}
      <div className="note-tools" role="toolbar" aria-label="Note">
        <Tool icon="task" name="Make the line a task" isOff={shown !== 'text'} onClick={onMakeTask} />
        <Tool icon="read" name="Reading view" pressed={shown === 'reading'} onClick={toggle('reading')} />
        <Tool
          icon="history"
          name="History"
          pressed={shown === 'history'}
          isOff={!isStored}
          onClick={toggle('history')}
        />
        <Tool
          icon="pin"
          name="Pin the note"
          pressed={isPinned}
          isOff={!isStored}
          onClick={() => onPin(!isPinned)}
        />
        <Tool icon="delete" name="Delete the note" onClick={onDelete} />
      </div>
    </header>
  )
}

type ToolProps = { icon: IconName; name: string; pressed?: boolean; isOff?: boolean; onClick: () => void }

/** A tool that cannot be used now keeps its place, so that no other moves. */
const Tool = ({ icon, name, pressed, isOff, onClick }: ToolProps) => (
  <IconButton
    icon={icon}
    label={name}
    title={name}
    aria-pressed={pressed}
    disabled={isOff}
    onClick={onClick}
  />
)

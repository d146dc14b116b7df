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
        {shown === 'text' && <Tool icon="task" name="Make the line a task" onClick={onMakeTask} />}
        <Tool icon="read" name="Reading view" pressed={shown === 'reading'} onClick={toggle('reading')} />
        {isStored && (
          <>
            <Tool icon="history" name="History" pressed={shown === 'history'} onClick={toggle('history')} />
            <Tool icon="pin" name="Pin the note" pressed={isPinned} onClick={() => onPin(!isPinned)} />
          </>
        )}
        <Tool icon="delete" name="Delete the note" onClick={onDelete} />
      </div>
    </header>
  )
}

type ToolProps = { icon: IconName; name: string; pressed?: boolean; onClick: () => void }

const Tool = ({ icon, name, pressed, onClick }: ToolProps) => (
  <IconButton icon={icon} label={name} title={name} aria-pressed={pressed} onClick={onClick} />
)

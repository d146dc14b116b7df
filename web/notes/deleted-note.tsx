import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { summaryOf } from '#contract/note-summary.ts'
import type { Note, NoteSummary } from '#contract/notes.ts'
import { useDashboard } from '../state/dashboard-state.tsx'
import type { DeletedItem } from '../state/dashboard-store.ts'
import { Icon } from '../ui/icon.tsx'
import { Notice } from '../ui/notice.tsx'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'
import { useChangeNote } from './note-changes.ts'
import { notePath } from './note-path.ts'
import { shownTitle } from './plain-text.ts'
import { ReadText } from './reading-view.tsx'
import { useLinkedItems, useOpenItem } from './use-linked-items.ts'
import './note-pane.css'

/** A deleted note, to be read, and to be restored or removed for good. */
export function DeletedNote({ note, isListed }: { note: Note; isListed: boolean }) {
  const title = shownTitle(summaryOf(note.text).title)
  const ask = useDashboard((state) => state.open)
  const linked = useLinkedItems()
  const open = useOpenItem()
  const navigate = useNavigate()
  const change = useChangeNote()
  const [failure, setFailure] = useState<string>()
  const [restore, isBusy] = useOneAtATime(() =>
    change(note._id, { set: { deleted: false }, deed: 'Restored' }).then(
      () => navigate(notePath(note._id), { replace: true }),
      (error: Error) => setFailure(`The note was not restored. ${error.message}`),
    ),
  )
  return (
    <section className="note-pane" aria-label="Note">
      <h1 className="note-heading visually-hidden">{title}</h1>
      <header className="note-toolbar">
        <Link
          to={isListed ? '/dashboard/notes?deleted' : '/dashboard/notes'}
          className="icon-button note-back"
          aria-label="Back to the list"
        >
          <Icon name="back" />
        </Link>
        <p className="note-state">Deleted</p>
        <button type="button" className="button" aria-busy={isBusy} onClick={() => restore()}>
          Restore the note
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label="Delete the note for good"
          title="Delete the note for good"
          onClick={() =>
            ask({ name: 'deleteForGood', item: deletedNote({ ...note, title }), andEarlier: false })
          }
        >
          <Icon name="delete" />
        </button>
      </header>
      {failure && <Notice>{failure}</Notice>}
      <ReadText text={note.text} linked={linked} onOpen={open} />
    </section>
  )
}

/** A deleted note as the dialog that removes it for good takes it. */
export const deletedNote = ({
  _id: id,
  title,
  deletedAt,
}: Pick<NoteSummary, '_id' | 'title' | 'deletedAt'>): DeletedItem => ({
  ...{ kind: 'note', id, title: shownTitle(title), deletedAt },
})

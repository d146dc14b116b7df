import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { NoteDocument } from '../engine/notes/note-document.ts'
import { documentsOf } from '../engine/notes/note-documents.ts'
import { useEngine } from '../state/use-engine.tsx'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'
import { notePath } from '../views/note-path.ts'
import { newNoteId, noteIsUsed } from './new-note.ts'

/** Says that the open note was deleted elsewhere, and offers to keep its text. */
export function GoneNotice({ note, canRestore }: { note: NoteDocument; canRestore: boolean }) {
  const documents = documentsOf(useEngine())
  const navigate = useNavigate()
  const [failure, setFailure] = useState<string>()
  const [restore, isBusy] = useOneAtATime(() =>
    note.restore().catch((error: Error) => setFailure(error.message)),
  )

  function keepAsNew() {
    const id = newNoteId()
    documents.create(id).edit(note.text)
    noteIsUsed(id)
    note.discard()
    navigate(notePath(id), { replace: true, state: { isNew: true } })
  }

  return (
    <Notice>
      <p>This note was deleted elsewhere. Its text is still here. {failure}</p>
      <div className="note-choices wraps">
        {canRestore && (
          <Button aria-busy={isBusy} onClick={() => restore()}>
            Restore the note
          </Button>
        )}
        <Button onClick={keepAsNew}>Keep as a new note</Button>
      </div>
    </Notice>
  )
}

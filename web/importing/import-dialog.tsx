import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { chooseFiles, droppedFiles, pastedFile } from './chosen-files.ts'
import { ImportOutcome, LastImportOffer } from './import-outcome.tsx'
import { ImportPreview } from './import-preview.tsx'
import { readFiles, useImport } from './running-import.ts'
import './import-dialog.css'

type ImportDialogProps = {
  open: boolean
  onClose: () => void
  /** A pasted text, which is read like a file. */
  text?: string
}

// For the files that are dropped on the page, which this chunk takes.
export { droppedFiles, readFiles }

/** Adds what files of other programs have, after it has shown what becomes of it. */
export function ImportDialog({ open, onClose, text }: ImportDialogProps) {
  const { sent, undoing, isReading, imported, isDeclined } = useImport()
  const readPasted = useEffectEvent(() => text && readFiles([pastedFile(text)]))
  useEffect(() => void readPasted(), [])
  return (
    <Dialog open={open} onClose={onClose} title="Import">
      <div className="import stack loose">
        {isDeclined && (sent?.isRunning || undoing?.isRunning) && (
          <Notice>
            {sent?.isRunning
              ? 'Nothing else was read, because an import runs. Try again when it has ended.'
              : 'Nothing else was read, because an undo runs. Try again when it has ended.'}
          </Notice>
        )}
        {sent ? (
          <ImportOutcome sent={sent} onClose={onClose} />
        ) : imported ? (
          <ImportPreview imported={imported} onClose={onClose} />
        ) : (
          <Choice isReading={isReading} />
        )}
      </div>
    </Dialog>
  )
}

/** Where files are chosen. */
function Choice({ isReading }: { isReading: boolean }) {
  const { failure, files } = useImport()
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [])
  return (
    <>
      <p>
        Daymark reads files of Todoist, TickTick, Google Tasks, Vikunja, Google Keep, Notion, Joplin,
        Evernote, Standard Notes and todo.txt, calendars with tasks (ICS), tables (CSV), notes in Markdown and
        its own export.
      </p>
      <p className="soft">
        You see what becomes of each line before anything is added. The files are read in this browser.
      </p>
      <div className="wraps">
        <Button
          ref={first}
          className="button button-primary"
          data-focus-first
          aria-busy={isReading}
          onClick={() => chooseFiles(false, readFiles)}
        >
          Choose files
        </Button>
        <Button aria-busy={isReading} onClick={() => chooseFiles(true, readFiles)}>
          Choose a folder
        </Button>
      </div>
      <p className="soft">Files can also be dropped on the page.</p>
      {failure && <Notice>{failure}</Notice>}
      <p role="status">
        {isReading && (files.length === 1 ? 'The file is being read.' : 'The files are being read.')}
      </p>
      <LastImportOffer />
    </>
  )
}

import './import-dialog.css'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { LastImport, SentImport, Undoing } from '../engine/imported.ts'
import { useEngine } from '../state/use-engine.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { dayOfInstant, formatDay, useDayContext } from '../ui/civil-day.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { chooseFiles, droppedFiles, pastedFile } from './chosen-files.ts'
import { ImportPreview } from './import-preview.tsx'
import {
  goOn,
  hasChanges,
  lastImport,
  leaveImport,
  readFiles,
  undoImport,
  useImport,
} from './running-import.ts'

type ImportDialogProps = {
  open: boolean
  onClose: () => void
  /** A pasted text, which is read like a file. */
  text?: string
}

// For the files that are dropped on the page, which this chunk takes.
export { droppedFiles, readFiles }

export function ImportDialog({ open, onClose, text }: ImportDialogProps) {
  const { sent, undoing, imported, isDeclined } = useImport()
  const engine = useEngine()
  const readPasted = useEffectEvent(() => text && readFiles(engine, [pastedFile(text)]))
  useEffect(() => void readPasted(), [])
  return (
    <Dialog open={open} onClose={onClose} title="Import">
      <div className="import stack loose">
        {isDeclined && (sent?.running || undoing?.isRunning) && (
          <Notice>
            {sent?.running
              ? 'Nothing else was read, because an import runs. Try again when it has ended.'
              : 'Nothing else was read, because an undo runs. Try again when it has ended.'}
          </Notice>
        )}
        {sent ? (
          <ImportOutcome sent={sent} onClose={onClose} />
        ) : imported ? (
          <ImportPreview imported={imported} onClose={onClose} />
        ) : (
          <Choice />
        )}
      </div>
    </Dialog>
  )
}

function Choice() {
  const engine = useEngine()
  const { failure, files, reading } = useImport()
  const choose = (isFolder: boolean) => chooseFiles(isFolder, (chosen) => readFiles(engine, chosen))
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
          aria-busy={reading !== undefined}
          onClick={() => choose(false)}
        >
          Choose files
        </Button>
        <Button aria-busy={reading !== undefined} onClick={() => choose(true)}>
          Choose a folder
        </Button>
      </div>
      <p className="soft">Files can also be dropped on the page.</p>
      {failure && <Notice>{failure}</Notice>}
      <p role="status">
        {reading && (files.length === 1 ? 'The file is being read.' : 'The files are being read.')}
      </p>
      <LastImportOffer />
    </>
  )
}

function ImportOutcome({ sent, onClose }: { sent: SentImport; onClose: () => void }) {
  const engine = useEngine()
  const { undoing } = useImport()
  const title = useRef<HTMLHeadingElement>(null)
  const { running, done, entries, counts, refused, waitsFor, failure, last } = sent
  const isRunning = running !== undefined
  const isEnded = done === entries.length
  const stage = isRunning ? 'Importing' : isEnded ? 'Imported' : 'The import has stopped'
  // The button that was pressed is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each stage takes the focus
  useEffect(() => title.current?.focus(), [isRunning, undoing?.isRunning])
  return (
    <>
      <h3 ref={title} tabIndex={-1}>
        {undoing ? titleOfUndo(undoing) : stage}
      </h3>
      {undoing ? (
        <Undo undoing={undoing} />
      ) : (
        <>
          {!isEnded && <Bar label="Import" value={done} max={entries.length} />}
          <p role="status">{isRunning ? '' : countsText(counts)}</p>
          {isRunning && (
            <p className="soft">It goes on while this dialog is closed, as long as the page is open.</p>
          )}
          {!isRunning && !isEnded && (
            <p className="soft">What was sent stays. The same file goes on where it stopped, also later.</p>
          )}
          {waitsFor && <Notice>{waitsFor} The import waits, and goes on by itself.</Notice>}
          {failure && <Notice>{failure}</Notice>}
          {refused.length > 0 && <Refusals refused={refused} />}
        </>
      )}
      <footer className="dialog-footer wraps import-footer">
        {running ? (
          <Button onClick={() => running.abort()}>Cancel the import</Button>
        ) : (
          <>
            {hasChanges(last) && (!undoing || undoing.failure) && (
              <Button onClick={() => undoImport(engine, last)}>
                {undoing ? 'Go on with the undo' : 'Undo the import'}
              </Button>
            )}
            {!isEnded && !undoing && (
              <Button className="button button-primary" onClick={() => goOn(engine)}>
                Go on
              </Button>
            )}
            {!undoing?.isRunning && <Button onClick={() => leaveImport(engine)}>Import another file</Button>}
            <Button onClick={onClose}>Close</Button>
          </>
        )}
      </footer>
    </>
  )
}

const Bar = ({ label, value, max }: { label: string; value: number; max: number }) => (
  <div className="row loose">
    <progress max={Math.max(1, max)} value={Math.min(value, Math.max(1, max))} aria-label={label} />
    <span className="soft">
      {value.toLocaleString('en')} of {max.toLocaleString('en')}
    </span>
  </div>
)

const countsText = ({ added, existing, restored }: SentImport['counts']) =>
  `${added.toLocaleString('en')} added, ${existing.toLocaleString('en')} already there, ${restored.toLocaleString('en')} restored.`

const mostNamed = 20

const Refusals = ({ refused }: Pick<SentImport, 'refused'>) => (
  <Notice>
    <p>
      {refused.length === 1
        ? 'The server did not take one of them.'
        : `The server did not take ${refused.length.toLocaleString('en')} of them.`}
    </p>
    <ul className="import-remarks soft small">
      {refused.slice(0, mostNamed).map(({ title, reason }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: titles repeat, and the list only grows
        <li key={index}>
          <bdi>{title}</bdi>: {reason}
        </li>
      ))}
    </ul>
  </Notice>
)

const titleOfUndo = ({ isRunning, next }: Undoing) =>
  isRunning ? 'Undoing the import' : next === null ? 'The import is undone' : 'The undo has stopped'

function Undo({ undoing: { last, removed, kept, next, failure } }: { undoing: Undoing }) {
  return (
    <>
      {next !== null && <Bar label="Undo" value={removed + kept} max={last.changed} />}
      <p role="status">{next === null && undoneText(last, removed, kept)}</p>
      {failure && <Notice>{failure}</Notice>}
    </>
  )
}

function undoneText({ settings }: LastImport, removed: number, kept: number) {
  const sentences = [`${removed.toLocaleString('en')} taken back.`]
  if (kept === 1) sentences.push('One that was changed since stays as it is.')
  if (kept > 1) sentences.push(`${kept.toLocaleString('en')} that were changed since stay as they are.`)
  if (settings) sentences.push('The settings are as before, except those that were changed since.')
  return sentences.join(' ')
}

function LastImportOffer() {
  const engine = useEngine()
  const { undoing } = useImport()
  const [last] = useState(() => lastImport(engine))
  const { today, locale } = useDayContext()
  if (undoing)
    return (
      <section className="stack" aria-label="Undo">
        <h3>{titleOfUndo(undoing)}</h3>
        <Undo undoing={undoing} />
        {undoing.failure && (
          <LinkButton onClick={() => undoImport(engine, undoing.last)}>Go on with the undo</LinkButton>
        )}
      </section>
    )
  if (!last || !hasChanges(last)) return null
  const day = formatDay(dayOfInstant(new Date(last.at).toISOString()), today, locale)
  return (
    <p className="soft">
      {last.isEnded
        ? `The last import was on ${day}.`
        : `The last import was on ${day} and did not end. The same file goes on where it stopped.`}{' '}
      <LinkButton onClick={() => undoImport(engine, last)}>Undo the last import</LinkButton>
    </p>
  )
}

import { useEffect, useRef, useState } from 'react'
import { Button, LinkButton } from '../ui/button.tsx'
import { dayOfInstant, formatDay, useDayContext } from '../ui/civil-day.ts'
import { Notice } from '../ui/notice.tsx'
import { hasChanges, type LastImport, lastImport } from './last-import.ts'
import {
  cancelImport,
  goOn,
  leaveImport,
  type SentImport,
  type Undoing,
  undoImport,
  useImport,
} from './running-import.ts'

/** How far an import is, and what became of it. */
export function ImportOutcome({ sent, onClose }: { sent: SentImport; onClose: () => void }) {
  const { undoing } = useImport()
  const title = useRef<HTMLHeadingElement>(null)
  const { isRunning, done, entries, counts, refused, waitsFor, failure, last } = sent
  const isEnded = done === entries.length
  // The button that was pressed is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each stage takes the focus
  useEffect(() => title.current?.focus(), [isRunning, undoing?.isRunning])
  return (
    <>
      <h3 ref={title} tabIndex={-1} className="import-title">
        {undoing
          ? titleOfUndo(undoing)
          : isRunning
            ? 'Importing'
            : isEnded
              ? 'Imported'
              : 'The import has stopped'}
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
        {isRunning ? (
          <Button onClick={cancelImport}>Cancel the import</Button>
        ) : (
          <>
            {hasChanges(last) && (!undoing || undoing.failure) && (
              <Button onClick={() => undoImport(last)}>
                {undoing ? 'Go on with the undo' : 'Undo the import'}
              </Button>
            )}
            {!isEnded && !undoing && (
              <Button className="button button-primary" onClick={goOn}>
                Go on
              </Button>
            )}
            {!undoing?.isRunning && <Button onClick={leaveImport}>Import another file</Button>}
            <Button onClick={onClose}>Close</Button>
          </>
        )}
      </footer>
    </>
  )
}

const Bar = ({ label, value, max }: { label: string; value: number; max: number }) => (
  <div className="import-progress row loose">
    <progress max={Math.max(1, max)} value={Math.min(value, Math.max(1, max))} aria-label={label} />
    <span className="soft">
      {value.toLocaleString('en')} of {max.toLocaleString('en')}
    </span>
  </div>
)

const countsText = ({ added, existing, restored }: SentImport['counts']) =>
  `${added.toLocaleString('en')} added, ${existing.toLocaleString('en')} already there, ${restored.toLocaleString('en')} restored.`

/** As many refused items are named. */
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

/** Offers to undo the import before, also after the page was closed. */
export function LastImportOffer() {
  const { undoing } = useImport()
  const [last] = useState(lastImport)
  const { today, locale } = useDayContext()
  if (undoing)
    return (
      <section className="stack" aria-label="Undo">
        <h3 className="import-title">{titleOfUndo(undoing)}</h3>
        <Undo undoing={undoing} />
        {undoing.failure && (
          <LinkButton onClick={() => undoImport(undoing.last)}>Go on with the undo</LinkButton>
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
      <LinkButton onClick={() => undoImport(last)}>Undo the last import</LinkButton>
    </p>
  )
}

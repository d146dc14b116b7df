import { useMemo, useState } from 'react'
import type { NoteVersions } from '#contract/notes.ts'
import { call } from '../api/page-client.ts'
import type { Engine } from '../engine/engine.ts'
import { lineChanges } from '../engine/notes/line-changes.ts'
import { historyName } from '../engine/notes/note-calls.ts'
import type { NoteDocument } from '../engine/notes/note-document.ts'
import { type AllFetched, createAllFetched } from '../engine/store/fetched.ts'
import { useEngine, useFetched } from '../state/use-engine.tsx'
import { ListFailure } from '../tasks/list/list-states.tsx'
import { Button } from '../ui/button.tsx'
import { dayOfInstant, format, useToday } from '../ui/civil-day.ts'
import { formatDayOfYear } from '../ui/day-headings.ts'
import { Notice } from '../ui/notice.tsx'
import { useLocale } from '../ui/use-locale.ts'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'
import { titleOfText } from './markdown/plain-text.ts'
import './history-panel.css'

type Version = NoteVersions['versions'][number]
type HistoryPage = { versions: Version[]; next: string | undefined }

/** The versions of a note by day. The chosen one is compared with the note, and can be restored. */
export function HistoryPanel({ note, onRestored }: { note: NoteDocument; onRestored: () => void }) {
  const [chosen, setChosen] = useState<number>()
  const [texts] = useState(createAllFetched)
  const history = useEngine().fetched.of<HistoryPage>(historyName(note.id), async (page, signal) => {
    const query = page?.next ? { cursor: page.next } : {}
    const { data } = await call('GET /notes/:id/versions', {
      params: { id: note.id },
      query,
      signal,
    })
    return { versions: data.versions, next: data.nextCursor }
  })
  const { pages, fetching, failure } = useFetched(history)
  const versions = pages.flatMap((page) => page.versions)
  return (
    <section className="note-history stack airy measure" aria-label="History">
      {failure && !fetching && (
        <ListFailure
          text="The history could not be loaded."
          error={failure.error}
          onRetry={history.refetch}
        />
      )}
      <div className="history-versions">
        {pages.length > 0 && versions.length === 0 && (
          <p className="note-state soft small">No earlier versions.</p>
        )}
        <VersionDays versions={versions} chosen={chosen} onChoose={setChosen} />
        {pages.at(-1)?.next && <Button onClick={history.fetchNext}>Earlier versions</Button>}
      </div>
      {chosen === undefined ? (
        <p className="note-state soft small">Choose a version to compare it with the note as it is now.</p>
      ) : (
        <ChosenVersion key={chosen} texts={texts} note={note} seq={chosen} onRestored={onRestored} />
      )}
    </section>
  )
}

type VersionDaysProps = { versions: Version[]; chosen: number | undefined; onChoose: (seq: number) => void }

function VersionDays({ versions, chosen, onChoose }: VersionDaysProps) {
  const [today, locale] = [useToday(), useLocale()]
  const days = Map.groupBy(versions, ({ at }) => dayOfInstant(at))
  return [...days].map(([day, entries]) => (
    <section key={day} aria-label={day === today ? 'Today' : formatDayOfYear(day, today, locale)}>
      <h2 className="small">{day === today ? 'Today' : formatDayOfYear(day, today, locale)}</h2>
      <ul>
        {entries.map(({ seq, at, own, by, before, after }) => (
          <li key={seq}>
            <Button
              className="history-version hovers"
              aria-pressed={seq === chosen}
              onClick={() => onChoose(seq)}
            >
              <time dateTime={at}>{format(at, locale, { timeStyle: 'short' })}</time>
              {!own && <span className="soft small one-line">{by || 'another session'}</span>}
              <span className="history-line soft small one-line" dir="auto">
                {after ?? before}
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  ))
}

type ChosenVersionProps = { texts: AllFetched; note: NoteDocument; seq: number; onRestored: () => void }

function ChosenVersion({ texts, note, seq, onRestored }: ChosenVersionProps) {
  const engine = useEngine()
  const [notRestored, setNotRestored] = useState<string>()
  const fetched = texts.of<{ text: string }>(String(seq), async (_, signal) => {
    const params = { id: note.id, seq }
    const { data } = await call('GET /notes/:id/versions/:seq', { params, signal })
    return { text: data.version.text }
  })
  const { pages, fetching, failure } = useFetched(fetched, { freshFor: Number.POSITIVE_INFINITY })
  const data = pages[0]
  const [restore, isBusy] = useOneAtATime(async () => {
    if (!data) return
    await restoreText(engine, note, data.text).then(onRestored, (problem: Error) =>
      setNotRestored(`The version was not restored. ${problem.message}`),
    )
  })
  if (failure && !fetching)
    return (
      <ListFailure text="The version could not be loaded." error={failure.error} onRetry={fetched.refetch} />
    )
  if (!data) return <p className="note-state soft small">Loading</p>
  return (
    <div className="history-chosen">
      <header className="row wraps">
        <p className="note-state soft small">
          Lines with − are only in this version, lines with + only in the note now.
        </p>
        <Button aria-busy={isBusy} onClick={() => restore()}>
          Restore this version
        </Button>
      </header>
      {notRestored && <Notice>{notRestored}</Notice>}
      <LineDifferences before={data.text} after={note.text} />
    </div>
  )
}

async function restoreText({ store, changes }: Engine, document: NoteDocument, text: string) {
  // It is based on the saved text.
  await document.save()
  const { id: item, version: base } = document
  const over = store.note(item)
  const title = titleOfText(text)
  const change = { verb: 'revert', item, kind: 'note', title, base, set: { text } } as const
  await changes.makeAwaited(change, { via: 'version', ...(over && { over }) })
}

type ComparedLine = { kind: 'same' | 'removed' | 'added'; line: string }

/** The most shown lines: the browser would lay out all of them at once. */
const mostRows = 2000

/** The differences between two texts, line by line, marked by signs and not by colour alone. */
function LineDifferences({ before, after }: { before: string; after: string }) {
  const rows = useMemo(() => differences(before, after), [before, after])
  return (
    <ol className="line-differences">
      {rows.slice(0, mostRows).map(({ kind, line }, index) => {
        const Element = kind === 'removed' ? 'del' : kind === 'added' ? 'ins' : 'span'
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
          <li key={index} data-kind={kind}>
            <Element dir="auto">{line || ' '}</Element>
          </li>
        )
      })}
      {rows.length > mostRows && <li>{rows.length - mostRows} more lines</li>}
    </ol>
  )
}

function differences(before: string, after: string): ComparedLine[] {
  const lines = before.split('\n')
  const rows: ComparedLine[] = []
  let end = 0
  const add = (kind: ComparedLine['kind'], added: string[]) =>
    rows.push(...added.map((line) => ({ kind, line })))
  for (const change of lineChanges(lines, after.split('\n'))) {
    add('same', lines.slice(end, change.start))
    add('removed', lines.slice(change.start, change.end))
    add('added', change.lines)
    end = change.end
  }
  add('same', lines.slice(end))
  return rows
}

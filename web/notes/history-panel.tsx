import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { NoteVersions } from '#contract/notes.ts'
import { call } from '../api/client.ts'
import { useParts } from '../state/dashboard.tsx'
import { ListFailure } from '../tasks/list/list-failure.tsx'
import { dayOfInstant, useToday } from '../ui/civil-day.ts'
import { formatDayOfYear } from '../ui/day-headings.ts'
import { useLocale } from '../ui/locale.ts'
import { Notice } from '../ui/notice.tsx'
import { useOneAtATime } from '../ui/use-one-at-a-time.ts'
import { LineDifferences } from './line-differences.tsx'
import { restoreText } from './note-changes.ts'
import type { NoteDocument } from './note-document.ts'
import { historyKey } from './note-queries.ts'
import './history-panel.css'

type Version = NoteVersions['versions'][number]

/** The versions of a note by day; the chosen one compared with the note as it is now, and restored. */
export function HistoryPanel({ note, onRestored }: { note: NoteDocument; onRestored: () => void }) {
  const [chosen, setChosen] = useState<number>()
  const query = useInfiniteQuery({
    queryKey: historyKey(note.id),
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = cursor ? { cursor } : {}
      return (await call('GET /notes/:id/versions', { params: { id: note.id }, query, signal })).data
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    retry: false,
    networkMode: 'always',
  })
  const versions = query.data?.pages.flatMap((page) => page.versions)
  return (
    <section className="note-history" aria-label="History">
      {query.error && !query.isFetching && (
        <ListFailure
          text={`The history could not be loaded. ${query.error.message}`}
          onRetry={() => query.refetch()}
        />
      )}
      <div className="history-versions">
        {versions?.length === 0 && <p className="note-state">No earlier versions.</p>}
        <VersionDays versions={versions ?? []} chosen={chosen} onChoose={setChosen} />
        {query.hasNextPage && (
          <button type="button" className="button" onClick={() => query.fetchNextPage()}>
            Earlier versions
          </button>
        )}
      </div>
      {chosen === undefined ? (
        <p className="note-state">Choose a version to compare it with the note as it is now.</p>
      ) : (
        <ChosenVersion key={chosen} note={note} seq={chosen} onRestored={onRestored} />
      )}
    </section>
  )
}

type VersionDaysProps = { versions: Version[]; chosen: number | undefined; onChoose: (seq: number) => void }

function VersionDays({ versions, chosen, onChoose }: VersionDaysProps) {
  const [today, locale] = [useToday(), useLocale()]
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', numberingSystem: 'latn' })
  const days = Map.groupBy(versions, ({ at }) => dayOfInstant(at))
  return [...days].map(([day, entries]) => (
    <section key={day} aria-label={day === today ? 'Today' : formatDayOfYear(day, today, locale)}>
      <h2>{day === today ? 'Today' : formatDayOfYear(day, today, locale)}</h2>
      <ul>
        {entries.map(({ seq, at, own, by, before, after }) => (
          <li key={seq}>
            <button
              type="button"
              className="history-version"
              aria-pressed={seq === chosen}
              onClick={() => onChoose(seq)}
            >
              <time dateTime={at}>{time.format(new Date(at))}</time>
              {!own && <span className="history-device">{by || 'another session'}</span>}
              <span className="history-line" dir="auto">
                {after ?? before}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  ))
}

type ChosenVersionProps = { note: NoteDocument; seq: number; onRestored: () => void }

function ChosenVersion({ note, seq, onRestored }: ChosenVersionProps) {
  const dashboard = useParts()
  const [failure, setFailure] = useState<string>()
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['note version', note.id, seq],
    queryFn: async ({ signal }) =>
      (await call('GET /notes/:id/versions/:seq', { params: { id: note.id, seq }, signal })).data.version,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    networkMode: 'always',
  })
  const [restore, isBusy] = useOneAtATime(async () => {
    if (!data) return
    await restoreText(dashboard, note, data.text).then(onRestored, (problem: Error) =>
      setFailure(`The version was not restored. ${problem.message}`),
    )
  })
  if (error && !isFetching)
    return (
      <ListFailure text={`The version could not be loaded. ${error.message}`} onRetry={() => refetch()} />
    )
  if (!data) return <p className="note-state">Loading</p>
  return (
    <div className="history-chosen">
      <header>
        <p className="note-state">
          Lines with − are only in this version, lines with + only in the note now.
        </p>
        <button type="button" className="button" aria-busy={isBusy} onClick={() => restore()}>
          Restore this version
        </button>
      </header>
      {failure && <Notice>{failure}</Notice>}
      <LineDifferences before={data.text} after={note.text} />
    </div>
  )
}

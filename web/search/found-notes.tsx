import { use, useId } from 'react'
import { Link } from 'react-router'
import type { FoundNote } from '#contract/search.ts'
import { problemFrom } from '../api/client.ts'
import { plainText, shownTitle } from '../notes/markdown/plain-text.ts'
import { takeKeysOf } from '../notes/use-go-to-note.ts'
import { MarkedText, SearchedWords } from '../tasks/card/marked-text.tsx'
import { notePath } from '../views/note-path.ts'
import { shownWords } from '../views/views.ts'
import './results.css'

/** The message after a search without the server. `hasTexts`: the page has the texts of all notes. */
export function onlyHere(error: Error, hasTexts = false) {
  const isOffline = problemFrom(error)?.status === 0
  if (hasTexts)
    return isOffline
      ? 'Offline: the tasks and notes on this device were searched.'
      : `The tasks and notes on this device were searched. ${error.message}`
  return isOffline
    ? 'Offline: of notes that are not on this device, only titles and first lines were searched.'
    : `Of notes that are not on this device, only titles and first lines were searched. ${error.message}`
}

export function FoundNotes({ notes, isLabelled }: { notes: readonly FoundNote[]; isLabelled: boolean }) {
  const id = useId()
  const words = use(SearchedWords)
  return (
    <section aria-labelledby={isLabelled ? id : undefined}>
      {isLabelled && (
        <header className="group-head wraps">
          <h2 id={id} className="group-label">
            Notes
          </h2>
        </header>
      )}
      <ul>
        {notes.map(({ _id, title, excerpt }) => (
          <li key={_id}>
            <Link
              to={notePath(_id)}
              state={{ [shownWords]: words }}
              onClick={takeKeysOf}
              className="found-note hovers"
              data-found-note
            >
              <span className="block strong one-line" dir="auto">
                <MarkedText text={shownTitle(title)} />
              </span>
              <span className="soft small two-lines" dir="auto">
                <MarkedText text={plainText(excerpt)} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

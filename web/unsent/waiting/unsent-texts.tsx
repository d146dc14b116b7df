import { useQueryClient } from '@tanstack/react-query'
import { type MouseEvent, useEffect } from 'react'
import { mayBeStored } from '../../changes/journal-requests.ts'
import { journalOf, useJournal } from '../../changes/page-journal.ts'
import { undoHistoryOf } from '../../changes/undo-history.ts'
import { type Entry, nameOf } from '../../store/pending-change.ts'
import { type KeptDraft, keepDraft, nameOf as nameOfDraft } from '../kept/form-drafts.ts'
import { rejectedLines } from './waiting.ts'
import './unsent-texts.css'

// The chunk for texts that were not sent.

export type DraftOfferProps = {
  offered: KeptDraft | undefined
  restore: (draft: KeptDraft) => void
  discard: (draft: KeptDraft) => void
}

/** A line in a form that offers its earlier draft. */
export function DraftOffer({ offered, restore, discard }: DraftOfferProps) {
  useEffect(() => {
    if (!offered?.isWanted) return
    const { key, isWanted, ...draft } = offered
    keepDraft(key, draft)
    restore({ ...draft, key })
  })
  if (!offered || offered.isWanted) return
  // The button goes, so the focus moves to the form's first field.
  const then = (act: (draft: KeptDraft) => void) => (event: MouseEvent<HTMLButtonElement>) => {
    // The second click of a double click would choose for the draft that has moved here.
    if (event.detail > 1) return
    const { form } = event.currentTarget
    act(offered)
    form?.querySelector('input')?.focus()
  }
  return (
    <div className="draft-offer">
      <p>
        Unfinished: “<bdi>{nameOfDraft(offered)}</bdi>”
      </p>
      <button type="button" className="link-button" onClick={then(restore)}>
        Restore
      </button>
      <button type="button" className="link-button" onClick={then(discard)}>
        Discard
      </button>
    </div>
  )
}

/** The entered lines that the server has rejected. */
export function UnsentLines({ onEdit }: { onEdit: (line: Entry) => void }) {
  const queryClient = useQueryClient()
  const journal = journalOf(queryClient)
  const entries = useJournal((journal) => journal.entries())
  function addAgain(line: Entry) {
    journal.retry(line)
    undoHistoryOf(queryClient)
      .getState()
      .add({ name: nameOf(line), item: line.item, verb: 'add', title: titleOf(line) })
  }
  return (
    <div className="unsent-lines">
      {rejectedLines(entries).map((line) => (
        <div key={line.mutation} role="alert" className="unsent-line">
          <p>
            “<bdi>{titleOf(line)}</bdi>” was not added. {line.failure?.reason}
          </p>
          {mayBeStored(line, undefined) && (
            <Choice label="Add again" line={line} onChoose={() => addAgain(line)} />
          )}
          <Choice label="Edit" line={line} onChoose={() => onEdit(line)} />
          <Choice label="Discard" line={line} onChoose={() => journal.withdraw(line)} />
        </div>
      ))}
    </div>
  )
}

const titleOf = (line: Entry) => ('set' in line ? (line.set.title ?? '') : '')

type ChoiceProps = { label: string; line: Entry; onChoose: () => void }

function Choice({ label, line, onChoose }: ChoiceProps) {
  // The button may go, so the focus moves to the box. A second click would choose for the line that has moved here.
  function choose({ detail, currentTarget: { form } }: MouseEvent<HTMLButtonElement>) {
    if (detail > 1) return
    onChoose()
    form?.querySelector('input')?.focus()
  }
  return (
    <button type="button" className="link-button" aria-label={`${label}: ${titleOf(line)}`} onClick={choose}>
      {label}
    </button>
  )
}

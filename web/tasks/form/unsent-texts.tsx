import { useEffect } from 'react'
import { type Entry, nameOf } from '../../engine/entry.ts'
import type { KeptDraft } from '../../engine/kept/unsent-storage.ts'
import { mayBeStored, nameOf as nameOfDraft } from '../../engine/unsent-names.ts'
import { rejectedLines } from '../../engine/waiting.ts'
import { useEngine, useJournal } from '../../state/use-engine.tsx'
import { Choice } from '../card/choices-at-item.tsx'
import { Quoted } from '../sentence.tsx'
import './unsent-texts.css'

type DraftOfferProps = {
  offered: KeptDraft | undefined
  restore: (draft: KeptDraft) => void
  discard: (draft: KeptDraft) => void
}

export function DraftOffer({ offered, restore, discard }: DraftOfferProps) {
  const { formDrafts } = useEngine()
  useEffect(() => {
    if (!offered?.isWanted) return
    const { key, isWanted, ...draft } = offered
    formDrafts.keep(key, draft)
    restore({ ...draft, key })
  })
  if (!offered || offered.isWanted) return
  return (
    <div className="draft-offer row wraps targets soft small">
      <p>
        Unfinished: <Quoted>{nameOfDraft(offered)}</Quoted>
      </p>
      <Choice label="Restore" onChoose={() => restore(offered)} />
      <Choice label="Discard" onChoose={() => discard(offered)} />
    </div>
  )
}

export function UnsentLines({ onEdit }: { onEdit: (line: Entry) => void }) {
  const engine = useEngine()
  const { journal } = engine
  const entries = useJournal((journal) => journal.entries())
  function addAgain(line: Entry) {
    journal.retry(line)
    engine.history.getState().add({ name: nameOf(line), item: line.item, verb: 'add', title: titleOf(line) })
  }
  return (
    <div className="small">
      {rejectedLines(entries).map((line) => (
        <div key={line.mutation} role="alert" className="unsent-line row wraps words targets">
          <p>
            <Quoted>{titleOf(line)}</Quoted> was not added. {line.failure?.reason}
          </p>
          {mayBeStored(line, undefined) && (
            <Choice label="Add again" title={titleOf(line)} onChoose={() => addAgain(line)} />
          )}
          <Choice label="Edit" title={titleOf(line)} onChoose={() => onEdit(line)} />
          <Choice label="Discard" title={titleOf(line)} onChoose={() => journal.withdraw(line)} />
        </div>
      ))}
    </div>
  )
}

const titleOf = (line: Entry) => ('set' in line ? (line.set.title ?? '') : '')

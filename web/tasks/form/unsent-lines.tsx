import { type Entry, nameOf } from '../../engine/entry.ts'
import { mayBeStored } from '../../engine/unsent-names.ts'
import { rejectedLines } from '../../engine/waiting.ts'
import { useEngine, useJournal } from '../../state/use-engine.tsx'
import { Choice } from '../card/choices-at-item.tsx'
import { Quoted } from '../sentence.tsx'
import './form-tools.css'

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

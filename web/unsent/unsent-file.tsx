import { useState } from 'react'
import { keptFor } from '#contract/limits.ts'
import { parsed } from '../api/client.ts'
import type { Entry } from '../engine/entry.ts'
import type { Answered } from '../engine/journal/entries.ts'
import type { Draft } from '../engine/kept/note-drafts.ts'
import type { KeptDraft } from '../engine/kept/unsent-storage.ts'
import { isUnsentValue, type UnsentKind } from '../engine/kept/unsent-values.ts'
import { loadDocuments } from '../engine/unsent-notes.ts'
import { useEngine, useJournal } from '../state/use-engine.tsx'
import { LinkButton } from '../ui/button.tsx'
import { saveFile } from '../ui/save-file.ts'

export function UnsentFile() {
  const engine = useEngine()
  const { journal } = engine
  const { needs, waiting, unsent, formDrafts } = engine
  // Renders the buttons again when a change was sent.
  useJournal((journal) => journal.entries())
  const isEmpty = waiting.isNothing()
  const [outcome, setOutcome] = useState('')

  function save() {
    const { changes, notes, drafts, damaged } = waiting.all()
    const file = JSON.stringify({
      account: needs.account,
      // A later build may be able to read the damaged ones.
      changes: [...changes, ...damaged.map((key) => needs.local.getItem(key))],
      notes,
      drafts,
    })
    saveFile('unsent-changes.json', file, 'application/json')
  }

  function takeIn() {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = '.json'
    input.onchange = async () => {
      try {
        const { changes, notes, drafts, damaged } = contentsOf(
          (await input.files?.[0]?.text()) ?? '',
          needs.account,
        )
        const here = waiting.notes()
        const missing = notes.filter(
          ({ id, text }) => !here.some((own) => own.id === id && own.text === text),
        )
        if (missing.length > 0) (await loadDocuments(engine)).takeIn(missing)
        const forms = drafts.filter(
          ({ key, ...draft }) =>
            key.startsWith(unsent.key('draft')) && !unsent.at(key) && formDrafts.keep(key, draft),
        )
        const taken = journal.takeIn(changes) + missing.length + forms.length
        const known = changes.length + notes.length + drafts.length - taken
        const sentences = [taken === 1 ? '1 change was loaded.' : `${taken} changes were loaded.`]
        if (known > 0) sentences.push(known === 1 ? '1 is here already.' : `${known} are here already.`)
        if (damaged > 0)
          sentences.push(
            damaged === 1
              ? '1 cannot be read and was left out.'
              : `${damaged} cannot be read and were left out.`,
          )
        setOutcome(sentences.join(' '))
      } catch (error) {
        setOutcome((error as Error).message)
      }
    }
    input.click()
  }

  return (
    <p>
      {!isEmpty && (
        <>
          <LinkButton onClick={save}>Save as a file</LinkButton>
          {' · '}
        </>
      )}
      <LinkButton onClick={takeIn}>Load a file</LinkButton> <span role="status">{outcome}</span>
    </p>
  )
}

type Contents = { changes: Entry[]; notes: Draft[]; drafts: KeptDraft[]; damaged: number }

/** Throws if the file is of another account, or another file. */
function contentsOf(text: string, own: string | undefined): Contents {
  // Files of an earlier build have no notes or drafts.
  const { account, changes, notes = [], drafts = [] } = Object(parsed(text))
  if (![changes, notes, drafts].every(Array.isArray)) throw new Error('This is not a file of unsent changes.')
  if (account !== own) throw new Error('These changes belong to another account.')
  const readable = {
    changes: valuesOf<Answered>('outbox', changes),
    notes: valuesOf<Draft>('note-draft', notes),
    drafts: valuesOf<KeptDraft>('draft', drafts).filter(({ key }) => typeof key === 'string'),
  }
  const all = [changes, notes, drafts].flat().length
  const damaged = all - Object.values(readable).flat().length
  const oldest = Date.now() - keptFor
  // The server no longer knows whether it has them.
  const tooOld = { status: 0, reason: 'It is older than 30 days and may have been sent before.' }
  const unsent = readable.changes.map(({ failure, answer: _, ...entry }) =>
    entry.at < oldest ? { ...entry, failure: tooOld } : entry,
  )
  return { ...readable, changes: unsent, damaged }
}

const valuesOf = <Value,>(kind: UnsentKind, values: unknown): Value[] =>
  (values as unknown[]).filter((value) => isUnsentValue(kind, value)) as Value[]

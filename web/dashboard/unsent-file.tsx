import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keptFor } from '#contract/limits.ts'
import { storedAccount } from '../api/session.ts'
import type { Draft } from '../notes/drafts.ts'
import { unsentDrafts } from '../notes/unsent-drafts.ts'
import type { Entry } from '../store/pending-change.ts'
import { unsentAt, unsentKey } from '../store/unsent-storage.ts'
import { type KeptDraft, keepDraft, keptDrafts } from '../tasks/form/drafts.ts'
import { outboxOf, useOutbox } from '../tasks/outbox.ts'
import { loadDocuments } from './use-unsent-notes.ts'

/**
 * Saves the changes, texts of notes and drafts of forms that are not sent as a file, and takes such a file in again, in this browser
 * or another one.
 */
export function UnsentFile() {
  const queryClient = useQueryClient()
  const outbox = outboxOf(queryClient)
  const [drafts] = useState(() => [...unsentDrafts(), ...keptDrafts()])
  const isEmpty = useOutbox((outbox) => outbox.entries().length === 0) && drafts.length === 0
  const [outcome, setOutcome] = useState('')

  function save() {
    const file = JSON.stringify({
      account: storedAccount(),
      changes: outbox.entries(),
      notes: unsentDrafts(),
      drafts: keptDrafts(),
    })
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([file], { type: 'application/json' }))
    link.download = 'unsent-changes.json'
    link.click()
    // Browsers read the address some time after the click.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  }

  function takeIn() {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = '.json'
    input.onchange = async () => {
      try {
        const { changes, notes, drafts } = contentsOf((await input.files?.[0]?.text()) ?? '')
        const here = unsentDrafts()
        const missing = notes.filter(
          ({ id, text }) => !here.some((own) => own.id === id && own.text === text),
        )
        if (missing.length > 0) (await loadDocuments(queryClient)).takeIn(missing)
        const forms = drafts.filter(
          ({ key, ...draft }) =>
            key.startsWith(unsentKey('draft', storedAccount())) && !unsentAt(key) && keepDraft(key, draft),
        )
        const taken = outbox.takeIn(changes) + missing.length + forms.length
        const known = changes.length + notes.length + drafts.length - taken
        setOutcome(`${taken} taken in.${known > 0 ? ` ${known} of the file are here already.` : ''}`)
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
          <button type="button" className="link-button" onClick={save}>
            Save as a file
          </button>
          {' · '}
        </>
      )}
      <button type="button" className="link-button" onClick={takeIn}>
        Take in a file
      </button>{' '}
      <span role="status">{outcome}</span>
    </p>
  )
}

/** What is in a file, of this account alone. Throws if it is another file. */
function contentsOf(text: string): { changes: Entry[]; notes: Draft[]; drafts: KeptDraft[] } {
  // Files of an earlier build have no notes or drafts.
  const { account, changes, notes = [], drafts = [] } = parsed(text)
  if (!isListOf(isEntry, changes) || !isListOf(isDraft, notes) || !isListOf(isFormDraft, drafts))
    throw new Error('This is not a file of unsent changes.')
  if (account !== storedAccount()) throw new Error('These changes are of another account.')
  const oldest = Date.now() - keptFor
  // The server no longer knows whether it has them.
  const tooOld = { status: 0, reason: 'It is older than 30 days and may have been sent before.' }
  const unsent = changes.map(({ failure, ...entry }) =>
    entry.at < oldest ? { ...entry, failure: tooOld } : entry,
  )
  return { changes: unsent, notes, drafts }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isListOf = <Value,>(is: (value: unknown) => value is Value, values: unknown): values is Value[] =>
  Array.isArray(values) && values.every(is)

const isNumbered = (value: unknown): boolean =>
  isObject(value) && typeof value.text === 'string' && typeof value.version === 'number'

const isDraft = (value: unknown): value is Draft =>
  isObject(value) &&
  [value.id, value.text].every((part) => typeof part === 'string') &&
  isNumbered(value.stored) &&
  (value.sent === undefined || isNumbered(value.sent))

const isFormDraft = (value: unknown): value is KeptDraft =>
  isObject(value) &&
  typeof value.key === 'string' &&
  Number.isFinite(value.at) &&
  isObject(value.values) &&
  Object.values(value.values).every((each) => each === null || typeof each === 'string') &&
  (value.base === undefined || isObject(value.base))

/** Whether the page can show and send it. The server checks the values. */
function isEntry(value: unknown): value is Entry {
  if (!isObject(value)) return false
  const { mutation, item, order, at, was, typed, set, check, undo, shows } = value
  const isChange =
    (isObject(set) && Object.values(set).every((each) => each === null || typeof each !== 'object')) ||
    (isObject(check) && typeof check.line === 'number' && typeof check.text === 'string') ||
    (isObject(undo) && isObject(shows) && Object.values(shows).every(isObject))
  return (
    isChange &&
    [mutation, item].every((id) => typeof id === 'string') &&
    [order, at].every(Number.isFinite) &&
    (was === undefined || isObject(was)) &&
    (typed === undefined || (isObject(typed) && typeof typed.text === 'string'))
  )
}

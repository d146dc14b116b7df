import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { keptFor } from '#contract/limits.ts'
import { storedAccount } from '../api/session.ts'
import type { Entry } from '../store/pending-change.ts'
import { outboxOf, useOutbox } from '../tasks/outbox.ts'

/** Saves the changes that are not sent as a file, and takes such a file in again, in this browser or another one. */
export function UnsentFile() {
  const outbox = outboxOf(useQueryClient())
  const isEmpty = useOutbox((outbox) => outbox.entries().length === 0)
  const [outcome, setOutcome] = useState('')

  function save() {
    const file = JSON.stringify({ account: storedAccount(), changes: outbox.entries() })
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
        const changes = changesIn((await input.files?.[0]?.text()) ?? '')
        outbox.takeIn(changes)
        setOutcome(`${changes.length} taken in.`)
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

/** The changes in a file, of this account alone. Throws if it is another file. */
function changesIn(text: string): Entry[] {
  const { account, changes } = parsed(text)
  if (!Array.isArray(changes) || !changes.every(isEntry))
    throw new Error('This is not a file of unsent changes.')
  if (account !== storedAccount()) throw new Error('These changes are of another account.')
  const oldest = Date.now() - keptFor
  // The server no longer knows whether it has them.
  const tooOld = { status: 0, reason: 'It is older than 30 days and may have been sent before.' }
  return changes.map(({ failure, ...entry }) => (entry.at < oldest ? { ...entry, failure: tooOld } : entry))
}

function parsed(text: string): { account?: unknown; changes?: unknown } {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

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

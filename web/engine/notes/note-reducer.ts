import type { Note, NoteSummary } from '#contract/notes.ts'
import type { Draft, Sent, Stored } from '../kept/note-drafts.ts'
import { commonLines, mergeLines } from './merge-lines.ts'
import type { Result } from './note-calls.ts'

export type Stage =
  | { is: 'new' | 'saved' | 'draft' | 'waiting' }
  /** The server may have the sent text, which the browser keeps and sends again. */
  | { is: 'unknown' }
  /** The server has rejected the text, or nobody but this page has it. */
  | { is: 'failed'; reason: string }
  /** Deleted elsewhere. `canRestore`: not for good. */
  | { is: 'gone'; canRestore: boolean }

export type TextState = {
  stage: Stage
  /** A function, because reading a long field at each key would take time. */
  text: () => string
  stored: Stored
  newest: number
  /** Whether the server may have lost the stored text, for example by a restored backup. */
  isBaseLost: boolean
  sent: Sent | undefined
  /** Conflicts in a row, and attempts since the last success. */
  conflicts: number
  retries: number
}

export type NoteEvent =
  | { on: 'typed'; text: () => string }
  /** `mutation`: the id for a new change. `keepalive`: for a page that is closing. */
  | { on: 'save'; mutation: string; keepalive: boolean }
  | { on: 'answered'; result: Result }
  | { on: 'failed'; reason: string; mayPass: boolean; isKept: boolean }
  /** The note was changed by another device, or by this page except for its text. */
  | { on: 'heard'; change: Note | NoteSummary }
  | { on: 'fetched'; note: Note }
  | { on: 'replaced' }
  | { on: 'removed' }
  /** `since`: the stored text when the restore was sent. */
  | { on: 'restored'; note: Note; since: Stored }
  | { on: 'discarded' }

/** Soon: when typing pauses. Later: after a failure. */
export type Effect = 'send' | 'save now' | 'save soon' | 'save later' | 'fetch'

/** `merged`: the note of the server that was merged into the text. `effects`: what is to be done, in this order. */
type Step = { state: TextState; merged?: Note; effects?: Effect[] }

export const beginState = ({ text, stored, sent }: Pick<Draft, 'text' | 'stored' | 'sent'>): TextState =>
  settled({
    ...{ stage: { is: 'new' }, text: () => text, stored, sent },
    ...{ newest: stored.version, isBaseLost: false, conflicts: 0, retries: 0 },
  }).state

export const isUnsaved = ({ sent, text, stored }: TextState) => sent !== undefined || text() !== stored.text

/** Whether the note must be fetched. The answer to a change has its newest text: a merge before would double lines. */
export const isBehind = ({ stage, stored, newest, isBaseLost, sent }: TextState): boolean =>
  !sent && stage.is !== 'gone' && (isBaseLost || newest > stored.version)

/** A new `stage` object, which means that something has changed. */
const at = (stage: Stage, state: TextState): TextState => ({ ...state, stage: { ...stage } })
const gone = (canRestore: boolean): Stage => ({ is: 'gone', canRestore })

/** The state after a change of both texts. Unsaved text is saved soon. */
function settled(state: TextState): Required<Pick<Step, 'state' | 'effects'>> {
  const is = isUnsaved(state) ? 'draft' : state.stored.version === 0 ? 'new' : 'saved'
  return { state: at({ is }, state), effects: is === 'draft' ? ['save soon'] : [] }
}

export function reduce(state: TextState, event: NoteEvent): Step {
  const { stage, stored, sent } = state
  switch (event.on) {
    case 'typed': {
      const next = { ...state, text: event.text }
      if (stage.is === 'gone') return { state: next }
      const isFirst = stage.is === 'new' || stage.is === 'saved'
      return { state: isFirst ? at({ is: 'draft' }, next) : next, effects: ['save soon'] }
    }
    case 'save': {
      if (stage.is === 'gone') return { state }
      if (!isUnsaved(state)) return settled(state)
      const change = sent ?? { text: state.text(), version: stored.version, mutation: event.mutation }
      return { state: at({ is: 'waiting' }, { ...state, sent: change }), effects: ['send'] }
    }
    case 'answered':
      return answered(state, event.result)
    case 'failed': {
      const { reason, mayPass, isKept } = event
      const next = mayPass ? { ...state, retries: state.retries + 1 } : { ...state, sent: undefined }
      const failed: Stage = mayPass && isKept ? { is: 'unknown' } : { is: 'failed', reason }
      if (stage.is === 'gone') return { state: at(stage, next) }
      return { state: at(failed, next), effects: mayPass ? ['save later'] : [] }
    }
    case 'heard':
      return heard(state, event.change)
    case 'fetched':
      return sent ? { state } : taken(state, event.note)
    case 'replaced':
      return { state: { ...state, isBaseLost: true, newest: 0 } }
    case 'removed':
      return { state: at(gone(false), state) }
    case 'restored':
      return restored(state, event.note, event.since)
    case 'discarded':
      return { state: at(stage, { ...state, sent: undefined, text: () => stored.text }) }
  }
}

/** Takes the answer to a change. The merged text of a conflict is sent, at first at once, then later. */
function answered(state: TextState, { outcome, note }: Result): Step {
  const { sent, conflicts } = state
  const isConflict = outcome === 'conflict'
  let confirmed = state
  if (note && sent && !isConflict) {
    // The server has stored the sent text, perhaps before later changes of others.
    const stored = { text: sent.text, version: Math.min(note.version, state.stored.version) }
    confirmed = { ...state, stored, isBaseLost: false }
  }
  const step: Step = note ? merge(confirmed, note, confirmed.stored) : { state: at(gone(false), state) }
  const next = { ...step.state, sent: undefined }
  if (next.stage.is === 'gone') return { ...step, state: at(next.stage, next) }
  if (!isConflict || next.text() === next.stored.text) {
    const { state: rest, effects } = settled({ ...next, conflicts: 0, retries: 0 })
    return { ...step, state: rest, effects: [...effects, 'fetch'] }
  }
  const draft = at({ is: 'draft' }, { ...next, conflicts: conflicts + 1 })
  if (conflicts === 0) return { ...step, state: draft, effects: ['save now'] }
  return { ...step, state: { ...draft, retries: state.retries + 1 }, effects: ['save later'] }
}

function heard(state: TextState, change: Note | NoteSummary): Step {
  const { stage, stored, sent, isBaseLost } = state
  if (change.version <= stored.version && !isBaseLost) return { state }
  const seen = { ...state, newest: Math.max(state.newest, change.version) }
  const isDeleted = change.deletedAt !== null
  const isBack = stage.is === 'gone' && !isDeleted && change.version === seen.newest
  // It was restored elsewhere, so this page saves again.
  const { state: next, effects = [] }: Step = isBack ? settled(seen) : { state: seen }
  if ('text' in change && !sent) return taken(next, change)
  if (isDeleted && stage.is !== 'waiting') return { state: at(gone(true), next) }
  return { state: next, effects: [...effects, 'fetch'] }
}

/** Takes a restored note, with the text of this page and the changes that others made before the deletion. */
function restored(state: TextState, note: Note, since: Stored): Step {
  // After the restore of a backup, the server has an older version.
  const isBaseLost = state.isBaseLost || note.version < state.newest
  const seen = { ...state, isBaseLost, newest: note.version }
  if (note.deletedAt !== null) return { state: seen }
  const step: Step = state.sent ? { state: seen } : merge(seen, note, since)
  return { ...step, ...settled(step.state) }
}

function taken(state: TextState, note: Note): Step {
  const step = merge(state, note)
  return step.state.stage.is === 'gone' ? step : { ...step, ...settled(step.state) }
}

/**
 * Merges the server's text into this one, unless a newer one is merged already. `since`: the stored text when a change was sent. In
 * the answer, an older version means that the server was restored.
 */
function merge(state: TextState, note: Note, since?: Stored): Step {
  const { stored, newest, isBaseLost } = state
  const { text: theirs, version } = note
  const isOlder = version < stored.version
  if (isOlder && since !== stored && !isBaseLost) return { state }
  const mine = state.text()
  // The server was restored to an older state. All differences here are newer.
  const base = isOlder ? theirs : isBaseLost ? commonLines(mine, theirs) : stored.text
  const isDeleted = note.deletedAt !== null
  const text = isDeleted ? mine : mergeLines(base, mine, theirs)
  const next = {
    ...{ ...state, stored: { text: theirs, version }, isBaseLost: false },
    newest: isOlder ? version : Math.max(newest, version),
    ...(text !== mine && { text: () => text }),
  }
  return { state: isDeleted ? at(gone(true), next) : next, merged: note }
}

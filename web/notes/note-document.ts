import type { Note, NoteSummary } from '#contract/notes.ts'
import { problemFrom } from '../api/client.ts'
import { randomId } from '../api/random-id.ts'
import { isTemporary, waitToRetry } from '../sync/retry-delay.ts'
import { mergeLines } from './merge-lines.ts'

/** A text of the note that the server has, and the version that it is part of. Version 0: there is no such note yet. */
type Stored = { text: string; version: number }

/** A change whose answer has not arrived. It is sent again as it was, so that the server applies it once. */
type Sent = Stored & { mutation: string }

/** What a browser keeps of a note until the server has it. */
export type Draft = { id: string; text: string; stored: Stored; sent: Sent | undefined }

export type SaveState =
  | { is: 'new' | 'saved' | 'unsaved' | 'saving' }
  | { is: 'failed'; reason: string }
  /** Deleted elsewhere: to Recently deleted, or for good. */
  | { is: 'gone'; canRestore: boolean }

type Result = { outcome: 'applied' | 'merged' | 'duplicate' | 'conflict'; note: Note | null }

/** How a document reaches the server and the browser's storage. */
export type DocumentPort = {
  send: (
    id: string,
    base: number,
    mutation: string,
    set: { text: string } | { deleted: false },
    keepalive: boolean,
  ) => Promise<Result>
  fetch: (id: string) => Promise<Note>
  /** Keeps a draft, or removes it. Returns whether the browser had space for it. */
  keep: (id: string, draft: Draft | undefined) => boolean
  onStored: (note: Note) => void
}

/** In milliseconds: after the last keystroke, and during continuous typing. */
const [restTime, longestWait] = [1000, 10_000]

/** Until a draft is written, in milliseconds: writing a long one takes time, so it is written less often. */
const draftDelay = (length: number) => 250 + length / 50

export type NoteDocument = ReturnType<typeof createNoteDocument>

/**
 * The text of a note that is being written. It saves itself, merges what other devices write, and keeps a draft in the
 * browser until the server has confirmed the text.
 */
export function createNoteDocument(port: DocumentPort, begin: Draft) {
  const { id } = begin
  const closing = new AbortController()
  const listeners = new Set<() => void>()
  const mergeListeners = new Set<() => void>()
  let { stored, sent } = begin
  let text: string | (() => string) = begin.text
  let state: SaveState = { is: stored.version === 0 ? 'new' : 'saved' }
  let saving = Promise.resolve()
  let isSending = false
  let failures = 0
  let newestSeen = stored.version
  let saveTimer: ReturnType<typeof setTimeout> | undefined
  let draftTimer: ReturnType<typeof setTimeout> | undefined
  let unsavedSince: number | undefined
  let composition: PromiseWithResolvers<void> | undefined

  const textNow = () => {
    if (typeof text !== 'string') text = text()
    return text
  }
  const isUnsaved = () => sent !== undefined || textNow() !== stored.text
  const isEmptyAndNew = () => stored.version === 0 && !sent && textNow() === ''

  function show(next: SaveState) {
    state = next
    for (const listener of listeners) listener()
  }

  function keepDraft(): boolean {
    clearTimeout(draftTimer)
    draftTimer = undefined
    return port.keep(id, isUnsaved() && !isEmptyAndNew() ? { id, text: textNow(), stored, sent } : undefined)
  }

  function scheduleSave() {
    clearTimeout(saveTimer)
    unsavedSince ??= performance.now()
    const rest = Math.min(restTime, Math.max(0, unsavedSince + longestWait - performance.now()))
    saveTimer = setTimeout(save, rest)
  }

  async function save(options?: { keepalive: boolean }): Promise<void> {
    clearTimeout(saveTimer)
    if (isSending || state.is === 'gone') return
    if (!isUnsaved() || isEmptyAndNew()) return settle()
    isSending = true
    saving = send(options)
    await saving
  }

  async function send({ keepalive } = { keepalive: false }): Promise<void> {
    unsavedSince = undefined
    sent ??= { text: textNow(), version: stored.version, mutation: randomId() }
    const isKept = keepDraft()
    show({ is: 'saving' })
    let isMergeUnsent = false
    try {
      const result = await port.send(id, sent.version, sent.mutation, { text: sent.text }, keepalive)
      isMergeUnsent = await take(result, sent)
      sent = undefined
      failures = 0
    } catch (error) {
      return fail(error, isKept)
    } finally {
      isSending = false
    }
    if (isGone()) return void keepDraft()
    if (isMergeUnsent) return await save()
    settle()
    await fetchIfBehind()
  }

  /** Takes the answer to a change. Returns whether it led to a text that must be sent at once. */
  async function take({ outcome, note }: Result, { text: sentText }: Sent): Promise<boolean> {
    if (!note) {
      show({ is: 'gone', canRestore: false })
      return false
    }
    // What the note was before the later changes of others, if there are any.
    if (outcome !== 'conflict') stored = { text: sentText, version: stored.version }
    await absorb(note)
    return outcome === 'conflict' && !isGone() && textNow() !== stored.text
  }

  /** Merges the server's newest text into this one. */
  async function absorb(note: Note) {
    // An input method would lose what it is composing.
    while (composition) await composition.promise
    if (note.version < stored.version) return
    newestSeen = Math.max(newestSeen, note.version)
    port.onStored(note)
    const merged = mergeLines(stored.text, textNow(), note.text)
    stored = { text: note.text, version: note.version }
    if (note.deletedAt !== null) return show({ is: 'gone', canRestore: true })
    if (merged === textNow()) return
    text = merged
    for (const listener of mergeListeners) listener()
  }

  const isGone = () => state.is === 'gone'

  /** After an answer: what was typed since waits for its own save. */
  function settle() {
    const rest = isUnsaved() && !isEmptyAndNew()
    show({ is: rest ? 'unsaved' : stored.version === 0 ? 'new' : 'saved' })
    keepDraft()
    if (rest) scheduleSave()
  }

  function fail(error: unknown, isKept: boolean) {
    const problem = problemFrom(error)
    const rejected = problem?.reasonFor('changes/0/set/text')
    const cause = rejected ? `The text ${rejected}.` : (error as Error).message
    const reason = isKept ? cause : `${cause} This browser has no space for a draft: keep this page open.`
    show({ is: 'failed', reason })
    // Rejected: the same text would be rejected again.
    if (!isTemporary(problem?.status ?? 400)) sent = undefined
    else
      waitToRetry(failures++, closing.signal).then(() => {
        if (!closing.signal.aborted) save()
      })
    keepDraft()
  }

  /**
   * The answer to a change brings the newest text. Until then, also after a failure, it is unknown whether the server's text
   * contains the change: to merge it would double lines.
   */
  const isAnswerDue = () => isSending || sent !== undefined

  async function fetchIfBehind() {
    if (isAnswerDue() || isGone() || newestSeen <= stored.version) return
    const note = await port.fetch(id).catch(() => undefined)
    if (!note || isAnswerDue()) return
    await absorb(note)
    if (!isGone()) settle()
  }

  return {
    id,
    get text() {
      return textNow()
    },
    get state() {
      return state
    },
    get isUnsaved() {
      return isUnsaved() && !isEmptyAndNew()
    },

    /** The version of the note that this text is based on. */
    get version() {
      return stored.version
    },

    /** Whether the note exists here alone: it is empty, or the server rejected its first text. */
    get isOnlyHere() {
      return stored.version === 0 && !sent && (state.is === 'new' || state.is === 'failed')
    },

    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    /** Calls `listener` when the text contains what others changed, so that the field shows it. */
    onMerge(listener: () => void) {
      mergeListeners.add(listener)
      return () => void mergeListeners.delete(listener)
    },

    /** The person typed. The text is read when it is needed. */
    edit(next: string | (() => string)) {
      text = next
      draftTimer ??= setTimeout(keepDraft, draftDelay(stored.text.length))
      if (isGone()) return
      if (state.is === 'new' || state.is === 'saved') show({ is: 'unsaved' })
      scheduleSave()
    },

    /** The text was changed by other means than its field, which is to show it. */
    shown() {
      for (const listener of mergeListeners) listener()
    },

    /** While an input method composes, others' changes wait. */
    compose(isComposing: boolean) {
      if (isComposing) composition ??= Promise.withResolvers()
      else {
        composition?.resolve()
        composition = undefined
      }
    },

    /** Sends what is unsaved now, during another save after its answer; `keepalive` for a page that is closing. */
    async save(options?: { keepalive: boolean }) {
      const isBehindAnother = isSending
      while (isSending) await saving
      // What failed is sent again after a while.
      if (!isBehindAnother || state.is !== 'failed') await save(options)
    },

    /** The page may be closed: writes the draft at once. */
    keepDraft,

    /** Another device changed the note, or this page did so by other means than its text. */
    async changedElsewhere(change: Note | NoteSummary) {
      if (change.version <= stored.version) return
      newestSeen = Math.max(newestSeen, change.version)
      // Restored elsewhere: this page saves again.
      if (isGone() && change.deletedAt === null && change.version === newestSeen) settle()
      if ('text' in change && !isAnswerDue()) {
        await absorb(change)
        if (!isGone()) settle()
      } else if (change.deletedAt !== null && !isSending) show({ is: 'gone', canRestore: true })
      else await fetchIfBehind()
    },

    removedForGood() {
      show({ is: 'gone', canRestore: false })
    },

    /** Brings a note back that was deleted elsewhere, with the text as it is here. */
    async restore() {
      const { note } = await port.send(id, newestSeen, randomId(), { deleted: false }, false)
      if (!note || note.deletedAt !== null) return
      // The text is saved after that, and merged with what others wrote before the deletion.
      if (!isAnswerDue()) await absorb(note)
      settle()
      await save()
    },

    /** Stops saving. What is unsaved stays in the draft. */
    close() {
      clearTimeout(saveTimer)
      if (draftTimer !== undefined) keepDraft()
      closing.abort()
      listeners.clear()
      mergeListeners.clear()
    },

    /** Gives up what is unsaved, and its draft. */
    discard() {
      clearTimeout(saveTimer)
      clearTimeout(draftTimer)
      closing.abort()
      port.keep(id, undefined)
      // Its answer ends the save. Otherwise nothing is unsaved any more, and the listeners learn it.
      if (isSending) return
      sent = undefined
      text = stored.text
      show(state)
    },
  }
}

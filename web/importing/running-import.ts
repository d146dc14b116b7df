import { createStore, useStore } from 'zustand'
import { fold } from '#contract/folding.ts'
import { hashedId } from '#contract/hashed-id.ts'
import type { ImportRoom } from '#contract/imports.ts'
import { noteLength } from '#contract/limits.ts'
import { summaryOf } from '#contract/note-summary.ts'
import { defaultSettings } from '#contract/settings.ts'
import { call } from '../api/page-client.ts'
import { ownAccount } from '../api/session.ts'
import { randomId } from '../engine/entry.ts'
import { mayPass } from '../engine/sync/retry-delay.ts'
import { type IdOfTitle, withTitleLinks } from '../notes/markdown/note-titles.ts'
import { changeSettings, settingsNow } from '../settings/settings-store.ts'
import { pageSigns } from '../state/page-needs.ts'
import { type Corrections, noCorrections } from './corrections.ts'
import type { ShownImport } from './import-worker.ts'
import { keepLastImport, type LastImport, lastImport } from './last-import.ts'
import { isLonger } from './parsing/fitted-text.ts'
import type { ImportedNote, ImportFile, ImportOptions } from './parsing/imported.ts'
import { Refusal, readInWorker } from './read-in-worker.ts'
import { entriesOf, type ImportEntry, type Progress, sendImport } from './sent-import.ts'

/** What the person has chosen about the reading of the files. */
type Choices = Pick<ImportOptions, 'isDayFirst' | 'columns'>

/** An import that was begun. It goes on from where it is after a failure or Cancel. */
export type SentImport = Progress & {
  last: LastImport
  entries: readonly ImportEntry[]
  isRunning: boolean
  /** Why a call is sent again later. */
  waitsFor: string
  failure: string
}

/** The undo of an import. */
export type Undoing = {
  last: LastImport
  removed: number
  kept: number
  /** Where it goes on; null once all of it is undone. */
  next: number | null | undefined
  isRunning: boolean
  failure: string
}

type ImportState = {
  files: readonly ImportFile[]
  choices: Choices
  isReading: boolean
  /** What was read last. It stays on show while the same files are read with other choices. */
  imported: ShownImport | undefined
  corrections: Corrections
  isSettingsTaken: boolean
  /** Why the files cannot be read. */
  failure: string
  /** What the account stores and may store, once the server has said so. */
  room: ImportRoom | undefined
  /** Whether files came while an import or an undo ran, and were not read. */
  isDeclined: boolean
  sent: SentImport | undefined
  undoing: Undoing | undefined
}

const nothing: ImportState = {
  files: [],
  choices: {},
  isReading: false,
  imported: undefined,
  corrections: noCorrections,
  isSettingsTaken: true,
  failure: '',
  room: undefined,
  isDeclined: false,
  sent: undefined,
  undoing: undefined,
}

/** It stays while the dialog is closed. The document, and with it this, ends with the session of its dashboard. */
const store = createStore<ImportState>()(() => nothing)

export const useImport = (): ImportState => useStore(store)

export const importNow = (): ImportState => store.getState()

/** Ends the reading that runs, and the import. */
let reading = new AbortController()
let sending = new AbortController()

/** Reads chosen files for the preview, unless an import runs. */
export function readFiles(files: readonly ImportFile[]) {
  const { sent, undoing } = store.getState()
  if (files.length === 0) return
  if (sent?.isRunning || undoing?.isRunning) return store.setState({ isDeclined: true })
  store.setState({ ...nothing, files }, true)
  readAgain({})
  call('GET /import').then(({ data: { room } }) => store.setState({ room }), console.error)
}

/** Reads the same files with other choices. */
export async function readAgain(changed: Choices) {
  reading.abort()
  reading = new AbortController()
  const { signal } = reading
  const { files } = store.getState()
  const choices = { ...store.getState().choices, ...changed }
  store.setState({ choices, isReading: true, failure: '' })
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions()
  const options = { account: ownAccount() ?? '', zone, now: new Date(), ...choices }
  try {
    const imported = await readInWorker({ files, options }, signal)
    store.setState({ imported, isReading: false })
  } catch (error) {
    if (signal.aborted) return
    const isRefusal = error instanceof Refusal
    if (!isRefusal) console.error(error)
    const failure = isRefusal ? error.message : 'The file could not be read. Try again.'
    store.setState({ failure, isReading: false, imported: undefined })
  }
}

export const correct = (corrections: Corrections) => store.setState({ corrections })
export const takeSettings = (isSettingsTaken: boolean) => store.setState({ isSettingsTaken })

/** Leaves the files, what was read of them and what became of them. */
export function leaveImport() {
  reading.abort()
  store.setState(nothing, true)
}

/**
 * Sends what the preview shows, or the rest of the same items if that was interrupted before. Titles in brackets become links to notes of
 * the import and of the account, whose ids `idOfTitle` knows; an export of Daymark stays as it is.
 */
export async function startImport(idOfTitle: IdOfTitle = () => undefined) {
  const { imported: read, corrections, isSettingsTaken, sent } = store.getState()
  if (!read || sent) return
  const imported = read.source === 'daymark' ? read : { ...read, notes: withTitles(read.notes, idOfTitle) }
  const items = hashedId([...imported.tasks, ...imported.notes].map(({ _id }) => _id).join())
  const before = lastImport()
  const isSame = before?.items === items && !before.isEnded
  const last: LastImport = isSame
    ? before
    : { id: randomId(), items, at: Date.now(), changed: 0, isEnded: false }
  if (imported.settings && isSettingsTaken) last.settings = takenSettings(imported.settings, last.settings)
  store.setState({
    sent: {
      ...{ last, entries: entriesOf(imported, corrections), isRunning: false, waitsFor: '', failure: '' },
      ...{ done: 0, counts: { added: 0, existing: 0, restored: 0 }, refused: [] },
    },
  })
  await goOn()
}

function withTitles(notes: readonly ImportedNote[], idOfTitle: IdOfTitle): ImportedNote[] {
  const ids = new Map(notes.map(({ _id, text }) => [fold(summaryOf(text).title), _id]))
  return notes.map((note) => {
    const text = withTitleLinks(note.text, (title) => ids.get(fold(title)) ?? idOfTitle(title))
    return isLonger(text, noteLength.max) ? note : { ...note, text }
  })
}

/** Takes over the settings that this version has, since the server refuses a call with others. Returns what to restore by an undo. */
function takenSettings(settings: object, earlier: LastImport['settings']): LastImport['settings'] {
  const now: { [name: string]: unknown } = settingsNow()
  const taken = Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => Object.hasOwn(defaultSettings, name) && value !== now[name],
    ),
  )
  if (Object.keys(taken).length === 0) return earlier
  const before = Object.fromEntries(Object.keys(taken).map((name) => [name, now[name]]))
  changeSettings(taken)
  return { before: { ...before, ...earlier?.before }, taken: { ...earlier?.taken, ...taken } }
}

/** Makes settings what they were before an import, except those that were changed since. */
function restoreSettings({ before, taken }: NonNullable<LastImport['settings']>) {
  const now: { [name: string]: unknown } = settingsNow()
  const since = new Set(Object.entries(taken).flatMap(([name, value]) => (now[name] === value ? [] : [name])))
  const restored = Object.entries(before).filter(([name]) => !since.has(name))
  if (restored.length > 0) changeSettings(Object.fromEntries(restored))
}

/** Sends what is left of an import that was interrupted. */
export async function goOn() {
  const { sent } = store.getState()
  if (!sent || sent.isRunning) return
  const { last, entries } = sent
  sending = new AbortController()
  const change = (changed: Partial<SentImport>) => {
    const { sent: current } = store.getState()
    if (current) store.setState({ sent: { ...current, ...changed } })
  }
  const keep = ({ counts }: Progress, isEnded: boolean) => {
    const kept = { ...last, changed: counts.added + counts.restored, isEnded }
    change({ last: kept })
    keepLastImport(kept)
  }
  change({ isRunning: true, failure: '', waitsFor: '' })
  store.setState({ isDeclined: false })
  keep(sent, false)
  try {
    await sendImport({
      ...{ id: last.id, entries, from: sent, signal: sending.signal },
      onProgress(progress) {
        change(progress)
        keep(progress, progress.done === entries.length)
      },
      onWait: (waitsFor) => change({ waitsFor }),
    })
    change({ isRunning: false })
  } catch (error) {
    if (!sending.signal.aborted) console.error(error)
    change({ isRunning: false, failure: sending.signal.aborted ? '' : (error as Error).message })
  }
}

/** Ends the import that runs. What was sent stays. */
export const cancelImport = () => sending.abort()

/** Takes an import back, or what is left of it. */
export async function undoImport(last: LastImport) {
  const { sent, undoing: before } = store.getState()
  if (sent?.isRunning || before?.isRunning) return
  const start = before?.last.id === last.id ? before : { last, removed: 0, kept: 0, next: undefined }
  let undoing: Undoing = { ...start, isRunning: true, failure: '' }
  const show = (changed: Partial<Undoing>) => {
    undoing = { ...undoing, ...changed }
    store.setState({ undoing })
  }
  show({})
  store.setState({ isDeclined: false })
  const { signal } = new AbortController()
  try {
    while (undoing.next !== null) {
      const after = undoing.next
      const body = { import: last.id, ...(after !== undefined && { after }) }
      const { data } = await pageSigns.untilDone(() => call('POST /import/undo', { body }), signal, mayPass)
      show({ removed: undoing.removed + data.removed, kept: undoing.kept + data.kept, next: data.next })
    }
    if (last.settings) restoreSettings(last.settings)
    keepLastImport(undefined)
    show({ isRunning: false })
  } catch (error) {
    console.error(error)
    show({ isRunning: false, failure: (error as Error).message })
  }
}

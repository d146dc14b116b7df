import { useStore } from 'zustand'
import { fold } from '#contract/folding.ts'
import { hashedId } from '#contract/hashed-id.ts'
import { keptFor, noteLength } from '#contract/limits.ts'
import { summaryOf } from '#contract/note-summary.ts'
import { defaultSettings } from '#contract/settings.ts'
import { storedValue } from '../api/session.ts'
import type { Engine } from '../engine/engine.ts'
import { randomId } from '../engine/entry.ts'
import type {
  ImportedNote,
  ImportFile,
  ImportState,
  LastImport,
  Progress,
  SentImport,
  Undoing,
} from '../engine/imported.ts'
import type { Needs } from '../engine/needs.ts'
import { mayPass } from '../engine/sync/retry-delay.ts'
import { type IdOfTitle, withTitleLinks } from '../notes/markdown/note-titles.ts'
import { changeSettings, settingsNow } from '../settings/settings-store.ts'
import { useEngine } from '../state/use-engine.tsx'
import { readInWorker } from './chosen-files.ts'
import { isLonger } from './parsing/fitted-text.ts'
import { entriesOf, noCorrections, sendImport } from './sent-import.ts'

const nothing: ImportState = {
  files: [],
  choices: {},
  reading: undefined,
  imported: undefined,
  corrections: noCorrections,
  isSettingsTaken: true,
  failure: '',
  room: undefined,
  isDeclined: false,
  sent: undefined,
  undoing: undefined,
}

type Importing = Pick<Engine, 'imports' | 'needs'>

export const importNow = ({ imports }: Importing): ImportState => imports.getState() ?? nothing

export const useImport = (): ImportState => useStore(useEngine().imports) ?? nothing

export const changeImport = (engine: Importing, changed: Partial<ImportState>) =>
  engine.imports.setState({ ...importNow(engine), ...changed })

/** Reads chosen files for the preview, unless an import runs. */
export function readFiles(engine: Importing, files: readonly ImportFile[]) {
  const { sent, undoing } = importNow(engine)
  if (files.length === 0) return
  if (sent?.running || undoing?.isRunning) return changeImport(engine, { isDeclined: true })
  leaveImport(engine)
  changeImport(engine, { files })
  readAgain(engine, {})
  const { call } = engine.needs
  call('GET /import').then(({ data: { room } }) => changeImport(engine, { room }), console.error)
}

export async function readAgain(engine: Importing, changed: ImportState['choices']) {
  const { files, choices: before, reading: earlier } = importNow(engine)
  earlier?.abort()
  const reading = new AbortController()
  const choices = { ...before, ...changed }
  changeImport(engine, { choices, reading, failure: '' })
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions()
  const show = (read: Partial<ImportState>) => changeImport(engine, { ...read, reading: undefined })
  const options = { account: engine.needs.account ?? '', zone, now: new Date(), ...choices }
  try {
    const answer = await readInWorker({ files, options }, reading.signal)
    if ('error' in answer) throw new Error(answer.error)
    show({ imported: undefined, failure: '', ...answer })
  } catch (error) {
    if (reading.signal.aborted) return
    console.error(error)
    show({ imported: undefined, failure: 'The file could not be read. Try again.' })
  }
}

export function leaveImport(engine: Importing) {
  importNow(engine).reading?.abort()
  engine.imports.setState(undefined, true)
}

/**
 * Sends what the preview shows, or the rest of the same items if that was interrupted before. Titles in brackets become links to notes of
 * the import and of the account, whose ids `idOfTitle` knows; an export of Daymark stays as it is.
 */
export async function startImport(engine: Importing, idOfTitle: IdOfTitle = () => undefined) {
  const { imported: read, corrections, isSettingsTaken, sent } = importNow(engine)
  if (!read || sent) return
  const imported = read.source === 'daymark' ? read : { ...read, notes: withTitles(read.notes, idOfTitle) }
  const items = hashedId([...imported.tasks, ...imported.notes].map(({ _id }) => _id).join())
  const before = lastImport(engine)
  const isSame = before?.items === items && !before.isEnded
  const last: LastImport = isSame
    ? before
    : { id: randomId(), items, at: engine.needs.now(), changed: 0, isEnded: false }
  if (imported.settings && isSettingsTaken) last.settings = takenSettings(imported.settings, last.settings)
  changeImport(engine, {
    sent: {
      ...{ last, entries: entriesOf(imported, corrections), running: undefined, waitsFor: '', failure: '' },
      ...{ done: 0, counts: { added: 0, existing: 0, restored: 0 }, refused: [] },
    },
  })
  await goOn(engine)
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

export async function goOn(engine: Importing) {
  const { sent } = importNow(engine)
  if (!sent || sent.running) return
  const { last, entries } = sent
  const running = new AbortController()
  const change = (changed: Partial<SentImport>) => {
    const { sent: current } = importNow(engine)
    if (current) changeImport(engine, { sent: { ...current, ...changed } })
  }
  const keep = ({ done, counts, refused }: Progress) => {
    const isEnded = done > 0 && done === entries.length
    const kept = { ...last, changed: counts.added + counts.restored, isEnded }
    change({ done, counts, refused, last: kept })
    keepLastImport(engine.needs, kept)
  }
  changeImport(engine, { isDeclined: false })
  change({ running, failure: '', waitsFor: '' })
  keep(sent)
  try {
    await sendImport({
      ...{ needs: engine.needs, id: last.id, entries, from: sent, signal: running.signal, onProgress: keep },
      onWait: (waitsFor) => change({ waitsFor }),
    })
    change({ running: undefined })
  } catch (error) {
    const isCancelled = running.signal.aborted
    if (!isCancelled) console.error(error)
    change({ running: undefined, failure: isCancelled ? '' : (error as Error).message })
  }
}

export async function undoImport(engine: Importing, last: LastImport) {
  const { call, untilDone } = engine.needs
  const { sent, undoing: before } = importNow(engine)
  if (sent?.running || before?.isRunning) return
  const start = before?.last.id === last.id ? before : { last, removed: 0, kept: 0, next: undefined }
  let undoing: Undoing = { ...start, isRunning: true, failure: '' }
  const show = (changed: Partial<Undoing>) => {
    undoing = { ...undoing, ...changed }
    changeImport(engine, { undoing })
  }
  changeImport(engine, { isDeclined: false })
  show({})
  const { signal } = new AbortController()
  try {
    while (undoing.next !== null) {
      const after = undoing.next
      const body = { import: last.id, ...(after !== undefined && { after }) }
      const { data } = await untilDone(() => call('POST /import/undo', { body }), signal, mayPass)
      show({ removed: undoing.removed + data.removed, kept: undoing.kept + data.kept, next: data.next })
    }
    if (last.settings) restoreSettings(last.settings)
    keepLastImport(engine.needs, undefined)
    show({ isRunning: false })
  } catch (error) {
    console.error(error)
    show({ isRunning: false, failure: (error as Error).message })
  }
}

export const hasChanges = ({ changed, settings }: LastImport) => changed > 0 || settings !== undefined

/** With the account, so that another one that is used in this browser does not see it. */
const keyOf = ({ account }: Needs) => `import ${account} last`

/** Of the signed-in account. Undefined if there is none that can be undone. */
export function lastImport({ needs }: Importing): LastImport | undefined {
  const last = storedValue<LastImport>(needs.local, keyOf(needs))
  return last && last.at > needs.now() - keptFor ? last : undefined
}

export function keepLastImport(needs: Needs, last: LastImport | undefined) {
  if (needs.isOver() || needs.account === undefined) return
  try {
    if (last === undefined) needs.local.removeItem(keyOf(needs))
    else needs.local.setItem(keyOf(needs), JSON.stringify(last))
  } catch (error) {
    console.warn('The last import could not be kept in this browser.', error)
  }
}

import type { Note, NoteSummary } from '#contract/notes.ts'
import { complete, type DeviceDatabase, type KeptText } from './device-database.ts'
import type { Store } from './store.ts'

/** The bytes of all kept texts, and the number of texts that are read at once. */
const limits = { bytes: 50 * 2 ** 20, read: 20 }

/** With less than this part free, nothing is fetched, because the next text could be too large. */
const fullAt = 1 / 32

type Kept = Record<string, KeptText>

/** Keeps texts of notes in the database of the replica: first of pinned notes, then of those opened last, then of the newest. */
export function createDeviceTexts({ open, isOwn }: DeviceDatabase, store: Store, { bytes, read } = limits) {
  const opened = new Set<string>()
  const stopListening = store.subscribe((ids) => {
    for (const id of ids) if (store.text(id)) opened.add(id)
  })

  /** The order of keeping texts. `store.notes` has newer ones first. */
  const ranked = (kept: Kept) => {
    const openedAt = ({ _id }: NoteSummary) => kept[_id]?.at ?? 0
    return store
      .notes(false)
      .toSorted((one, other) => Number(other.pinned) - Number(one.pinned) || openedAt(other) - openedAt(one))
  }

  /** Stores texts, and drops the last-ranked ones without space. `at`: when they were opened. */
  async function put(notes: readonly Note[], at: number) {
    const transaction = (await open()).transaction(['texts', 'state'], 'readwrite')
    const [texts, states] = [transaction.objectStore('texts'), transaction.objectStore('state')]
    const state = await states.get('state')
    if (!isOwn(state)) return
    const kept = { ...state.texts }
    // A note may be deleted for good while its text is fetched.
    const there = notes.filter(({ _id }) => !store.gone.has(_id))
    for (const { _id, version, text } of there)
      kept[_id] = { version, bytes: 2 * text.length, at: Math.max(at, kept[_id]?.at ?? 0) }
    const dropped = beyond(kept)
    for (const id of dropped) delete kept[id]
    await complete(transaction, () => [
      ...there.map((note) => texts.put(note)),
      ...dropped.map((id) => texts.delete(id)),
      states.put({ ...state, texts: kept }, 'state'),
    ])
  }

  /** If the texts do not fit: those that come last, and those of deleted notes. */
  function beyond(kept: Kept): string[] {
    let left = bytes
    for (const { bytes } of Object.values(kept)) left -= bytes
    if (left >= 0) return []
    left = bytes
    const fitting = new Set<string>()
    for (const note of ranked(kept)) {
      left -= kept[note._id]?.bytes ?? 0
      if (left < 0) break
      fitting.add(note._id)
    }
    return Object.keys(kept).filter((id) => !fitting.has(id))
  }

  return {
    close: stopListening,

    async save() {
      const notes = [...opened].flatMap((id) => store.text(id) ?? [])
      opened.clear()
      if (notes.length > 0) await put(notes, Date.now())
    },

    keep: (notes: readonly Note[]) => put(notes, 0),

    /** The notes that have space, and whose current texts are neither on this device nor in the store. */
    async missing(): Promise<NoteSummary[]> {
      const state = await (await open()).get('state', 'state')
      if (!isOwn(state)) return []
      let left = bytes
      const missing: NoteSummary[] = []
      for (const note of ranked(state.texts)) {
        const kept = state.texts[note._id]
        left -= kept?.bytes ?? 0
        if (left < fullAt * bytes) break
        if (kept?.version !== note.version && !store.text(note._id)) missing.push(note)
      }
      return missing
    },

    async hasAll(): Promise<boolean> {
      const state = await (await open()).get('state', 'state')
      const isHeld = ({ _id, version }: NoteSummary) =>
        state?.texts[_id]?.version === version || store.text(_id) !== undefined
      return isOwn(state) && store.notes(false).every(isHeld)
    },

    get: async (id: string): Promise<Note | undefined> => (await open()).get('texts', id),

    async *all(): AsyncGenerator<Note[]> {
      const database = await open()
      for (let after = ''; ; ) {
        const part = await database.getAll('texts', IDBKeyRange.lowerBound(after, true), read)
        yield part
        if (part.length < read) return
        after = part.at(-1)?._id ?? ''
      }
    },
  }
}

import type { Note } from '#contract/notes.ts'
import { complete, type DeviceDatabase } from './device-database.ts'
import type { Store } from './store.ts'

/** The size of all texts that are kept, in bytes. */
const textBytes = 50 * 2 ** 20

/** Keeps the texts of notes that were opened, or are pinned, in the database of the replica. */
export function createDeviceTexts({ open, isOwn }: DeviceDatabase, store: Store) {
  const opened = new Set<string>()
  const stopListening = store.subscribe((ids) => {
    for (const id of ids) if (store.text(id)) opened.add(id)
  })

  return {
    close: stopListening,

    /** Stores the texts of opened notes, and drops those that were opened longest ago if all are too large. */
    async save() {
      const notes = [...opened].flatMap((id) => store.text(id) ?? [])
      opened.clear()
      if (notes.length === 0) return
      const transaction = (await open()).transaction(['texts', 'state'], 'readwrite')
      const [texts, states] = [transaction.objectStore('texts'), transaction.objectStore('state')]
      const state = await states.get('state')
      if (!isOwn(state)) return
      const kept = { ...state.texts }
      for (const { _id, version, text } of notes)
        kept[_id] = { version, bytes: 2 * text.length, at: Date.now() }
      let left = textBytes
      const dropped = Object.entries(kept)
        .sort(([, one], [, other]) => other.at - one.at)
        .flatMap(([id, { bytes }]) => {
          left -= bytes
          return left < 0 ? [id] : []
        })
      for (const id of dropped) delete kept[id]
      await complete(transaction, () => [
        ...notes.map((note) => texts.put(note)),
        ...dropped.map((id) => texts.delete(id)),
        states.put({ ...state, texts: kept }, 'state'),
      ])
    },

    /** The ids of pinned notes whose current texts are neither on this device nor in the store. */
    async missing(): Promise<string[]> {
      const state = await (await open()).get('state', 'state')
      return store
        .notes(false)
        .filter(
          ({ _id, pinned, version }) =>
            pinned && isOwn(state) && state.texts[_id]?.version !== version && !store.text(_id),
        )
        .map(({ _id }) => _id)
    },

    /** The text of a note that was opened before, or is pinned. */
    get: async (id: string): Promise<Note | undefined> => (await open()).get('texts', id),
  }
}

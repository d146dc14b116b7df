import { createStore as createState } from 'zustand/vanilla'
import { createChanges, type Repeats } from './changes.ts'
import { randomId } from './entry.ts'
import type { ImportState } from './imported.ts'
import { localJournalStorage } from './journal/entries.ts'
import { createJournal } from './journal/journal.ts'
import { createTransport } from './journal/sender.ts'
import { createFormDrafts, createUnsent } from './kept/unsent-storage.ts'
import type { Needs } from './needs.ts'
import { createQuickLines } from './quick-lines.ts'
import { createSelection } from './selection.ts'
import type { Device } from './store/device.ts'
import { createAllFetched } from './store/fetched.ts'
import { createConnection } from './store/page-connection.ts'
import { createReplication } from './store/replication.ts'
import { createStore } from './store/store.ts'
import { createTags } from './store/tags-in-use.ts'
import { createUndo } from './undo.ts'
import { createUndoHistory } from './undo-history.ts'
import { createWaiting } from './waiting.ts'

export type Parts = ReturnType<typeof createParts>

export function createParts(needs: Needs) {
  const store = createStore()
  const unsent = createUnsent(needs)
  const formDrafts = createFormDrafts(unsent, needs)
  const connection = createConnection(needs)
  const begun = { needs, fetched: createAllFetched(), store, unsent, formDrafts, connection }
  const journal = createJournal(store, {
    ...createTransport(begun),
    storage: localJournalStorage(unsent, needs),
    newId: randomId,
  })
  const history = createUndoHistory()
  journal.onNumbered(history.getState().numbered)
  const made = { ...begun, journal, history, repeats: {} as Repeats }
  const parts = { ...made, changes: createChanges(made) }
  return {
    ...parts,
    replication: createReplication(store),
    /** Resolves when the storage of this device has been read. Stays pending if nothing is stored. */
    device: Promise.withResolvers<Device>(),
    tags: createTags(store),
    undo: createUndo(parts),
    waiting: createWaiting(parts),
    selection: createSelection(),
    quickLines: createQuickLines(parts),
    imports: createState<ImportState | undefined>()(() => undefined),
  }
}

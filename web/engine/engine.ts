import { createChanges } from './changes.ts'
import { createPageJournal } from './journal/page-journal.ts'
import { createQuickLines } from './quick-lines.ts'
import { createSelection } from './selection.ts'
import type { Device } from './store/device.ts'
import { createAllFetched } from './store/fetched.ts'
import { createReplication } from './store/replication.ts'
import { createStore } from './store/store.ts'
import { createTags } from './store/tags-in-use.ts'
import { createUndo } from './undo.ts'
import { createUndoHistory } from './undo-history.ts'
import { createWaiting } from './waiting.ts'

export type Engine = ReturnType<typeof createEngine>

/** Everything between a press and the server, for one visit of an account to the dashboard. */
export function createEngine() {
  const fetched = createAllFetched()
  const store = createStore()
  const journal = createPageJournal({ fetched, store })
  const history = createUndoHistory()
  const changes = createChanges({ fetched, store, journal, history })
  return {
    fetched,
    store,
    replication: createReplication(store),
    /** The storage of this device, as soon as it has been read; if nothing is stored, the promise stays pending. */
    device: Promise.withResolvers<Device>(),
    tags: createTags(store),
    journal,
    history,
    changes,
    undo: createUndo({ store, journal, history, changes }),
    waiting: createWaiting({ store, journal }),
    selection: createSelection(),
    quickLines: createQuickLines({ journal, changes }),
  }
}

import type { DatabaseSync } from 'node:sqlite'
import { atEndOfTurn } from '../../turns/turns.ts'
import type { OnError } from './dialect.ts'

type Snapshot = {
  /** Called before each query. */
  open(): void
  /** Called before each commit of the writer. */
  close(): void
}

/**
 * Makes the queries of one turn of the event loop share a read transaction. Otherwise SQLite locks the file, looks for
 * changes and unlocks the file for each query, which takes a tenth of the time of a list. It ends before requests that have
 * arrived are started. Each request therefore reads everything that was committed before it arrived, also by other servers.
 */
export function snapshotPerTurn(file: DatabaseSync, onError: OnError): Snapshot {
  // On a damaged file a commit can fail, and the transaction would stay open.
  const [begin, end] = [file.prepare('begin'), file.prepare('rollback')]

  function close() {
    if (!file.isOpen || !file.isTransaction) return
    try {
      end.run()
    } catch (error) {
      onError(error)
    }
  }

  return {
    open() {
      if (file.isTransaction) return
      begin.run()
      atEndOfTurn(close)
    },
    close,
  }
}

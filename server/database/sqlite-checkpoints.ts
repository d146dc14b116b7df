import { once } from 'node:events'
import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import type { SqliteFile } from './sqlite-file.ts'

/** The number of pages between two checkpoints. Fewer would write a page that changes often more than once. */
const defaultPages = 8000

/** Copies the WAL into the database file, in a thread of its own. */
export type Checkpoints = {
  /** Called after each commit. */
  committed(): void
  /** Waits for a running checkpoint and ends the thread. */
  close(): Promise<void>
}

/**
 * Starts a checkpoint whenever the WAL contains `pages` pages that have not been copied. It writes and syncs megabytes,
 * which would block all calls if the writer did it. But while others write, a thread rarely reaches the end of the
 * WAL, and SQLite returns to its beginning only if all of it has been copied. So the writer copies the last pages.
 */
export function checkpointInThread(
  path: string,
  writer: DatabaseSync,
  watched: SqliteFile,
  pages = defaultPages,
): Checkpoints {
  const sizes = writer.prepare('pragma wal_checkpoint(noop)')
  let thread: Worker | undefined
  let running: Promise<void> | undefined
  let isCopied = false

  async function copy() {
    thread ??= await start()
    watched.checkpointing()
    try {
      thread.postMessage('copy')
      await once(thread, 'message')
      isCopied = true
    } finally {
      watched.checkpointed()
    }
  }

  async function start(): Promise<Worker> {
    const started = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { workerData: path })
    started.unref()
    await once(started, 'message')
    // The thread opens what is at the path now, which must be what the writer has opened.
    if (!watched.fault()) return started
    await started.terminate()
    throw new Error(`${path} was replaced.`)
  }

  /**
   * Copies what a checkpoint has left, and returns the number of pages that wait in the WAL. Never throws: the commit before
   * it succeeded.
   */
  function copyRest(): number {
    try {
      if (isCopied) {
        isCopied = false
        writer.exec('pragma wal_checkpoint(passive)')
      }
      const { log, checkpointed } = sizes.get() as { log: number; checkpointed: number }
      return log - checkpointed
    } catch (error) {
      watched.note(error)
      return 0
    }
  }

  return {
    committed() {
      if (running || copyRest() < pages) return
      running = copy()
        .catch((error) => {
          // For example, the disk is full. The changes are safe in the WAL, and SQLite itself copies one that grows too long.
          watched.note(error)
          thread = undefined
        })
        .finally(() => {
          running = undefined
        })
    },
    async close() {
      await running
      await thread?.terminate()
    },
  }
}

import { type BigIntStats, statSync } from 'node:fs'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Fault } from '../database.ts'
import { walSizeLimit } from './connection.ts'
import { isDamage } from './errors.ts'
import { damaged, emptied, lost } from './faults.ts'
import { realPath } from './marker.ts'

/** Compares the files at the database's paths with the opened ones, which SQLite itself does not do. */
export type SqliteFile = {
  fault(): Fault | undefined
  /** Called when SQLite has created the WAL file, with a connection that does not write. */
  opened(reader: DatabaseSync): void
  revision(): number | undefined
  /** Called after each commit, so that other changes of the file can be attributed to other programs. */
  committed(): void
  recordError(error: unknown): void
  /**
   * Checks for damage on the first call, and on the first call after another program has changed the file. Other calls resolve
   * at once.
   */
  inspect(signal: AbortSignal): Promise<void>
  /** Whether closing may write the WAL into the file. It must not if another program has replaced the file. */
  mayClose(): boolean
}

export function watchSqliteFile(path: string): SqliteFile {
  const [log, index] = [`${realPath(path)}-wal`, `${realPath(path)}-shm`]
  let opened = look()
  let last = opened
  let damage: string | undefined
  let dataVersion: StatementSync | undefined
  let suspect = true
  let changedByOthers = false

  function look() {
    return { file: stat(path), log: stat(log), index: stat(index) }
  }

  function fault(): Fault | undefined {
    if (damage !== undefined) return damaged(path, damage)
    const now = look()
    if (!isSame(now.file, opened.file)) return lost(path, now.file)
    if (now.file?.size === 0n) return emptied(path)
    if (!isSame(now.log, opened.log)) return lost(log, now.log)
    if (!isSame(now.index, opened.index)) return lost(index, now.index)
    if (isUntouched(now.file, last.file)) {
      // The commit of another server may truncate the WAL to its limit. If the WAL is shorter than that, another program has
      // emptied it. A checkpoint that truncates the WAL also changes the file, unless an earlier checkpoint has copied all of
      // the WAL.
      if (sizeOf(now.log) < Math.min(sizeOf(last.log), walSizeLimit)) return emptied(log)
    } else {
      suspect = changedByOthers = true
      last = now
    }
  }

  return {
    fault,
    opened(reader) {
      opened = last = look()
      dataVersion = reader.prepare('pragma data_version')
    },
    revision() {
      try {
        return dataVersion?.get()?.data_version as number
      } catch {
        // The queries that follow report it.
        return undefined
      }
    },
    committed() {
      last = look()
    },
    recordError(error) {
      if (isDamage(error)) damage ??= (error as Error).message
    },
    async inspect(signal) {
      if (!suspect) return
      suspect = false
      // Loaded after the start, to keep the start fast.
      const { findDamage } = await import('./integrity-check.ts')
      const found = await findDamage(path, signal)
      // What a query has met meanwhile stays, so that one damage is reported once.
      damage ??= found
    },
    mayClose() {
      if (damage !== undefined || changedByOthers) return false
      const now = look()
      const isOurs = isSame(now.file, opened.file) && isUntouched(now.file, last.file)
      const [ourLog, ourIndex] = [isSame(now.log, opened.log), isSame(now.index, opened.index)]
      return isOurs && (ourLog || sizeOf(now.log) === 0) && (ourIndex || !now.index)
    },
  }
}

const stat = (file: string) => statSync(file, { bigint: true, throwIfNoEntry: false })

type Stats = BigIntStats | undefined

const isSame = (a: Stats, b: Stats) => a?.ino === b?.ino && a?.dev === b?.dev
const isUntouched = (a: Stats, b: Stats) => a?.mtimeNs === b?.mtimeNs && a?.size === b?.size
const sizeOf = (stats: Stats) => Number(stats?.size ?? 0n)

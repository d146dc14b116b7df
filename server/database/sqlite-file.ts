import { type BigIntStats, statSync } from 'node:fs'
import type { Fault } from './database.ts'
import { isDamage } from './sqlite-errors.ts'
import { damaged, emptied, lost } from './sqlite-faults.ts'
import { realPath } from './sqlite-marker.ts'

/** The files of an open database, compared with what was opened: SQLite itself does not notice that a name leads elsewhere. */
export type SqliteFile = {
  /** Why what is written would be lost, or undefined. */
  fault(): Fault | undefined
  /** Called when SQLite has made the log beside the file. */
  opened(): void
  /** Called after each commit: whatever else changes the file is not us. */
  committed(): void
  /** Takes note of an error that SQLite threw, if it says that the file is damaged. */
  note(error: unknown): void
  /** Looks for damage, at first and after each change from outside; resolves at once where there is no reason to. */
  inspect(signal: AbortSignal): Promise<void>
  /** Whether the log may be written into the file and removed: not over a file that somebody else has put there. */
  mayClose(): boolean
}

export function watchSqliteFile(path: string): SqliteFile {
  const [log, index] = [`${realPath(path)}-wal`, `${realPath(path)}-shm`]
  let opened = look()
  let last = opened
  let damage: string | undefined
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
      // SQLite cuts its log at commits alone, and another program only after it has written it into the file.
      if (sizeOf(now.log) < sizeOf(last.log)) return emptied(log)
    } else {
      suspect = changedByOthers = true
      last = now
    }
  }

  return {
    fault,
    opened() {
      opened = last = look()
    },
    committed() {
      last = look()
    },
    note(error) {
      if (isDamage(error)) damage ??= (error as Error).message
    },
    async inspect(signal) {
      if (!suspect) return
      suspect = false
      // Loaded when the start is over.
      const { findDamage } = await import('./integrity-check.ts')
      damage ??= await findDamage(path, signal)
    },
    mayClose() {
      if (damage !== undefined || changedByOthers) return false
      const now = look()
      const isOurs = isSame(now.file, opened.file) && isUntouched(now.file, last.file)
      const [ourLog, ourIndex] = [isSame(now.log, opened.log), isSame(now.index, opened.index)]
      return isOurs && (ourLog || sizeOf(now.log) === 0n) && (ourIndex || !now.index)
    },
  }
}

const stat = (file: string) => statSync(file, { bigint: true, throwIfNoEntry: false })

type Stats = BigIntStats | undefined

const isSame = (a: Stats, b: Stats) => a?.ino === b?.ino && a?.dev === b?.dev
const isUntouched = (a: Stats, b: Stats) => a?.mtimeNs === b?.mtimeNs && a?.size === b?.size
const sizeOf = (stats: Stats) => stats?.size ?? 0n

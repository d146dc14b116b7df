import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { ConfigError } from '../environment.ts'
import { type Backup, listBackups, removeOldBackups } from './backup-folder.ts'

const run = promisify(execFile)
const command = join(import.meta.dirname, 'backup-command.ts')

/** In milliseconds: the delay after a failed backup, and the maximum of one timer. */
const [retryDelay, maxTimer] = [300_000, 86_400_000]

export type Backups = { lastVerified(): Backup | undefined }

/**
 * Takes a backup whenever the newest one is older than BACKUP_EVERY, while the server listens. Each backup runs in a
 * separate process, so it does not delay requests, and a stop of the server does not wait for it.
 */
export function scheduleBackups(
  app: FastifyInstance,
  databaseUrl: URL,
  { folder, keep, everySeconds }: NonNullable<Config['backup']>,
  fault: Database['fault'],
): Backups {
  if (databaseUrl.protocol !== 'file:') {
    throw new ConfigError('BACKUP_DIR requires a file: database; use pg_dump to back up PostgreSQL')
  }
  const every = everySeconds * 1000
  const closing = new AbortController()
  const environment = { ...process.env, DATABASE_URL: databaseUrl.href, DATABASE_URL_FILE: '' }
  let newest: Backup | undefined
  let timer: NodeJS.Timeout
  const warned = new Set<string>()

  function at(due: number) {
    if (closing.signal.aborted) return
    const wait = Math.min(due - Date.now(), maxTimer)
    timer = setTimeout(() => (Date.now() >= due ? turn() : at(due)), wait).unref()
  }

  async function findNewest() {
    const { backups, ignored } = await listBackups(folder)
    newest = backups[0]
    for (const { file, reason } of ignored) {
      if (warned.has(file)) continue
      warned.add(file)
      app.log.warn(`backup: ${JSON.stringify(file)} is ignored: ${reason}`)
    }
  }

  async function turn() {
    const started = Date.now()
    let next = Math.min(every, retryDelay)
    try {
      // The backup would be a copy of the wrong file, and later ones would replace all valid backups.
      const { report } = fault() ?? {}
      if (report) throw new Error(report)
      const { stdout } = await run(process.execPath, [command, `--to=${folder}`], {
        env: environment,
        signal: closing.signal,
      })
      next = every
      await findNewest()
      app.log.info(`backup: ${stdout.trim()}`)
      await removeOldBackups(folder, keep)
    } catch (error) {
      if (closing.signal.aborted) return
      app.log.error(`backup failed: ${reasonOf(error)}`)
    }
    at(started + next)
  }

  app.addHook('onReady', async () => {
    await findNewest().catch(() => {})
  })
  app.addHook('onListen', async () => {
    const age = newest ? Date.now() - newest.at.epochMilliseconds : every
    at(Date.now() + Math.max(0, every - age))
  })
  app.addHook('onClose', () => {
    closing.abort()
    clearTimeout(timer)
  })
  return { lastVerified: () => newest }
}

/** Returns the error output of the backup process, or the error that prevented it. */
const reasonOf = (error: unknown) => {
  const { stderr, message } = error as Error & { stderr?: string }
  return stderr?.trim() || message
}

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { every } from '../background.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { ConfigError } from '../environment.ts'
import { type Backup, listBackups, removeOldBackups } from './backup-folder.ts'

const run = promisify(execFile)
const command = join(import.meta.dirname, 'backup-command.ts')

/** The delay after a failed backup, in milliseconds. */
const retryDelay = 300_000

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
  const interval = everySeconds * 1000
  const environment = { ...process.env, DATABASE_URL: databaseUrl.href, DATABASE_URL_FILE: '' }
  let newest: Backup | undefined
  let due = 0
  const warned = new Set<string>()

  async function findNewest() {
    const { backups, ignored } = await listBackups(folder)
    newest = backups[0]
    for (const { file, reason } of ignored) {
      if (warned.has(file)) continue
      warned.add(file)
      app.log.warn(`backup: ${JSON.stringify(file)} is ignored: ${reason}`)
    }
  }

  async function backUpIfDue(stop: AbortSignal) {
    const started = Date.now()
    if (started < due) return due - started
    due = started + Math.min(interval, retryDelay)
    try {
      // The backup would be a copy of the wrong file, and later ones would replace all valid backups.
      const { report } = fault() ?? {}
      if (report) throw new Error(report)
      const { stdout } = await run(process.execPath, [command, `--to=${folder}`], {
        env: environment,
        signal: stop,
      })
      due = started + interval
      await findNewest()
      app.log.info(`backup: ${stdout.trim()}`)
      await removeOldBackups(folder, keep)
    } catch (error) {
      if (!stop.aborted) app.log.error(`backup failed: ${reasonOf(error)}`)
    }
    return due - Date.now()
  }

  app.addHook('onReady', async () => {
    await findNewest().catch(() => {})
    if (newest) due = newest.at.epochMilliseconds + interval
  })
  every(app, 'the scheduled backup', backUpIfDue)
  return { lastVerified: () => newest }
}

/** Returns the error output of the backup process, or the error that prevented it. */
const reasonOf = (error: unknown) => {
  const { stderr, message } = error as Error & { stderr?: string }
  return stderr?.trim() || message
}

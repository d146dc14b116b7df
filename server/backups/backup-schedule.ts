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

/** Milliseconds: when a failed backup is tried again, and how long a timer can be. */
const [soon, longestTimer] = [300_000, 86_400_000]

export type Backups = { lastVerified(): Backup | undefined }

/**
 * Takes a backup whenever the newest is older than BACKUP_EVERY, for as long as the server listens. Each is the work of
 * a process of its own: copying and checking never holds up a request, and stopping the server need not wait for it.
 */
export function scheduleBackups(
  app: FastifyInstance,
  databaseUrl: URL,
  { folder, keep, everySeconds }: NonNullable<Config['backup']>,
  fault: Database['fault'],
): Backups {
  if (databaseUrl.protocol !== 'file:') {
    throw new ConfigError('BACKUP_DIR is for a file: database; PostgreSQL is backed up with its own pg_dump')
  }
  const every = everySeconds * 1000
  const closing = new AbortController()
  const environment = { ...process.env, DATABASE_URL: databaseUrl.href, DATABASE_URL_FILE: '' }
  let newest: Backup | undefined
  let timer: NodeJS.Timeout
  const warned = new Set<string>()

  function at(due: number) {
    if (closing.signal.aborted) return
    const wait = Math.min(due - Date.now(), longestTimer)
    timer = setTimeout(() => (Date.now() >= due ? turn() : at(due)), wait).unref()
  }

  async function findNewest() {
    const { backups, ignored } = await listBackups(folder)
    newest = backups[0]
    for (const { file, reason } of ignored) {
      if (warned.has(file)) continue
      warned.add(file)
      app.log.warn(`backup: ${JSON.stringify(file)} is left alone and not counted: ${reason}`)
    }
  }

  async function turn() {
    const started = Date.now()
    let next = Math.min(every, soon)
    try {
      // It would be a good copy of the wrong file, and in time push out every copy of the right one.
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

/** What the backup's own process said, or what kept it from saying anything. */
const reasonOf = (error: unknown) => {
  const { stderr, message } = error as Error & { stderr?: string }
  return stderr?.trim() || message
}

import { CommandError, countsOf, readOptions, runCommand } from '../command.ts'
import { readConfig } from '../config.ts'
import { restoreBackup } from './restore.ts'

const usage = `restore FILE
Replaces the SQLite database with a backup, and keeps the previous one under another name. The server must be stopped.
The database is that of DATABASE_URL, data/daymark.sqlite by default.`

await runCommand(async () => {
  const { positionals } = readOptions(usage, { options: {}, allowPositionals: true })
  const [backup] = positionals
  if (!backup || positionals.length > 1)
    throw new CommandError('Name one backup, for example data/backups/daymark-2026-11-21T030405Z.sqlite')
  const { databaseUrl } = readConfig(process.env)
  if (databaseUrl.protocol !== 'file:') {
    throw new CommandError(
      'PostgreSQL is restored with its own pg_restore: see "Backup and restore" in docs/operating.md',
    )
  }
  const { file, rows, kept } = await restoreBackup(databaseUrl, backup)
  const before = kept ? ` The previous database is kept as ${kept}.` : ''
  return `${file}: restored from ${backup}, verified (${countsOf(rows)}).${before}`
})

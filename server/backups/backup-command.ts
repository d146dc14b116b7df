import { CommandError, countsOf, readOptions, runCommand } from '../command.ts'
import { readConfig } from '../config.ts'
import { takeBackup } from './backup.ts'

const usage = `backup [--to FOLDER]
Copies the SQLite database into the folder of --to, of BACKUP_DIR, or data/backups, and verifies the copy. Servers may run.
The database is that of DATABASE_URL, data/daymark.sqlite by default.`

await runCommand(async () => {
  const { values } = readOptions(usage, { options: { to: { type: 'string' } } })
  const { databaseUrl, backup } = readConfig(process.env)
  if (databaseUrl.protocol !== 'file:') {
    throw new CommandError(
      'PostgreSQL is backed up with its own pg_dump: see "Backup and restore" in docs/operating.md',
    )
  }
  const started = performance.now()
  const { file, bytes, rows } = await takeBackup(databaseUrl, values.to ?? backup?.folder ?? 'data/backups')
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  return `${file}: ${(bytes / 1e6).toFixed(1)} MB, verified, in ${seconds} s (${countsOf(rows)})`
})

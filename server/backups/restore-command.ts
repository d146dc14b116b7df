import { CommandError, readOptions, runCommand } from '../command.ts'
import { readConfig } from '../config.ts'
import { countsOf } from './backup.ts'
import { restoreBackup } from './restore.ts'

// npm run restore -- FILE

await runCommand(async () => {
  const { positionals } = readOptions({ options: {}, allowPositionals: true })
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

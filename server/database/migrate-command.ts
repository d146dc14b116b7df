import { readOptions, requireNamedOrFile, runCommand } from '../command.ts'
import { readConfig } from '../config.ts'
import { openConfiguredDatabase } from './open-database.ts'

const usage = `migrate [--contract]
Gives the database the schema of this version. --contract also removes what only the previous version needs.
The database is that of DATABASE_URL, data/daymark.sqlite by default.`

await runCommand(async () => {
  const { contract = false } = readOptions(usage, { options: { contract: { type: 'boolean' } } }).values
  const config = readConfig(process.env)
  requireNamedOrFile(config, process.env)
  const database = await openConfiguredDatabase({
    ...config,
    database: { ...config.database, migrate: true, contract },
  })
  await database.close()
  return 'The database has the schema of this version.'
})

import { readOptions, requireNamedOrFile, runCommand } from '../command.ts'
import { readConfig } from '../config.ts'
import { openConfiguredDatabase } from './open-database.ts'

// npm run migrate [-- --contract]

await runCommand(async () => {
  const { contract = false } = readOptions({ options: { contract: { type: 'boolean' } } }).values
  const config = readConfig(process.env)
  requireNamedOrFile(config, process.env)
  const database = await openConfiguredDatabase({
    ...config,
    database: { ...config.database, migrate: true, contract },
  })
  await database.close()
  return 'The database has the schema of this version.'
})

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CommandError, readOptions, runCommand } from '../command.ts'
import { type Config, readConfig } from '../config.ts'
import { textOf } from '../environment.ts'
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

/** Without DATABASE_URL the path depends on the working directory, and a new file there would be a mistake. */
function requireNamedOrFile({ databaseUrl }: Config, environment: NodeJS.ProcessEnv) {
  const isSet = ['DATABASE_URL', 'DATABASE_URL_FILE'].some((name) => textOf(environment, name))
  if (isSet || existsSync(databaseUrl)) return
  throw new CommandError(`DATABASE_URL is not set, and there is no database at ${fileURLToPath(databaseUrl)}`)
}

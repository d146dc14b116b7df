import { runCommand } from '../command.ts'
import { readConfig } from '../config.ts'
import { openConfiguredDatabase } from './open-database.ts'

// npm run migrate

await runCommand(async () => {
  const config = readConfig(process.env)
  const database = await openConfiguredDatabase({
    ...config,
    database: { ...config.database, migrate: true },
  })
  await database.close()
  return 'The database has the schema of this version.'
})

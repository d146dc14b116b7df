import { buildApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import { openSqlite } from '../server/database/sqlite/database.ts'

/** The server with a maximum batch size of 1, so that every write is a transaction with its own disk sync. */
const config = readConfig(process.env)
const app = await buildApp({ config, database: await openSqlite(config.databaseUrl, { batchSize: 1 }) })
console.log(await app.listen({ port: 0 }))
process.once('SIGTERM', () => process.exit())

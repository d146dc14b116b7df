import { buildApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import { openSqlite } from '../server/database/sqlite.ts'

/** The same server with a transaction, and so a sync of the disk, for every write. */
const config = readConfig(process.env)
const app = await buildApp({ config, database: await openSqlite(config.databaseUrl, 1) })
console.log(await app.listen({ port: 0 }))
process.once('SIGTERM', () => process.exit())

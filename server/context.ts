import type { Config } from './config.ts'
import type { Database } from './database/database.ts'

/** The dependencies of the route modules. */
export type AppContext = { config: Config; database: Database }

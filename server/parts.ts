import type { Config } from './config.ts'
import type { Database } from './database/database.ts'

/** What the server is made of and every route may need. */
export type Parts = { config: Config; database: Database }

import type { Config } from './config.ts'
import type { Database } from './database/database.ts'

export type AppContext = { config: Config; database: Database }

import { migrations } from '../database/migrate.ts'
import { exampleMigrations } from './example-migrations.ts'

// node --import ./server/testing/later-version.ts server/main.ts: this version with the migrations of a later one.

Object.assign(migrations, exampleMigrations)

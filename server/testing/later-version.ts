import { becomeLater } from './example-migrations.ts'

// node --import ./server/testing/later-version.ts server/main.ts: this version with the migrations of a later one.

becomeLater()

import { readdirSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration'
import { CommandError } from '../command.ts'
import { ConfigError } from '../environment.ts'
import type { ColumnTypes } from './column-types.ts'
import { createIndex, type Index } from './indexes.ts'
import { formerNames } from './migrations/002-expand-tables.ts'
import { beginRows, isUnfinished, type RowWork, workOnRows } from './row-work.ts'
import type { Db } from './schema.ts'

export type Migration = {
  up?(db: Kysely<unknown>, types: ColumnTypes): Promise<void>
  /** Indexes of tables that may be large. PostgreSQL builds them outside the transaction, without blocking writes. */
  indexes?: readonly Index[]
  /** Work on rows, after all changes of the schema, in transactions of its own. A migration has either this or the others. */
  rows?: readonly RowWork[]
}

const folder = join(import.meta.dirname, 'migrations')
/** In the npm package, the server is JavaScript. */
const extension = extname(import.meta.filename)
const files = readdirSync(folder).filter((file) => extname(file) === extension)
const names = files.map((file) => basename(file, extension)).sort()
const load = (name: string): Promise<Migration> =>
  import(pathToFileURL(join(folder, `${name}${extension}`)).href)

/**
 * All migrations by name, in order: the files of their folder. A released migration is never edited. After a migration
 * `NNN-expand-…`, servers of the previous version still work. A migration `NNN-contract-…` removes columns that only
 * these servers need: they do not work after it, and this version also works before it.
 */
export const migrations: Record<string, Migration> = Object.fromEntries(
  await Promise.all(names.map(async (name) => [name, await load(name)] as const)),
)

type Engine = ColumnTypes['engine']

/** What the operator does if a command finds no database, or one of an earlier version. */
export const createFirst = 'start a server on it, or run "npm run migrate", first'

/** The error of a schema that lacks migrations which the server or command may not apply. */
export class OlderSchema extends ConfigError {
  readonly #older: string

  constructor(older: string) {
    super(`MIGRATE=off: ${older}; run "npm run migrate"`)
    this.#older = older
  }

  /** The error of a command. `name`: its variable or option that has the URL. */
  ofCommand(name: string) {
    return new CommandError(`${name}: ${this.#older}; ${createFirst}`, { cause: this })
  }
}

const expands = (name: string) => /^\d{3}-expand-/.test(name)
const contracts = (name: string) => /^\d{3}-contract-/.test(name)

/**
 * Migrates the schema. A new database gets all migrations. In an existing one, unless `contract` is true, it stops before the
 * first migration that excludes servers of the previous version. The caller holds the engine's transaction, so a migration that
 * fails changes nothing. `before` runs before the first migration, and gets its name.
 */
export async function migrate(
  db: Db,
  types: ColumnTypes,
  contract: boolean,
  before?: (first: string) => Promise<void>,
): Promise<void> {
  const pending = applicable(await executedMigrations(db), contract, types.engine)
  if (pending[0] && !(await isUnfinished(db))) await before?.(pending[0])
  const migrator = new Migrator({
    db,
    provider: {
      // Called with the lock, so that another server has either applied all of its migrations or none.
      async getMigrations() {
        const executed = await executedMigrations(db)
        const pending = applicable(executed, contract, types.engine).filter((name) => !hasRows(name))
        const names = [...executed, ...pending]
        return Object.fromEntries(names.map((name) => [name, { up: (db) => apply(db, types, name) }]))
      },
    },
    // SQLite's writer begins its transactions without Kysely.
    disableTransactions: !db.isTransaction,
    // Work on rows may be completed after later changes of the schema.
    allowUnorderedMigrations: true,
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
  if (await pendingRows(db, types)) await beginRows(db)
}

/** Does the next part of the work on rows, in the transaction of the caller. Returns whether there was any. */
export async function migrateSomeRows(db: Db, types: ColumnTypes): Promise<boolean> {
  const name = await pendingRows(db, types)
  if (name) await workOnRows(db, types, name, migrations[name]?.rows ?? [])
  return name !== undefined
}

export const hasPending = async (db: Db, { engine }: ColumnTypes) =>
  pendingAfter(await executedMigrations(db), engine).some((name) => !hasRows(name))

const hasRows = (name: string) => migrations[name]?.rows !== undefined

const pendingRows = async (db: Db, { engine }: ColumnTypes) =>
  pendingAfter(await recordedMigrations(db), engine).find(hasRows)

async function apply(db: Kysely<unknown>, types: ColumnTypes, name: string) {
  await migrations[name]?.up?.(db, types)
  if (types.concurrentIndexes) return
  for (const index of migrations[name]?.indexes ?? []) await createIndex(db, index)
}

function applicable(executed: string[], contract: boolean, engine: Engine): string[] {
  const pending = pendingAfter(executed, engine)
  const excluding = pending.findIndex(contracts)
  return contract || executed.length === 0 || excluding < 0 ? pending : pending.slice(0, excluding)
}

/**
 * Returns the names of the migrations that the database lacks. Throws a ConfigError if it has one that this version does
 * not know, unless servers of the previous version still work after it. An SQLite file is used by one server, so a later version
 * has replaced this one, and what this one stored would lack what the later one adds.
 */
function pendingAfter(executed: string[], engine: Engine): string[] {
  const unknown = executed.findLast(
    (name) =>
      !(name in migrations) && !formerNames.includes(name) && !(engine === 'postgres' && expands(name)),
  )
  if (unknown !== undefined)
    throw new ConfigError(
      `DATABASE_URL: the schema of the database is newer than this version (it has the migration ${unknown}, and the last one ` +
        `that this version knows is ${Object.keys(migrations).at(-1)}); install the newer version`,
    )
  return Object.keys(migrations).filter((name) => !executed.includes(name))
}

async function executedMigrations(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  return tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE) ? await recordedMigrations(db) : []
}

async function recordedMigrations(db: Db): Promise<string[]> {
  const table = sql.table(DEFAULT_MIGRATION_TABLE)
  const { rows } = await sql<{ name: string }>`select name from ${table} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Returns the indexes of executed migrations that `migrate` does not create if `types.concurrentIndexes` is true. */
export async function concurrentIndexes(db: Db): Promise<Index[]> {
  return (await recordedMigrations(db)).flatMap((name) => migrations[name]?.indexes ?? [])
}

/**
 * Throws a ConfigError if this version does not work with the schema. It works with a schema that lacks only the last
 * migrations, if these are `contract` migrations.
 */
export async function requireSchema(db: Db, engine: Engine): Promise<void> {
  requireMigrations(await executedMigrations(db), engine)
}

/** Throws like `requireSchema`, for a database that had a schema at the start. */
export async function probeSchema(db: Db, engine: Engine): Promise<void> {
  requireMigrations(await recordedMigrations(db), engine)
}

/** Throws like `requireSchema`, of a database with these migrations. */
export function requireMigrations(executed: string[], engine: Engine) {
  const pending = pendingAfter(executed, engine)
  const needed = pending.find((name) => !contracts(name))
  if (needed === undefined) return
  const older = `the schema of the database is older than this version needs (it lacks ${needed})`
  if (pending[0] === needed) throw new OlderSchema(older)
  throw new ConfigError(
    `DATABASE_URL: ${older}; stop all servers of earlier versions and run "npm run migrate -- --contract"`,
  )
}

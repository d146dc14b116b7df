import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration'
import { ConfigError } from '../environment.ts'
import type { ColumnTypes } from './column-types.ts'
import type { Db } from './schema.ts'

/** The migrations of development before 0.1.0, which together made its schema. */
const developmentMigrations = [
  '001-users-sessions-tasks',
  '002-attempts',
  '003-stored-bytes',
  '004-closed-accounts',
  '005-change-log',
  '006-sweep-indexes',
  '007-done-tasks',
  '008-folded-texts',
  '009-notes',
  '010-deleted-tasks',
  '011-settings',
  '012-creations-unindexed',
  '013-counted-changes',
  '014-fewer-marks',
]

/** The SHA-256 of the descriptions of the tables, columns, constraints and indexes of 0.1.0. */
const hashes = {
  sqlite: 'fdacf2bd9979209a63cac4131fbcfd32dc6871cedda8bf404f3d07a1ad6552f9',
  postgres: '9c7aa5bc2f3674bf8b98d2a0b0ee60092914970f0252afd868f6c6f8a8e25a9c',
}

const descriptions = {
  sqlite: sql<{ line: string }>`
    select trim(replace(sql, '"', '')) as line from sqlite_schema where sql is not null and name not like 'kysely%'`,
  postgres: sql<{ line: string }>`
    with tables as (
      select oid, relname as name from pg_class
      where relkind = 'r' and relnamespace = current_schema()::text::regnamespace and relname not like 'kysely%'
    )
    select concat_ws(' ', name, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid)) as line
      from tables join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
        left join pg_attrdef on adrelid = tables.oid and adnum = attnum
    union all select concat_ws(' ', name, pg_get_constraintdef(pg_constraint.oid))
      from tables join pg_constraint on conrelid = tables.oid and contype in ('c', 'f', 'p', 'u')
    union all select regexp_replace(pg_get_indexdef(indexrelid), ' ON \\S+\\.', ' ON ')
      from tables join pg_index on indrelid = tables.oid and indisvalid and not indisprimary`,
}

/** The migrations of a database that has been accepted. */
export const firstRelease = ['001-start']

export const isOfDevelopment = (executed: string[]) => executed[0] === developmentMigrations[0]

/**
 * Records that a database of a development version has the schema of 0.1.0. Throws a ConfigError if it does not.
 */
export async function acceptDevelopmentSchema(
  db: Db,
  { engine }: ColumnTypes,
  executed: string[],
): Promise<void> {
  // Only databases with tokens that do not contain their user's id have this index.
  await sql`drop index if exists sessions_by_token`.execute(db)
  const { rows } = await descriptions[engine].execute(db)
  const description = rows.map(({ line }) => line).sort()
  if (
    executed.join() !== developmentMigrations.join() ||
    hash('sha256', description.join('\n')) !== hashes[engine]
  )
    throw new ConfigError(
      'DATABASE_URL: the database was made by a version before 0.1.0, and its schema differs from that of 0.1.0',
    )
  const table = sql.table(DEFAULT_MIGRATION_TABLE)
  await sql`delete from ${table} where name > ${executed[0]}`.execute(db)
  await sql`update ${table} set name = ${firstRelease[0]}`.execute(db)
}

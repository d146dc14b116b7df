import { sql } from 'kysely'
import { ConfigError } from '../../environment.ts'
import { type Db, tables } from '../schema.ts'

type Table = keyof typeof tables

/**
 * Returns the statement of Citus that distributes a table by the first column of its key. The rows of a user are stored together. What all
 * servers need is on all nodes.
 */
export function distributing(table: Table): string {
  if (table === 'push') return `select create_reference_table('${table}')`
  const [column] = tables[table]
  const place = column === 'user_id' ? `, colocate_with => 'users'` : ''
  return `select create_distributed_table('${table}', '${column}'${place})`
}

/** Distributes the tables that are not yet, if the users are distributed. Existing rows are moved. */
export async function distribute(db: Db): Promise<void> {
  for (const table of await localTables(db)) await sql.raw(distributing(table)).execute(db)
}

/** Throws a ConfigError if the users are distributed and another table is not. All rows of that table would be on one node. */
export async function requireDistribution(db: Db): Promise<void> {
  const local = await localTables(db)
  if (local.length > 0)
    throw new ConfigError(
      `DATABASE_URL: Citus distributes the table users, but not ${local.join(', ')}; run "npm run migrate" with the address of the coordinator`,
    )
}

/** Returns the tables that are not distributed; none if the users are not, or without Citus. */
async function localTables(db: Db): Promise<Table[]> {
  if (!(await hasCitus(db))) return []
  const { rows } = await sql<{ name: string }>`
    select logicalrelid::regclass::text as name from pg_dist_partition where partmethod in ('h', 'n')
  `.execute(db)
  const distributed = new Set(rows.map(({ name }) => name))
  if (!distributed.has('users')) return []
  return (Object.keys(tables) as Table[]).filter((table) => !distributed.has(table))
}

export async function hasCitus(db: Db): Promise<boolean> {
  const { rows } = await sql`select where to_regclass('pg_dist_partition') is not null`.execute(db)
  return rows.length > 0
}

export async function shardsOf(db: Db, userIds: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; shard: string }>`
    select id::text, get_shard_id_for_distribution_column('users', id)::text as shard
    from unnest(${userIds}::uuid[]) as id
    where exists (select from pg_dist_partition where logicalrelid = 'users'::regclass and partmethod = 'h')
  `.execute(db)
  return new Map(rows.map(({ id, shard }) => [id, shard]))
}

/** Asks each shard of a table that can be reached. `format` of Citus fills in its name. */
export async function ofReachableShards<Row>(
  db: Db,
  table: Table,
  query: (table: string) => string,
): Promise<Row[]> {
  const command = `select coalesce(json_agg(found), '[]') from (${query('%s')}) found`
  const { rows } = await sql<{ result: string }>`
    select result from run_command_on_shards(${table}::regclass, ${command}) where success
  `.execute(db)
  return rows.flatMap(({ result }) => JSON.parse(result))
}

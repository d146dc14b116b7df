import { type QueryExecutorProvider, sql } from 'kysely'

export type Index = {
  name: string
  table: string
  columns: readonly string[]
  /** The condition of a partial index. */
  where?: string
}

const concurrently = sql`concurrently`

/** Returns which of the indexes PostgreSQL does not use: they are missing, or their concurrent build is unfinished. */
export async function unusableIndexes(
  db: QueryExecutorProvider,
  indexes: readonly Index[],
): Promise<Index[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${indexes.map(({ name }) => name)}::text[]) as name
    where not exists (select from pg_index where indexrelid = to_regclass(name) and indisvalid)
  `.execute(db)
  const unusable = new Set(rows.map(({ name }) => name))
  return indexes.filter(({ name }) => unusable.has(name))
}

/** Builds an index of PostgreSQL outside a transaction, without blocking writes. Replaces one of an interrupted build. */
export async function buildConcurrently(db: QueryExecutorProvider, index: Index): Promise<void> {
  await sql`drop index ${concurrently} if exists ${sql.ref(index.name)}`.execute(db)
  await createIndex(db, index, concurrently)
}

/** By default in the transaction of a migration, unless a build before this version has created it. */
export async function createIndex(
  db: QueryExecutorProvider,
  { name, table, columns, where }: Index,
  mode = sql`if not exists`,
) {
  const keys = sql.join(columns.map((column) => sql.ref(column)))
  const condition = where ? sql`where ${sql.raw(where)}` : sql``
  await sql`create index ${mode} ${sql.ref(name)} on ${sql.table(table)} (${keys}) ${condition}`.execute(db)
}

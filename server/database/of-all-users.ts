import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'

/**
 * Asks for rows of all users. If a part of a distributed database fails, those of the other parts are returned, so that what cannot be
 * reached delays its own people. `query` contains the name of the table once, and no `%`.
 */
export async function ofAllUsers<Row>(
  { read, isOfOnePart, ofReachableParts }: Database,
  table: keyof Schema,
  query: (table: string) => string,
): Promise<Row[]> {
  try {
    return (await sql.raw<Row>(query(table)).execute(read)).rows
  } catch (error) {
    if (!ofReachableParts || !isOfOnePart(error)) throw error
    return await ofReachableParts<Row>(table, query)
  }
}

/** Groups users so that work with one group is work with one part of the database. */
export async function byPart({ shardsOf }: Database, ids: string[]): Promise<string[][]> {
  const parts = ids.length > 0 ? await shardsOf?.(ids) : undefined
  return [...Map.groupBy(ids, (id) => parts?.get(id)).values()]
}

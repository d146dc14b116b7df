import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Db } from './schema.ts'

/**
 * A query on a hot path, built and compiled once for each database instead of each time: for a short one that is more
 * work than running it. `build` is given stand-ins for the values; a call gives the real ones, in the order in which
 * the query names them.
 */
export function compiledOnce<Values extends readonly unknown[], Row>(
  standIns: Values,
  build: (db: Db, ...values: Values) => Compilable<Row>,
) {
  const compiled = new WeakMap<object, CompiledQuery<Row>>()
  return (db: Db, ...parameters: Values): Promise<QueryResult<Row>> => {
    // A transaction has the adapter of the database that it runs on.
    const { adapter } = db.getExecutor()
    const query = compiled.get(adapter) ?? build(db, ...standIns).compile()
    compiled.set(adapter, query)
    return db.executeQuery<Row>({ ...query, parameters })
  }
}

import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './schema.ts'

/**
 * A query that every request makes, built and compiled once for each connection instead of each time.
 * `build` is given stand-ins for the values; a call gives the real ones, in the order in which the query names them.
 */
export function compiledOnce<Values extends readonly unknown[], Row>(
  standIns: Values,
  build: (db: Db, ...values: Values) => Compilable<Row>,
) {
  const compiled = new WeakMap<Db, CompiledQuery<Row>>()
  return async (db: Db, ...parameters: Values): Promise<Row[]> => {
    const query = compiled.get(db) ?? build(db, ...standIns).compile()
    compiled.set(db, query)
    const { rows } = await db.executeQuery<Row>({ ...query, parameters })
    return rows
  }
}

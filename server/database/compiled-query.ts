import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Db } from './schema.ts'

/** Stands in a compiled query for a value that each call gives. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const parameterOf = new Proxy({}, { get: (_target, name: string) => new Parameter(name) })

/**
 * A query with named parameters that is built and compiled once for each database instead of at each call: for a short
 * query that costs more than running it. `build` is given a stand-in for each value that a call passes by name.
 */
export function compiledQuery<Values extends Record<string, unknown>, Row = unknown>(
  build: (db: Db, value: Values) => Compilable<Row>,
) {
  const compiled = new WeakMap<object, CompiledQuery<Row>>()

  function compile(db: Db) {
    const query = build(db, parameterOf as Values).compile()
    compiled.set(compilationKey(db), query)
    return query
  }

  return (db: Db, values: Values): Promise<QueryResult<Row>> => {
    const query = compiled.get(compilationKey(db)) ?? compile(db)
    const parameters = query.parameters.map((value) =>
      value instanceof Parameter ? values[value.name] : value,
    )
    return db.executeQuery<Row>({ ...query, parameters })
  }
}

const databaseOf = new WeakMap<Db, Db>()

const compilationKey = (db: Db) => databaseOf.get(db) ?? db

/** Lets a transaction use what was compiled for its database; without it the transaction compiles again. */
export function shareCompiledQueries(database: Db, transaction: Db) {
  databaseOf.set(transaction, database)
}

import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Db } from './schema.ts'

class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const parameterOf = new Proxy({}, { get: (_target, name: string) => new Parameter(name) })

/**
 * A query with named parameters that is built and compiled once per database and not at each call: for a short query,
 * building costs more than running it. `build` gets a placeholder for each value that a call passes by name.
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
    return db.getExecutor().executeQuery<Row>({ ...query, parameters })
  }
}

/** The placeholders of a row: those of these columns. */
export const columnsOf = <Row extends object, Name extends keyof Row>(row: Row, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>

const databaseOf = new WeakMap<Db, Db>()

const compilationKey = (db: Db) => databaseOf.get(db) ?? db

/** Makes a transaction use the compiled queries of its database; otherwise it compiles them again. */
export function shareCompiledQueries(database: Db, transaction: Db) {
  databaseOf.set(transaction, database)
}

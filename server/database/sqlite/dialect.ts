import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import { turn } from '../../fairness/turns.ts'
import type { Db, Schema } from '../schema.ts'

const preparedStatements = 200

/** Called with every error of SQLite, before the caller of the query gets it. */
export type OnError = (error: unknown) => void

/**
 * Returns Kysely for one open `node:sqlite` connection, which the caller closes. Calls `onQuery` before each statement
 * that returns rows.
 */
export function sqliteKysely(file: DatabaseSync, onError: OnError, onQuery = () => {}): Db {
  const connection = connectionTo(file, onError, onQuery)
  const dialect = dialectOf(file, connection)
  const executor = new DirectExecutor(connection, dialect)
  return new Kysely<Schema>({ config: { dialect }, dialect, driver: dialect.createDriver(), executor })
}

export const sqliteDialect = (file: DatabaseSync, onError: OnError) =>
  dialectOf(
    file,
    connectionTo(file, onError, () => {}),
  )

function dialectOf(file: DatabaseSync, connection: DatabaseConnection): Dialect {
  return {
    createAdapter: () => new SynchronousAdapter(),
    createDriver: () => driverOf(file, connection),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new PreparedLimitCompiler(),
  }
}

/**
 * Runs queries directly on the only connection, without abort signals. Kysely would acquire and release it for each query in a
 * dozen asynchronous steps, which take as long as a short query.
 */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #connection: DatabaseConnection

  constructor(connection: DatabaseConnection, dialect: Dialect) {
    super(dialect.createQueryCompiler(), dialect.createAdapter(), {
      provideConnection: (consumer) => consumer(connection),
    })
    this.#connection = connection
  }

  /** A query blocks the event loop, so each one is a piece of work that takes its turn. */
  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const wait = turn()
    if (wait) return wait.then(() => this.#connection.executeQuery<Row>(query))
    return this.#connection.executeQuery<Row>(query)
  }
}

/** Settings that are valid for `node:sqlite`, but not for every SQLite driver. */
class SynchronousAdapter extends SqliteAdapter {
  /** Queries are synchronous, so Kysely does not have to lock the connection. */
  override get supportsMultipleConnections() {
    return true
  }
  /** Migrations run inside the transaction that `beginTransaction` opens below. */
  override get supportsTransactionalDdl() {
    return true
  }
}

/**
 * Writes `limit ? + 0`. SQLite plans a statement for the value of `limit ?` and therefore parses it again at each run,
 * which takes longer than most of our queries.
 */
class PreparedLimitCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode) {
    super.visitLimit(node)
    this.append(' + 0')
  }
}

/** `begin immediate` takes the write lock at once, so that another process waits during migrations. */
function driverOf(file: DatabaseSync, connection: DatabaseConnection): Driver {
  const run = (sql: string) => async () => {
    await connection.executeQuery(CompiledQuery.raw(sql))
  }
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: run('begin immediate'),
    commitTransaction: run('commit'),
    // Some errors, such as a full disk, have already rolled back the transaction; another error would hide them.
    rollbackTransaction: async () => {
      if (file.isTransaction) await run('rollback')()
    },
    releaseConnection: async () => {},
    destroy: async () => {},
  }
}

function connectionTo(file: DatabaseSync, onError: OnError, onQuery: () => void): DatabaseConnection {
  const statements = new LRUCache<string, { statement: StatementSync; returnsRows: boolean }>({
    max: preparedStatements,
  })

  function prepare(sql: string) {
    const statement = file.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    statements.set(sql, prepared)
    return prepared
  }

  function execute<Row>(sql: string, values: string[]): QueryResult<Row> {
    const { statement, returnsRows } = statements.get(sql) ?? prepare(sql)
    if (!returnsRows) return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
    onQuery()
    return { rows: statement.all(...values) as Row[] }
  }

  return {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      try {
        return execute(sql, parameters as string[])
      } catch (error) {
        onError(error)
        throw error
      }
    },
    streamQuery() {
      throw new Error('node:sqlite does not stream results: use execute()')
    },
  }
}

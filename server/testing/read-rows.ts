import { fileURLToPath } from 'node:url'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { expect, vi } from 'vitest'
import type { Database } from '../database/database.ts'
import { connect } from '../database/sqlite/connection.ts'
import type { Engine } from './engines.ts'

/**
 * What an engine reads for a statement. PostgreSQL does not count the entries of an index that it reads in vain, but says how many blocks
 * it reads and by which conditions it searches indexes; SQLite says neither.
 */
export type ReadRows = { sql: string; rows: number; blocks: number; conditions: string[] }

/** Returns a function that runs work and counts what the engine reads for each of its statements outside transactions. */
export async function readRowsOf(engine: Engine, url: URL, { read }: Database) {
  const { measure, close } = engine === 'sqlite' ? onSqlite(url) : await onPostgres(url)
  const executor = read.getExecutor()
  const { executeQuery } = Object.getPrototypeOf(executor)
  const queries: CompiledQuery[] = []
  vi.spyOn(executor, 'executeQuery').mockImplementation((query) => {
    queries.push(query)
    return executeQuery.call(executor, query)
  })
  return {
    close,
    async measured(work: () => Promise<unknown>): Promise<ReadRows[]> {
      queries.length = 0
      await work()
      const found: ReadRows[] = []
      for (const query of queries.splice(0)) found.push({ sql: query.sql, ...(await measure(query)) })
      return found
    },
  }
}

/** In the condition of each part, SQLite calls a function for every row of the user that it reads. */
function onSqlite(url: URL) {
  const { file } = connect(fileURLToPath(url), () => {})
  let rows = 0
  file.function('counted', { varargs: true }, () => ++rows)
  const planOf = (sql: string) => file.prepare(`explain query plan ${sql}`).all()
  const textOf = (sql: string) => planOf(sql).map(({ detail }) => detail)
  return {
    async measure({ sql, parameters }: CompiledQuery) {
      const counting = sql.replaceAll(/((?:"\w+"\.)?"user_id") (=|in) (\?|\(\?\))/g, '$& and counted($1)')
      expect(textOf(counting)).toEqual(textOf(sql))
      rows = 0
      file.prepare(counting).all(...(parameters as string[]))
      return { rows, blocks: 0, conditions: [] }
    },
    async close() {
      file.close()
    },
  }
}

async function onPostgres(url: URL) {
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  // As in a large database: in a small one, PostgreSQL reads whole tables instead of the rows that an index finds.
  await client.query('set enable_seqscan = off; set random_page_cost = 1.1')
  return {
    async measure({ sql, parameters }: CompiledQuery) {
      const { rows } = await client.query(`explain (analyze, buffers, format json) ${sql}`, [...parameters])
      const plan: Plan = rows[0]['QUERY PLAN'][0].Plan
      const blocks = Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks'])
      return { rows: rowsOf(plan), blocks, conditions: conditionsOf(plan) }
    },
    close: () => client.end(),
  }
}

type Plan = { Plans?: Plan[]; 'Index Cond'?: string; 'Relation Name'?: string } & { [name: string]: unknown }

const conditionsOf = (plan: Plan): string[] => [
  ...(plan['Index Cond'] === undefined ? [] : [plan['Index Cond']]),
  ...(plan.Plans ?? []).flatMap(conditionsOf),
]

/** The rows that the scans of a plan read, with those that they then left out. */
function rowsOf(plan: Plan): number {
  const ofParts = (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), 0)
  if (plan['Relation Name'] === undefined) return ofParts
  const names = ['Actual Rows', 'Rows Removed by Filter', 'Rows Removed by Index Recheck']
  const rows = names.reduce((sum, name) => sum + Number(plan[name] ?? 0), 0)
  return ofParts + rows * Number(plan['Actual Loops'])
}

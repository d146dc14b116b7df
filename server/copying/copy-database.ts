import { CommandError } from '../command.ts'
import type { Database } from '../database/database.ts'
import { tableNames } from '../database/schema.ts'
import { countRows, type Row, rowsOf, summarize, type TableName } from './table-rows.ts'
import { markCopyFinished, markCopyStarted } from './unfinished-copy.ts'

/** Maximum characters in one insert statement. Most rows are small, but a task's body may have 100,000 characters. */
const statementLength = 1_000_000

export type OnProgress = (step: string, done: number, total: number) => void

/**
 * Copies every row of one database to an empty one, checks that both hold the same rows, and returns the number of
 * rows. An interrupted copy can be resumed if `source`, the name of the source database, is the same. Nothing else may
 * write to either database during the copy.
 */
export async function copyDatabase(
  from: Database,
  to: Database,
  source: string,
  onProgress: OnProgress,
): Promise<number> {
  let total = 0
  for (const table of tableNames) total += await countRows(from.read, table)
  if (total === 0) throw new CommandError('--from is empty: there is nothing to copy')
  await markCopyStarted(to, source)
  await copyRows(from, to, counter('Copying', total, onProgress))
  await compare(from, to, counter('Checking', 2 * total, onProgress))
  await markCopyFinished(to)
  return total
}

function counter(step: string, total: number, onProgress: OnProgress) {
  let done = 0
  onProgress(step, done, total)
  return (count: number) => {
    done = Math.min(done + count, total)
    onProgress(step, done, total)
  }
}

async function copyRows(from: Database, to: Database, onRows: (count: number) => void) {
  for (const table of tableNames) {
    for await (const rows of rowsOf(from.read, table)) {
      await to.write(async (db) => {
        for (const chunk of inStatements(rows)) {
          // Rows from an interrupted copy are kept; the comparison at the end checks them too.
          await db
            .insertInto(table)
            .values(chunk as never[])
            .onConflict((conflict) => conflict.doNothing())
            .execute()
        }
      })
      onRows(rows.length)
    }
  }
}

/** Splits a batch by statement length. The number of parameters is far below the engines' limit of 32,766. */
function* inStatements(rows: Row[]): Generator<Row[]> {
  let [chunk, length]: [Row[], number] = [[], 0]
  for (const row of rows) {
    const more = JSON.stringify(row).length
    if (chunk.length > 0 && length + more > statementLength) {
      yield chunk
      ;[chunk, length] = [[], 0]
    }
    chunk.push(row)
    length += more
  }
  yield chunk
}

async function compare(from: Database, to: Database, onRows: (count: number) => void) {
  for (const table of tableNames) {
    const [original, copy] = await Promise.all([
      summarize(from.read, table, onRows),
      summarize(to.read, table, onRows),
    ])
    if (original.count !== copy.count || original.checksum !== copy.checksum)
      throw different(table, original, copy)
  }
}

function different(table: TableName, original: { count: number }, copy: { count: number }) {
  const what =
    original.count === copy.count
      ? `the ${table} of --from and --to differ`
      : `--from has ${original.count} ${table}, --to has ${copy.count}`
  return new CommandError(
    `The copy is not valid: ${what}. Stop every server that uses these databases, empty --to and copy again.`,
  )
}

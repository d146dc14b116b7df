import { Refusal } from '../command.ts'
import type { Database } from '../database/database.ts'
import { countRows, type Row, rowsOf, summarize, type TableName, tableNames } from './table-rows.ts'
import { beginMove, endMove } from './unfinished-move.ts'

/** Characters in one insert: rows are small as a rule, but a task's body may have 100,000. */
const statementLength = 1_000_000

export type OnProgress = (step: string, done: number, total: number) => void

/**
 * Copies every row of one database into another, empty one and checks that both then hold the same; answers with the
 * number of rows. After an interruption the same move goes on: `source` names where the rows come from and tells it
 * from any other. Nothing else may write to either database meanwhile.
 */
export async function moveDatabase(
  from: Database,
  to: Database,
  source: string,
  onProgress: OnProgress,
): Promise<number> {
  let total = 0
  for (const table of tableNames) total += await countRows(from.read, table)
  if (total === 0) throw new Refusal('--from holds nothing to move')
  await beginMove(to, source)
  await copyRows(from, to, counter('Copying', total, onProgress))
  await compare(from, to, counter('Checking', 2 * total, onProgress))
  await endMove(to)
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
          // What an interrupted move has already brought here stays; whether it is the same is checked at the end.
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

/** A batch of rows stays far below the engines' 32,766 parameters; this bounds a statement's length as well. */
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
  return new Refusal(`Not moved: ${what}. Stop every server that uses them, empty --to and move again.`)
}

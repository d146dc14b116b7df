import { type Kysely, sql } from 'kysely'
import { summaryOf } from '#contract/note-summary.ts'
import { foldedTexts } from '#contract/search-rules.ts'
import type { Db, Schema } from '../schema.ts'

/** A page of texts of the longest length has 20 MB. */
const rowsPerPage = 200

type Key = { user_id: string; id: string }

/** Folds all texts as this version does, and makes the titles of notes from their first lines that show something. */
export async function up(db: Kysely<unknown>) {
  await changeRows(db as Db, 'tasks', ['title', 'body'], ({ title, body }) => ({
    folded: foldedTexts([title, body]),
  }))
  await changeRows(db as Db, 'notes', ['text', 'title', 'snippet'], ({ text }) => {
    const summary = summaryOf(text)
    return { ...summary, folded: foldedTexts([summary.title, text]) }
  })
}

/** Stores what `change` returns of each row, if it differs. */
async function changeRows<Table extends 'tasks' | 'notes', Column extends keyof Schema[Table] & string>(
  db: Db,
  table: Table,
  columns: Column[],
  change: (row: Record<Column, string>) => Record<string, string>,
) {
  let last: Key | undefined
  do {
    const behind = last ? sql`where (user_id, id) > (${last.user_id}, ${last.id})` : sql``
    const names = ['user_id', 'id', 'folded', ...columns].map((name) => sql.ref(name))
    const { rows } = await sql<Key & Record<string, string>>`
      select ${sql.join(names)} from ${sql.table(table)} ${behind} order by user_id, id limit ${rowsPerPage}
    `.execute(db)
    for (const row of rows) {
      const changed = Object.entries(change(row as Record<Column, string>)).filter(
        ([name, value]) => value !== row[name],
      )
      if (changed.length === 0) continue
      const values = changed.map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
      await sql`
        update ${sql.table(table)} set ${sql.join(values)} where user_id = ${row.user_id} and id = ${row.id}
      `.execute(db)
    }
    last = rows.length === rowsPerPage ? rows.at(-1) : undefined
  } while (last)
}

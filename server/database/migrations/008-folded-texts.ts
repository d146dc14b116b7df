import { type Kysely, sql } from 'kysely'
import { foldedOf } from '#contract/search.ts'
import type { ColumnTypes } from '../column-types.ts'

/** With the longest bodies, about 100 MB. */
const rowsPerBatch = 50

type Row = { user_id: string; id: string; title: string; body: string }

/**
 * Adds the text in which searches look. It is the last column, behind the body, because lists do not read it. What a
 * server of the previous version stores from here on has an empty one and is not found.
 */
export async function up(db: Kysely<unknown>, { id }: ColumnTypes) {
  await db.schema
    .alterTable('tasks')
    .addColumn('folded', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  const type = sql.raw(id)
  for (let rows = await nextRows(db); rows.length > 0; rows = await nextRows(db, rows.at(-1))) {
    const folded = rows.map(
      (row) => sql`(cast(${row.user_id} as ${type}), cast(${row.id} as ${type}), ${foldedOf(row)})`,
    )
    await sql`
      update tasks set folded = new.column3 from (values ${sql.join(folded)}) as new
      where tasks.user_id = new.column1 and tasks.id = new.column2
    `.execute(db)
  }
}

async function nextRows(db: Kysely<unknown>, last?: Row): Promise<Row[]> {
  const after = last ? sql`where (user_id, id) > (${last.user_id}, ${last.id})` : sql``
  const { rows } = await sql<Row>`
    select user_id, id, title, body from tasks ${after} order by user_id, id limit ${sql.lit(rowsPerBatch)}
  `.execute(db)
  return rows
}

export async function down(db: Kysely<unknown>) {
  await db.schema.alterTable('tasks').dropColumn('folded').execute()
}

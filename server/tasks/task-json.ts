import { type Expression, type RawBuilder, sql } from 'kysely'
import { type List, priorities } from '#contract/lists.ts'
import { Task } from '#contract/tasks.ts'
import { rankOf } from '../changes/task-row.ts'
import { type JsonText, jsonTextIn } from '../database/json-text.ts'
import type { Db } from '../database/schema.ts'

const ranks = priorities.map((priority) => sql`when ${sql.lit(rankOf(priority))} then ${sql.lit(priority)}`)

/** The SQL of each field. */
const sqlOf: { [Field in keyof Task]: (json: JsonText) => Expression<unknown> } = {
  _id: () => sql.ref('id'),
  title: () => sql.ref('title'),
  body: () => sql.ref('body'),
  dueDate: () => sql.ref('due_date'),
  priority: () => sql`case priority ${sql.join(ranks, sql` `)} end`,
  createdAt: (json) => json.instant(sql.ref('created_at')),
  version: () => sql.ref('version'),
  doneAt: (json) => json.instant(sql.ref('done_at')),
  deletedAt: (json) => json.instant(sql.ref('deleted_at')),
}

/**
 * The SQL of a listed task's JSON text, as `toTask` and the response schema would make it. Its fields are those of the
 * schema, so no other column is ever in a response. What is null in every task of the list is not read.
 */
export function taskJson(db: Db, { isNull }: Pick<List, 'isNull'>): RawBuilder<string> {
  const json = jsonTextIn(db)
  const fields = Object.keys(Task.properties) as (keyof Task)[]
  const nulls = new Set<keyof Task>(isNull)
  return json.object(fields.map((field) => [field, nulls.has(field) ? sql`null` : sqlOf[field](json)]))
}

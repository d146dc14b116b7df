import { type Expression, type RawBuilder, sql } from 'kysely'
import { nullWhenListed, priorities } from '#contract/lists.ts'
import { Task } from '#contract/tasks.ts'
import { rankOf } from '../changes/task-row.ts'
import { type JsonText, jsonTextIn } from '../database/json-text.ts'
import type { Db } from '../database/schema.ts'

const ranks = priorities.map((priority) => sql`when ${sql.lit(rankOf(priority))} then ${sql.lit(priority)}`)

type AlwaysNull = (typeof nullWhenListed)[number]
const isAlwaysNull = (field: keyof Task): field is AlwaysNull => nullWhenListed.some((name) => name === field)

/** The SQL of each field that is not null in every listed task. */
const sqlOf: { [Field in Exclude<keyof Task, AlwaysNull>]: (json: JsonText) => Expression<unknown> } = {
  _id: () => sql.ref('id'),
  title: () => sql.ref('title'),
  body: () => sql.ref('body'),
  dueDate: () => sql.ref('due_date'),
  priority: () => sql`case priority ${sql.join(ranks, sql` `)} end`,
  createdAt: (json) => json.instant(sql.ref('created_at')),
  version: () => sql.ref('version'),
}

/**
 * The SQL of a listed task's JSON text, as `toTask` and the response schema would make it. Its fields are those of the
 * schema, so no other column is ever in a response.
 */
export function taskJson(db: Db): RawBuilder<string> {
  const json = jsonTextIn(db)
  const fields = Object.keys(Task.properties) as (keyof Task)[]
  return json.object(fields.map((field) => [field, isAlwaysNull(field) ? sql`null` : sqlOf[field](json)]))
}

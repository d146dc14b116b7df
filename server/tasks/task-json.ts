import { type RawBuilder, sql } from 'kysely'
import type { List } from '#contract/lists.ts'
import { taskFields } from '#contract/task-fields.ts'
import { Task } from '#contract/tasks.ts'
import { jsonSql } from '../changes/field-values.ts'
import { jsonTextIn } from '../database/engine-sql.ts'
import type { Db } from '../database/schema.ts'

/**
 * The SQL of a listed task's JSON text, as the response schema would make it. Its fields are those of the schema, so no other
 * column is ever in a response. A column that is null in every task of the list is not read.
 */
export function taskJson(db: Db, { isNull }: Pick<List, 'isNull'>): RawBuilder<string> {
  const json = jsonTextIn(db)
  const frame = {
    _id: sql.ref('id'),
    createdAt: json.instant(sql.ref('created_at')),
    version: sql.ref('version'),
  }
  const names = Object.keys(Task.properties) as (keyof Task)[]
  return json.object(
    names.map((name) => {
      if (isNull.some((field) => field === name)) return [name, sql`null`]
      return [
        name,
        name in taskFields
          ? jsonSql(taskFields[name as keyof typeof taskFields], json)
          : frame[name as keyof typeof frame],
      ]
    }),
  )
}

import type { Insertable, RawBuilder, Selectable, Updateable } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { newId } from '../new-id.ts'

/** The row of an account. */
export const accountOf = async ({ read }: Database, id: string): Promise<Selectable<Schema['users']>> =>
  await read.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

export const setAccount = ({ write }: Database, id: string, values: Updateable<Schema['users']>) =>
  write((db) => db.updateTable('users').set(values).where('id', '=', id).execute())

/** Runs a statement in a transaction of its own. */
export const execute = ({ write }: Database, statement: RawBuilder<unknown>) =>
  write((db) => statement.execute(db))

/** The log of an account, in its order. */
export const logOf = async ({ read }: Database, id: string): Promise<Selectable<Schema['changes']>[]> =>
  await read.selectFrom('changes').selectAll().where('user_id', '=', id).orderBy('seq').execute()

/** Stores rows of any number, in statements of bounded size. */
export const insertRows = ({ write }: Database, table: keyof Schema, rows: object[]) =>
  write(async (db) => {
    for (let from = 0; from < rows.length; from += 500) {
      const part = rows.slice(from, from + 500) as never
      await db.insertInto(table).values(part).execute()
    }
  })

/** Stores copies of a task, each with its own id and these values. Returns the row of the task. */
export async function copyTask(
  database: Database,
  id: string,
  copies: Partial<Insertable<Schema['tasks']>>[],
) {
  const tasks = database.read.selectFrom('tasks').selectAll().where('id', '=', id)
  const row = await tasks.executeTakeFirstOrThrow()
  const rows = copies.map((values) => ({ ...row, id: newId(), ...values }))
  await insertRows(database, 'tasks', rows)
  return row
}

import { randomUUID } from 'node:crypto'
import { compiledQuery } from '../database/compiled-query.ts'
import type { Db, Schema } from '../database/schema.ts'
import type { HttpError } from '../errors.ts'
import { type Author, growAccount, lockAccount } from './account.ts'
import { searchLog } from './later-changes.ts'
import { bytesPerCall, insertRow, selectTasks, sizeOf, updateRow } from './stored-tasks.ts'
import {
  bytesOf,
  bytesOfOld,
  type LoggedColumn,
  loggedColumns,
  type TaskRow,
  type Values,
} from './task-row.ts'

type ChangeRow = Schema['changes']

/** The columns of a change besides its values. */
export type Origin = { mutation?: string | null; group?: string | null; undoes?: number | null }

/** SQLite accepts at most 32,766 values in a statement. */
const rowsPerInsert = 1000

/**
 * Locks the user's row and returns the user's log for this transaction. All writes of tasks use it, except the creation
 * of a single task (`createAlone`): it applies changes to rows in memory and numbers them, and `save` stores them.
 */
export async function openLog(db: Db, author: Author, now: number) {
  const account = await lockAccount(db, author.userId)
  const rows = new Map<string, TaskRow>()
  const originals = new Map<string, TaskRow>()
  const search = searchLog(db, author.userId)
  const [created, edited] = [new Set<TaskRow>(), new Set<TaskRow>()]
  const changes: ChangeRow[] = []
  const growth = { changes: 0, tasks: 0, bytes: 0, rowBytes: 0 }

  function append(row: TaskRow, fields: readonly LoggedColumn[], before: Values | null, origin: Origin) {
    const { mutation = null, group = null, undoes = null } = origin
    row.version = account.seq + ++growth.changes
    const old = before && JSON.stringify(before)
    growth.bytes += bytesOfOld(old)
    changes.push({
      user_id: author.userId,
      seq: row.version,
      id: randomUUID(),
      at: now,
      device: author.device,
      kind: 'task',
      item: row.id,
      mutation,
      group_id: group,
      undoes,
      fields: fields.join(' '),
      before: old,
    })
  }

  return {
    account,

    /** Reads the tasks with these ids; `find` finds them from then on. Throws `tooLarge()` if they exceed `bytesPerCall`. */
    async load(ids: string[], tooLarge: () => HttpError) {
      const wanted = [...new Set(ids)]
      if (wanted.length > 1 && (await sizeOf(db, author.userId, wanted)) > bytesPerCall) throw tooLarge()
      for (const row of await selectTasks(db, author.userId, wanted)) {
        rows.set(row.id, row)
        originals.set(row.id, { ...row })
      }
    },

    find: (id: string) => rows.get(id),

    /**
     * Returns the values that fields of a loaded task had after change number `seq`, or undefined if the log does not
     * tell. The changes of this transaction are later.
     */
    async valuesAt(id: string, seq: number, fields: readonly LoggedColumn[]): Promise<Values | undefined> {
      const original = originals.get(id)
      return original && (await search(original, seq, fields))
    },

    create(row: Omit<TaskRow, 'version'>, origin: Origin): TaskRow {
      const task = { ...row, version: 0 }
      rows.set(row.id, task)
      created.add(task)
      if (row.deleted_at === null) growth.tasks++
      growth.rowBytes += bytesOf(row)
      append(task, loggedColumns, null, origin)
      return task
    },

    /** Sets the values that differ from the stored ones and logs the change. Returns whether there were any. */
    edit(row: TaskRow, values: Values, origin: Origin): boolean {
      const fields = differing(row, values)
      if (fields.length === 0) return false
      const before = Object.fromEntries(fields.map((field) => [field, row[field]])) as Values
      const [bytes, wasDeleted] = [bytesOf(row), row.deleted_at !== null]
      for (const field of fields) Object.assign(row, { [field]: values[field] })
      growth.rowBytes += bytesOf(row) - bytes
      growth.tasks += Number(wasDeleted) - Number(row.deleted_at !== null)
      append(row, fields, before, origin)
      edited.add(row)
      return true
    },

    /** Stores all changes and returns the cursor after them. Throws a 409 if the account has no space for them. */
    async save(quota: number): Promise<string> {
      const newest = changes.at(-1)
      if (!newest) return cursorOf(account)
      const { rowBytes, ...rest } = growth
      const grows = rowBytes > 0 || growth.tasks > 0
      const total = { ...rest, bytes: growth.bytes + rowBytes, grows }
      await growAccount(db, author.userId, newest.id, total, quota)
      if (created.size > 0)
        await db
          .insertInto('tasks')
          .values([...created].map((row) => ({ user_id: author.userId, ...row })))
          .execute()
      for (const row of edited) if (!created.has(row)) await updateRow(db, { user_id: author.userId, ...row })
      if (changes.length === 1) await insertChange(db, newest)
      else
        for (let from = 0; from < changes.length; from += rowsPerInsert)
          await db
            .insertInto('changes')
            .values(changes.slice(from, from + rowsPerInsert))
            .execute()
      return cursorOf({ seq: newest.seq, head: newest.id })
    },
  }
}

export type Log = Awaited<ReturnType<typeof openLog>>

/** The response header of every write: the cursor after it, for `GET /changes`. */
export const cursorHeader = 'changes-cursor'

export const cursorOf = ({ seq, head }: { seq: number; head: string }) => `${seq}.${head}`

/** Returns the fields of `values` that differ from the row. */
export const differing = (row: Values, values: Values) =>
  loggedColumns.filter((field) => values[field] !== undefined && values[field] !== row[field])

/** Creates one task in three statements, because most writes are of this kind. Returns the cursor after it. */
export async function createAlone(
  db: Db,
  { userId, device }: Author,
  row: Omit<TaskRow, 'version'>,
  { quota, now }: { quota: number; now: number },
): Promise<{ row: TaskRow; cursor: string }> {
  const head = randomUUID()
  const growth = { changes: 1, tasks: 1, bytes: bytesOf(row), grows: true }
  const seq = await growAccount(db, userId, head, growth, quota)
  const task = { ...row, version: seq }
  await insertRow(db, { user_id: userId, ...task })
  await insertChange(db, {
    user_id: userId,
    seq,
    id: head,
    at: now,
    device,
    kind: 'task',
    item: row.id,
    mutation: null,
    group_id: null,
    undoes: null,
    fields: everyField,
    before: null,
  })
  return { row: task, cursor: cursorOf({ seq, head }) }
}

const everyField = loggedColumns.join(' ')

export const insertChange = compiledQuery((db, row: ChangeRow) =>
  db.insertInto('changes').values({
    user_id: row.user_id,
    seq: row.seq,
    id: row.id,
    at: row.at,
    device: row.device,
    kind: row.kind,
    item: row.item,
    mutation: row.mutation,
    group_id: row.group_id,
    undoes: row.undoes,
    fields: row.fields,
    before: row.before,
  }),
)

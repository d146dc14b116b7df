import { randomUUID } from 'node:crypto'
import type { Db } from '../database/schema.ts'
import { type Author, growAccount } from './account.ts'
import type { Limits } from './change.ts'
import { cursorOf, insertChange, type Origin } from './change-log.ts'
import { insertRow } from './stored-tasks.ts'
import { bytesOf, loggedColumns, type TaskRow } from './task-row.ts'

/** Creates one task in three statements, because most writes are of this kind. Returns the cursor after it. */
export async function createAlone(
  db: Db,
  { userId, device }: Author,
  row: TaskRow,
  { quota, now, mutation = null }: Limits & Pick<Origin, 'mutation'>,
): Promise<{ row: TaskRow; cursor: string }> {
  const head = randomUUID()
  const growth = { changes: 1, tasks: 1, notes: 0, bytes: bytesOf(row), grows: true }
  const seq = await growAccount(db, userId, head, growth, quota)
  const task = { ...row, version: seq }
  await insertRow(db, userId, task)
  await insertChange(db, {
    user_id: userId,
    seq,
    id: head,
    at: now,
    device,
    kind: 'task',
    item: row.id,
    mutation,
    group_id: null,
    undoes: null,
    fields: everyField,
    before: null,
    previous: 0,
  })
  return { row: task, cursor: cursorOf({ seq, head }) }
}

const everyField = loggedColumns.join(' ')

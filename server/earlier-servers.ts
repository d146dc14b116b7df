import type { FastifyInstance } from 'fastify'
import { noTime } from '#contract/lists.ts'
import { every } from './background.ts'
import { itemTables } from './changes/stored-items.ts'
import { chunksOf } from './database/chunks.ts'
import { composeEmails, isComposed } from './database/composed-emails.ts'
import type { Database } from './database/database.ts'
import { derivedTexts } from './database/derived-texts.ts'
import { ofAllUsers } from './database/of-all-users.ts'
import { type Db, rules, type Schema } from './database/schema.ts'
import { failureLog } from './http/failure-log.ts'
import { firstId } from './new-id.ts'
import { lockUser } from './sessions/account-state.ts'

/** In milliseconds. */
const [whileTheyWrite, hour] = [5000, 3_600_000]

/** The maximum number of changes that one query finds, and that one transaction follows. */
const [changesPerQuery, changesPerWrite] = [200, 20]

type Found = Pick<Schema['changes'], 'user_id' | 'seq' | 'kind' | 'item'>

/**
 * Follows the changes of servers of an earlier version, which run during an upgrade and do not store what this version derives from
 * an item. Looks for them every few seconds until none has written for an hour, and then every hour.
 */
export function followEarlierServers(app: FastifyInstance, database: Database): void {
  let lastFound = performance.now()
  const logFailure = failureLog()
  every(app, 'the search for changes of earlier servers', async (stop) => {
    const found = await followChanges(database, stop).catch((error) => {
      if (!stop.aborted)
        logFailure(app.log, 'warn', {}, error, 'changes of earlier servers were not followed')
    })
    if (found) lastFound = performance.now()
    // After a failure, reminders of these servers would wait for an hour.
    const isSoon = found === undefined || performance.now() - lastFound < hour
    return isSoon ? whileTheyWrite : hour
  })
}

/** Follows the changes that are in the log, and returns whether there were any. Several servers can do this at once. */
export async function followChanges(database: Database, stop?: AbortSignal): Promise<boolean> {
  for (let any = false; ; any = true) {
    const found = await findChanges(database)
    if (found.length === 0 || stop?.aborted) return any
    for (const [owner, changes] of Map.groupBy(found, ({ user_id }) => user_id))
      for (const some of chunksOf(changes, changesPerWrite))
        await database.write((db) => follow(db, owner, some), owner, some.length)
  }
}

const findChanges = (database: Database) =>
  ofAllUsers<Found>(
    database,
    'changes',
    (table) =>
      `select user_id, seq, kind, item from ${table} where rules = 0 order by user_id, seq limit ${changesPerQuery}`,
  )

async function follow(db: Db, owner: string, changes: Found[]) {
  await lockUser(db, owner)
  const idsOf = (kind: string) => changes.flatMap((change) => (change.kind === kind && change.item) || [])
  const tasks = idsOf('task')
  await derive(db, 'tasks', owner, tasks)
  await derive(db, 'notes', owner, idsOf('note'))
  // The jobs of reminders are computed anew.
  if (tasks.length > 0)
    await db
      .updateTable('users')
      .set({ remind_from: firstId })
      .where('id', '=', owner)
      .where(({ exists }) => exists(withReminders(db, owner, tasks)))
      .execute()
  // The first change of a log is of the sign-up.
  const accounts = await db
    .selectFrom('users')
    .select(['email', 'id as user_id'])
    .where('id', '=', owner)
    .execute()
  await composeEmails(
    db,
    accounts.filter(({ email }) => !isComposed(email)),
  )
  await db
    .updateTable('changes')
    .set({ rules })
    .where('user_id', '=', owner)
    .where(
      'seq',
      'in',
      changes.map(({ seq }) => seq),
    )
    .execute()
}

const withReminders = (db: Db, owner: string, ids: string[]) =>
  db
    .selectFrom('tasks')
    .select('id')
    .where('user_id', '=', owner)
    .where('id', 'in', ids)
    .where(({ eb, or }) => or([eb('due_time', '<>', noTime), eb('reminders', 'is not', null)]))

async function derive(db: Db, table: keyof typeof derivedTexts, owner: string, ids: string[]) {
  if (ids.length === 0) return
  const { texts, of } = derivedTexts[table]
  const items = itemTables(db)
  const found = await items
    .selectFrom(table)
    .select(['id', ...texts])
    .where('user_id', '=', owner)
    .where('id', 'in', ids)
    .execute()
  for (const { id, ...row } of found)
    await items
      .updateTable(table)
      .set(of(row as Record<string, string>))
      .where('user_id', '=', owner)
      .where('id', '=', String(id))
      .execute()
}

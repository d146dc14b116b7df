import { type SqlBool, sql } from 'kysely'
import { type Settings, settingsWith } from '#contract/settings.ts'
import { chunksOf } from '../database/chunks.ts'
import type { Database } from '../database/database.ts'
import { ofAllUsers } from '../database/of-all-users.ts'
import type { Db } from '../database/schema.ts'
import { newId } from '../new-id.ts'
import type { SessionLife } from '../sessions/session-queries.ts'
import { toCome } from '../tasks/task-reminders.ts'
import { isEnded, knownSubscriptions } from './subscriptions.ts'

type Due = { user_id: string; due: number }
type Found = Due & { count: number }

/** A reminder that is so old is missed: the page says so, and no message is sent. */
export const stillSent = 2 * 3_600_000

const rowsPerInsert = 200

/** The most rows that a look reads. So many reminders of one person do not hide those of others. */
const mostFound = 20_000

const earliest = (found: Due[]) => {
  const due = new Map<string, number>()
  for (const each of found) due.set(each.user_id, Math.min(each.due, due.get(each.user_id) ?? each.due))
  return due
}

/** When something of each person is due, until `horizon`. `isAll` is false if there is more. */
export async function findDuePeople(database: Database, horizon: number) {
  const query = (condition: string) => (table: string) =>
    `
    select user_id, min(due) as due, count(*) as count
    from (select user_id, due from ${table} where ${condition} order by due limit ${mostFound}) as first
    group by user_id`
  const until = `due <= ${Math.floor(horizon)}`
  const reminders = await ofAllUsers<Found>(database, 'reminder_jobs', query(`${toCome} and ${until}`))
  const messages = await ofAllUsers<Found>(database, 'push_messages', query(until))
  const isAll = [reminders, messages].every(
    (found) => found.reduce((sum, { count }) => sum + count, 0) < mostFound,
  )
  return { due: earliest([...reminders, ...messages]), isAll }
}

/** As `findDuePeople`, for these people. */
export async function nextDue(db: Db, ids: string[], horizon: number) {
  const condition = sql<SqlBool>`user_id in (${sql.join(ids)}) and due <= ${horizon}`
  const reminders = await sql<Due>`
    select user_id, min(due) as due from reminder_jobs where ${sql.raw(toCome)} and ${condition} group by user_id
  `.execute(db)
  const messages = await sql<Due>`
    select user_id, min(due) as due from push_messages where ${condition} group by user_id
  `.execute(db)
  return earliest([...reminders.rows, ...messages.rows])
}

type Options = { life: SessionLife; notBefore: number; now: number }

/**
 * Turns the due reminders of some people into messages to their subscriptions, into held ones in quiet hours, or into missed ones, in the
 * caller's transaction, so that each is taken up once.
 */
export async function takeUpReminders(db: Db, ids: string[], { life, notBefore, now }: Options) {
  const people = await lockDuePeople(db, ids, now)
  const all = [...people.keys()]
  if (all.length === 0) return
  const due = (of: string[]) => sql<SqlBool>`${isDue(now)} and user_id in (${sql.join(of)})`
  const known = Map.groupBy(await knownSubscriptions(db, all, life, now).execute(), (each) => each.user_id)
  const without = all.filter((id) => !known.has(id))
  // After its push service has ended the only subscription, nothing can be sent until its browser has another one.
  const unreached = all.filter((id) => known.get(id)?.every(isEnded))
  await db
    .deleteFrom('reminder_jobs')
    .where(due(all))
    .where((row) =>
      row.or([
        row('remind_at', '<', notBefore),
        ...(without.length > 0 ? [row('user_id', 'in', without)] : []),
      ]),
    )
    .execute()
  await db
    .updateTable('reminder_jobs')
    .set({ state: 'missed' })
    .where(due(all))
    .where((row) =>
      row.or([
        row('due', '<', now - stillSent),
        ...(unreached.length > 0 ? [row('user_id', 'in', unreached)] : []),
      ]),
    )
    .execute()
  const ready: string[] = []
  for (const [id, settings] of people) {
    const end = quietUntil(settings, now)
    if (end === undefined) ready.push(id)
    else
      await db
        .updateTable('reminder_jobs')
        .set({ state: 'held', due: end })
        .where(due([id]))
        .execute()
  }
  const messages = ready.length > 0 ? await composeMessages(db, ready, now) : []
  const sent = messages.flatMap(({ user_id, id, since }) =>
    (known.get(user_id) ?? [])
      .filter((each) => !isEnded(each))
      .map(({ id: subscription, endpoint }) => ({
        ...{ user_id, id, subscription, service: new URL(endpoint).host, since },
        ...{ state: 'to come' as const, due: now, attempts: 0 },
      })),
  )
  for (const some of chunksOf(sent, rowsPerInsert))
    await db.insertInto('push_messages').values(some).execute()
}

const isDue = (now: number) => sql<SqlBool>`${sql.raw(toCome)} and due <= ${now}`

/**
 * Locks those who have due reminders and returns their settings, so that neither changes of their tasks nor of their settings overlap.
 * Reminders that are about to be computed anew wait.
 */
async function lockDuePeople(db: Db, ids: string[], now: number): Promise<Map<string, Settings>> {
  const due = db.selectFrom('reminder_jobs').select('user_id').where('user_id', 'in', ids).where(isDue(now))
  const people = await db
    .updateTable('users')
    .set(({ ref }) => ({ seq: ref('seq') }))
    .where('id', 'in', ids)
    .where('id', 'in', due)
    .where('remind_from', 'is', null)
    .returning(['id', 'settings'])
    .execute()
  return new Map(people.map(({ id, settings }) => [id, settingsWith(JSON.parse(settings))]))
}

async function composeMessages(db: Db, ids: string[], now: number) {
  const due = sql<SqlBool>`${isDue(now)} and user_id in (${sql.join(ids)})`
  const people = await db
    .selectFrom('reminder_jobs')
    .select(({ fn }) => ['user_id', fn.min('due').as('since')])
    .where(due)
    .groupBy('user_id')
    .execute()
  const id = newId()
  await db.updateTable('reminder_jobs').set({ state: 'sending', message: id }).where(due).execute()
  return people.map((each) => ({ ...each, id }))
}

/** Returns the end of the quiet hours that contain an instant, in milliseconds, or undefined. They may contain midnight. */
function quietUntil(
  { zone, quietFrom, quietUntil }: Pick<Settings, 'zone' | 'quietFrom' | 'quietUntil'>,
  now: number,
): number | undefined {
  if (zone === null || quietFrom === null || quietUntil === null || quietFrom === quietUntil) return undefined
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone)
  const time = local.toPlainTime().toString({ smallestUnit: 'minute' })
  const isOverMidnight = quietFrom > quietUntil
  const isQuiet = isOverMidnight
    ? time >= quietFrom || time < quietUntil
    : time >= quietFrom && time < quietUntil
  if (!isQuiet) return undefined
  const day = local.toPlainDate().add({ days: isOverMidnight && time >= quietFrom ? 1 : 0 })
  const end = day.toZonedDateTime({ timeZone: zone, plainTime: quietUntil }).epochMilliseconds
  // In the hour that a clock change repeats, the end may be over already.
  return end > now ? end : undefined
}

import { type SqlBool, sql } from 'kysely'
import { type Settings, settingsWith } from '#contract/settings.ts'
import type { Db, Schema } from '../database/schema.ts'
import { turn } from '../fairness/turns.ts'
import { newId } from '../new-id.ts'
import type { SessionLife } from '../sessions/session-queries.ts'
import { remindersOf } from '../tasks/task-reminders.ts'
import { quietUntil } from './quiet-hours.ts'
import { isEnded, knownSubscriptions } from './subscriptions.ts'

type Job = Schema['reminder_jobs']

/** A reminder that is so old is missed: the page says so, and no message is sent. */
export const stillSent = 2 * 3_600_000

const [jobsPerTurn, jobsOfOneUser] = [200, 1000]

/** As many reminders of a person at once come as one message. */
const mostAtOnce = 5

/** The most tasks that one message is about. */
const mostTogether = 100

/** The id of no task: of a message about several. */
export const severalTasks = '00000000-0000-0000-0000-000000000000'

export const jobKey = sql.raw('(user_id, item, reminder, subscription)')

type Options = { life: SessionLife; notBefore: number; now: number }

/** Whether any job is due. */
export const isAnyDue = async (db: Db, now: number) =>
  (await db
    .selectFrom('reminder_jobs')
    .select('item')
    .where('due', '<=', now)
    .limit(1)
    .executeTakeFirst()) !== undefined

/**
 * Turns some due reminders into messages to the subscriptions of their users, into waiting ones in quiet hours, or into missed ones, in the
 * caller's transaction, so that each is taken up once. Returns whether more may be due.
 */
export async function takeUpReminders(db: Db, { life, notBefore, now }: Options): Promise<boolean> {
  const chosen = await lockDueUsers(db, now)
  if (chosen.size === 0) return false
  const found = await take(
    db,
    sql`due <= ${now} and user_id in (${sql.join([...chosen.keys()])})`,
    jobsPerTurn,
  )
  if (found.length === 0) return false
  const crowded = [...Map.groupBy(found, (job) => job.user_id)].flatMap(([id, jobs]) =>
    jobs.length > mostAtOnce || jobs.some(({ held }) => held === 1) ? [id] : [],
  )
  for (const id of crowded)
    found.push(...(await take(db, sql`due <= ${now} and user_id = ${id}`, jobsOfOneUser)))
  const next = await nextJobs(db, found, chosen, { life, notBefore, now })
  for (let from = 0; from < next.length; from += jobsPerTurn)
    await db
      .insertInto('reminder_jobs')
      .values(next.slice(from, from + jobsPerTurn))
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'item', 'reminder', 'subscription']).doUpdateSet(({ ref }) => ({
          ...{
            others: ref('excluded.others'),
            due: ref('excluded.due'),
            remind_at: ref('excluded.remind_at'),
          },
          ...{ attempts: 0, lease: null },
        })),
      )
      .execute()
  return found.length >= jobsPerTurn
}

/**
 * Locks the users of some due jobs and returns their settings, so that neither changes of their tasks nor of their settings overlap.
 * Jobs that are about to be computed anew wait.
 */
async function lockDueUsers(db: Db, now: number): Promise<Map<string, Settings>> {
  const due = db
    .selectFrom('reminder_jobs')
    .select('user_id')
    .where('subscription', '=', '')
    .where('due', '<=', now)
    .orderBy('due')
    .orderBy('user_id')
    .limit(jobsPerTurn)
  // All engines lock a row on update, even if the update changes nothing.
  const users = await db
    .updateTable('users')
    .set(({ ref }) => ({ seq: ref('seq') }))
    .where('id', 'in', due)
    .where('remind_from', 'is', null)
    .returning(['id', 'settings'])
    .execute()
  return new Map(users.map((user) => [user.id, settingsWith(JSON.parse(user.settings))]))
}

async function take(db: Db, condition: ReturnType<typeof sql>, limit: number): Promise<Job[]> {
  const table = sql.table('reminder_jobs')
  const due = sql`subscription = '' and ${condition}`
  const keys = sql`select user_id, item, reminder, subscription from ${table} where ${due} order by due, user_id limit ${limit}`
  return (
    await sql<Job>`delete from ${table} where ${due} and ${jobKey} in (${keys}) returning *`.execute(db)
  ).rows
}

async function nextJobs(
  db: Db,
  jobs: Job[],
  settings: Map<string, Settings>,
  { life, notBefore, now }: Options,
): Promise<Job[]> {
  const byUser = Map.groupBy(jobs, (job) => job.user_id)
  const ids = [...byUser.keys()]
  const devices = Map.groupBy(await knownSubscriptions(db, ids, life, now).execute(), (each) => each.user_id)
  const tasks = await remindingTasks(db, jobs)
  const next: Job[] = []
  for (const [userId, own] of byUser) {
    const wait = turn()
    if (wait) await wait
    const [chosen, known = []] = [settings.get(userId), devices.get(userId)]
    if (!chosen || known.length === 0) continue
    const subscriptions = known.filter((each) => !isEnded(each))
    const wanted = own.filter((job) => job.remind_at >= notBefore)
    // A server of an earlier version, or a change of the zone, may have changed the task without its jobs.
    const right = wanted.filter(({ item, reminder, remind_at }) => {
      const row = tasks.get(`${userId} ${item}`)
      return (
        row && remindersOf(row, chosen).some((each) => each.reminder === reminder && each.at === remind_at)
      )
    })
    // After its push service has ended the only subscription, nothing can be sent until its browser has another one.
    const isMissed = ({ due }: Job) => subscriptions.length === 0 || now - Number(due) > stillSent
    next.push(...right.filter(isMissed).map((job) => ({ ...job, due: null })))
    const ready = right.filter((job) => !isMissed(job))
    const end = quietUntil(chosen, now)
    if (end !== undefined) next.push(...ready.map((job) => ({ ...job, due: end, held: 1 })))
    else
      for (const { id, endpoint } of subscriptions)
        next.push(
          ...messages(ready).map((job) => ({
            ...{ ...job, subscription: id, service: new URL(endpoint).host, due: now },
            remind_at: Number(job.due),
          })),
        )
  }
  return next
}

/** The messages about some reminders of one person: one each, or a single one. */
function messages(ready: Job[]): Job[] {
  const [first] = ready
  if (!first || (ready.length <= mostAtOnce && !(ready.length > 1 && ready.some(({ held }) => held === 1))))
    return ready
  return [
    {
      ...first,
      item: severalTasks,
      // Each has its own name, so that a second one does not replace the first.
      reminder: `several ${newId()}`,
      others: unique(ready).slice(0, mostTogether).join(' '),
    },
  ]
}

const pairsPerQuery = 500

/** The tasks of some users that are open, by the ids of both. Their bodies are not read. */
export async function remindingTasks(db: Db, wanted: { user_id: string; item: string }[]) {
  const found = []
  for (let from = 0; from < wanted.length; from += pairsPerQuery) {
    const pairs = wanted
      .slice(from, from + pairsPerQuery)
      .map(({ user_id, item }) => sql`(${user_id}, ${item})`)
    const tasks = db
      .selectFrom('tasks')
      .select(['user_id', 'id', 'title', 'due_date', 'due_time', 'reminders', 'done_at', 'deleted_at'])
      .where('done_at', 'is', null)
      .where('deleted_at', 'is', null)
      .where(sql<SqlBool>`(user_id, id) in (${sql.join(pairs)})`)
    found.push(...(await tasks.execute()))
  }
  return new Map(found.map((task) => [`${task.user_id} ${task.id}`, task]))
}

const unique = (jobs: Job[]) => [...new Set(jobs.map(({ item }) => item))]

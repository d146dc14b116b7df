import type { AppContext } from '../context.ts'
import { databaseNow, followedClock } from '../database/database-clock.ts'
import { byPart } from '../database/of-all-users.ts'
import { type RemindersDue, remindersDue } from '../database/reminders-due.ts'
import { turn as turnOfLoop } from '../fairness/turns.ts'
import { sessionLife } from '../sessions/authenticate.ts'
import { findUsersToRenew, renewSomeJobs } from '../tasks/task-reminders.ts'
import { findDuePeople, nextDue, takeUpReminders } from './due-reminders.ts'
import { messagesInHand } from './messages-in-hand.ts'
import { outgoing } from './outgoing-messages.ts'
import { loadPushKeys, type PushKeys } from './push-keys.ts'
import { claimMessages, type Outcome, settleMessages } from './push-messages.ts'

/** Milliseconds between two turns with messages. Each turn is a transaction, and lists wait while the disk confirms it. */
export const soon = 200

/** Milliseconds between two looks for what other servers have stored. A look finds what is due until `lookBeyond` after the next one. */
const [lookEvery, lookBeyond] = [15_000, 5000]

/** Milliseconds that a stop waits for answers. */
const lastAnswers = 2000

/** When people are looked at again whose part of the database failed, in milliseconds. */
export const pauseAfterFailure = 5000

const peoplePerTurn = 200

/** Sends the reminders of this server's share: it takes up what is due, as other servers on the database do. */
export function reminderSender(
  { config, database }: AppContext,
  report: (error: unknown) => void,
  ask = () => databaseNow(database.read),
) {
  const life = sessionLife(config)
  const clock = followedClock(ask)
  /** When something of a person is due, as far as this server knows, until `horizon`. */
  let due = new Map<string, number>()
  let horizon = 0
  let nextLook = 0
  let keys: PushKeys | undefined
  const toRenew = new Set<string>()
  const running = new Set<Promise<void>>()
  /** What the next transaction marks. */
  let outcomes: Outcome[] = []
  const inHand = messagesInHand({ config, database }, clock, report, (outcome) => void outcomes.push(outcome))
  let isStopped = false
  let onWake = (_delay: number) => {}

  function learn(userId: string, at: number) {
    if (at <= horizon) due.set(userId, Math.min(at, due.get(userId) ?? at))
  }

  /** Of this process, and of all its databases: of another one, it leads to a search that finds nothing. */
  function onStored(stored: unknown) {
    const { userId, due: at } = stored as RemindersDue
    if (at === 0) toRenew.add(userId)
    else learn(userId, at)
    if (at <= horizon) onWake(Math.max(soon, at - clock.now()))
  }
  remindersDue.subscribe(onStored)

  async function look(now: number) {
    keys = await loadPushKeys(database).catch((error) => {
      if (!keys) throw error
      return keys
    })
    horizon = now + lookEvery + lookBeyond
    for (const { id } of await findUsersToRenew(database)) toRenew.add(id)
    const found = await findDuePeople(database, horizon)
    due = found.due
    nextLook = found.isAll ? now + lookEvery : now
  }

  /** Marks what has ended, and takes up what is due, of people of one part of the database. */
  async function doPart(ids: string[], now: number, used: PushKeys, stop?: AbortSignal) {
    const own = new Set(ids)
    const ended = outcomes.filter(({ message }) => own.has(message.user_id))
    outcomes = outcomes.filter(({ message }) => !own.has(message.user_id))
    const options = { life, notBefore: used.notBefore, now }
    const { claimed, next } = await database
      .write(async (db) => {
        if (ended.length > 0) await settleMessages(db, ended, life)
        if (!used.isOn || stop?.aborted || isStopped) return { claimed: [], next: new Map<string, number>() }
        await takeUpReminders(db, ids, options)
        const claimed = await claimMessages(db, ids, inHand.roomOf, now)
        return { claimed, next: await nextDue(db, ids, horizon) }
      })
      .catch((error) => {
        outcomes.push(...ended)
        throw error
      })
    for (const id of ids) due.delete(id)
    for (const [id, at] of next) learn(id, at)
    const made = await outgoing(database.read, claimed, { ...options, secret: used.secret })
    for (const [index, message] of claimed.entries()) {
      const wait = turnOfLoop()
      if (wait) await wait
      const each = made[index] ?? 'obsolete'
      if (typeof each === 'string') outcomes.push({ message, answer: each, now })
      else inHand.send(message, each, now, used)
    }
  }

  /** Computes some jobs anew, after the messages of others are on their way. Their reminders may be due. */
  async function renewJobs(now: number, stop?: AbortSignal) {
    for (const id of toRenew) {
      if (stop?.aborted) return
      try {
        if (await database.write((db) => renewSomeJobs(db, id, now), id)) toRenew.delete(id)
      } catch (error) {
        // One account does not keep the jobs of the others from being computed. The next look finds it again.
        toRenew.delete(id)
        report(error)
      }
    }
  }

  async function doDue(stop?: AbortSignal): Promise<number> {
    const now = await clock.ask()
    // The clock may have been set back.
    if (now >= nextLook || now < nextLook - lookEvery) await look(now)
    if (!keys) return soon
    if (!keys.isOn) due.clear()
    const people = [...due].flatMap(([id, at]) => (at <= now ? [id] : []))
    const wanted = [...outcomes.map(({ message }) => message.user_id), ...people.slice(0, peoplePerTurn)]
    for (const ids of await byPart(database, [...new Set(wanted)]))
      await doPart(ids, now, keys, stop).catch((error) => {
        for (const id of ids) due.set(id, now + pauseAfterFailure)
        report(error)
      })
    await inHand.renewLeases(now)
    await renewJobs(now, stop)
    if (outcomes.length > 0 || inHand.size() > 0 || toRenew.size > 0) return soon
    const next = due.values().reduce((least, at) => Math.min(least, at), nextLook)
    return Math.max(soon, next - now)
  }

  function stop() {
    isStopped = true
    inHand.stop()
  }

  return {
    async turn(stop?: AbortSignal): Promise<number> {
      const done = doDue(stop)
      const run = done.then(
        () => void running.delete(run),
        () => void running.delete(run),
      )
      running.add(run)
      return await done
    },
    /** Calls `wake` with the milliseconds after which a turn is needed before the one that was announced. */
    wakeBy(wake: typeof onWake) {
      onWake = wake
    },
    isOn: () => keys?.isOn,
    /** Resolves when nothing is in hand any more. */
    async settled() {
      while (running.size > 0) await Promise.all(running)
      await inHand.settled()
    },
    async close() {
      remindersDue.unsubscribe(onStored)
      const timer = setTimeout(stop, lastAnswers)
      await this.settled()
      clearTimeout(timer)
      stop()
      const ended = outcomes
      const people = [...new Set(ended.map(({ message }) => message.user_id))]
      for (const ids of await byPart(database, people).catch(() => []))
        await database
          .write((db) =>
            settleMessages(
              db,
              ended.filter(({ message }) => ids.includes(message.user_id)),
              life,
            ),
          )
          .catch(report)
      await inHand.close()
    },
  }
}

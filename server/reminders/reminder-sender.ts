import type { FastifyInstance } from 'fastify'
import { every } from '../background.ts'
import type { AppContext } from '../context.ts'
import type { Db } from '../database/schema.ts'
import { turn as turnOfLoop } from '../fairness/turns.ts'
import { failureLog } from '../http/failure-log.ts'
import { sessionLife } from '../sessions/authenticate.ts'
import { findUsersToRenew, renewSomeJobs } from '../tasks/task-reminders.ts'
import { contactOf } from './contact.ts'
import { isAnyDue, takeUpReminders } from './due-reminders.ts'
import { encryptionThread } from './encryption.ts'
import { topicOf } from './messages.ts'
import { loadPushKeys, type PushKeys } from './push-keys.ts'
import { claimMessages, isRefused, type Outcome, outgoing, settleMessages } from './push-messages.ts'
import { pushRequests, requestsPerService } from './push-requests.ts'

/** How long a push service keeps a message for a browser that it does not reach, in seconds. */
const keptFor = 7200

/**
 * The milliseconds until the next turn while there are messages and otherwise, and for which a stop waits for answers. Each turn with
 * messages is one transaction, for which lists wait while the disk confirms it.
 */
const [soon, pause, lastAnswers] = [200, 1000, 2000]

/** The maximum number of messages, and of batches of reminders, that a turn takes in hand. */
const [messagesPerTurn, batchesPerTurn] = [200, 3]

type Job = Outcome['job']
type Sent = Awaited<ReturnType<typeof outgoing>>[number]

/** Sends the reminders of this server's share: it takes up what is due, as other servers on the database do. */
export function reminderSender({ config, database }: AppContext, report: (error: unknown) => void) {
  const life = sessionLife(config)
  const contact = contactOf(config)
  let isStopped = false
  const requests = pushRequests(config.pushHosts)
  const thread = encryptionThread()
  /** How many messages are in hand, by service. */
  const inHand = new Map<string, number>()
  const running = new Set<Promise<void>>()
  /** What the next transaction marks. */
  let outcomes: Outcome[] = []
  const busy = () => [...inHand].flatMap(([service, count]) => (count >= requestsPerService ? [service] : []))

  async function attempt(message: Sent, keys: PushKeys): Promise<Outcome['answer']> {
    const { vapid, publicKey } = keys
    if (typeof message === 'string') return message
    try {
      const encrypted = await thread.encrypt({ ...message, vapid, publicKey, contact })
      const headers = {
        authorization: encrypted.authorization,
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(keptFor),
        urgency: 'high',
        topic: topicOf(message.topic),
      }
      const { endpoint } = message
      const answer = await requests.send({ endpoint, headers, body: encrypted.body })
      if (isRefused(answer)) report(new Error(`${new URL(endpoint).host} answered ${answer.status}`))
      return answer
    } catch (error) {
      if (isStopped) throw error
      report(error)
      return 'failed'
    }
  }

  function begin(job: Job, message: Sent, keys: PushKeys, now: number) {
    const run = attempt(message, keys)
      .then((answer) => void outcomes.push({ job, answer, now }))
      // Its lease ends, and then it is taken up again.
      .catch((error) => void (isStopped || report(error)))
      .finally(() => {
        running.delete(run)
        const left = (inHand.get(job.service) ?? 1) - 1
        if (left > 0) inHand.set(job.service, left)
        else inHand.delete(job.service)
      })
    inHand.set(job.service, (inHand.get(job.service) ?? 0) + 1)
    running.add(run)
  }

  /** Marks what has ended, in one transaction with what `then` does. */
  async function markAnd<Result>(then: (db: Db) => Promise<Result>): Promise<Result> {
    const ended = outcomes
    outcomes = []
    try {
      return await database.write(async (db) => {
        await settleMessages(db, ended, life)
        return await then(db)
      })
    } catch (error) {
      outcomes.push(...ended)
      throw error
    }
  }

  async function doDue(now: number, ended?: AbortSignal): Promise<boolean> {
    const keys = await loadPushKeys(database)
    const isDue = keys.isOn && (await isAnyDue(database.read, now))
    if (!isDue && outcomes.length === 0) return (await renew(now, ended)) || inHand.size > 0
    const { secret, notBefore } = keys
    const claimed = await markAnd(async (db) => {
      if (!isDue || ended?.aborted) return []
      for (let batch = 0; batch < batchesPerTurn; batch++)
        if (!(await takeUpReminders(db, { life, notBefore, now }))) break
      return await claimMessages(db, busy(), messagesPerTurn, now)
    })
    const messages = await outgoing(database.read, claimed, { secret, life, notBefore, now })
    for (const [index, job] of claimed.entries()) {
      const wait = turnOfLoop()
      if (wait) await wait
      begin(job, messages[index] ?? 'obsolete', keys, now)
    }
    return (await renew(now, ended)) || inHand.size > 0 || outcomes.length > 0
  }

  /** Computes some jobs anew, after the messages of others are on their way. Returns whether it did: their reminders may be due. */
  async function renew(now: number, ended?: AbortSignal): Promise<boolean> {
    let isDone = false
    for (const { id } of await findUsersToRenew(database.read)) {
      if (ended?.aborted) break
      try {
        await database.write((db) => renewSomeJobs(db, id, now), id)
        isDone = true
      } catch (error) {
        // One account does not keep the jobs of the others from being computed.
        report(error)
      }
    }
    return isDone
  }

  return {
    /** Does what is due at `now`. Returns whether messages are in hand. */
    async turn(now: number, ended?: AbortSignal): Promise<boolean> {
      const done = doDue(now, ended)
      const run = done.then(
        () => void running.delete(run),
        () => void running.delete(run),
      )
      running.add(run)
      return await done
    },
    /** Resolves when nothing is in hand any more. */
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
    async close() {
      const stop = () => {
        isStopped = true
        requests.close()
      }
      const timer = setTimeout(stop, lastAnswers)
      await this.settled()
      clearTimeout(timer)
      stop()
      await markAnd(async () => {}).catch(report)
      await thread.close()
    },
  }
}

/** Sends reminders while the server listens. */
export function sendReminders(app: FastifyInstance, context: AppContext) {
  const logFailure = failureLog()
  const report = (error: unknown) =>
    logFailure(app.log, 'warn', {}, error as Error, 'a reminder was not sent')
  const sender = reminderSender(context, report)
  every(app, 'the sending of reminders', async (stop) => {
    const isMore = await sender.turn(Date.now(), stop).catch(report)
    return isMore === true ? soon : pause
  })
  app.addHook('onClose', () => sender.close())
}

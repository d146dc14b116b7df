import type { FastifyInstance } from 'fastify'
import { every } from '../background.ts'
import type { AppContext } from '../context.ts'
import { failureLog } from '../http/failure-log.ts'
import { sessionLife } from '../sessions/authenticate.ts'
import { findUsersToRenew, renewSomeJobs } from '../tasks/task-reminders.ts'
import { contactOf } from './contact.ts'
import { isAnyDue, takeUpReminders } from './due-reminders.ts'
import { encryptionThread } from './encryption.ts'
import { topicOf } from './messages.ts'
import { loadPushKeys, type PushKeys } from './push-keys.ts'
import { claimMessages, type Outcome, outgoing, settleMessages } from './push-messages.ts'
import { pushRequests, requestsPerService } from './push-requests.ts'

/** How long a push service keeps a message for a browser that it does not reach, in seconds. */
const keptFor = 7200

/** The milliseconds until the next turn while there are messages and otherwise, between two marks, and for which a stop waits for answers. */
const [soon, pause, betweenMarks, lastAnswers] = [50, 1000, 20, 2000]

type Job = Outcome['job']

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
  let outcomes: Outcome[] = []
  let marking: Promise<void> | undefined

  const busy = () => [...inHand].flatMap(([service, count]) => (count >= requestsPerService ? [service] : []))

  /** Marks what has ended together, because each message of its own would be a transaction. */
  function mark(outcome: Outcome): Promise<void> {
    outcomes.push(outcome)
    marking ??= new Promise<void>((resolve) => setTimeout(resolve, betweenMarks)).then(async () => {
      const ended = outcomes
      outcomes = []
      marking = undefined
      await database.write((db) => settleMessages(db, ended))
    })
    return marking
  }

  async function attempt(job: Job, keys: PushKeys, now: number): Promise<Outcome['answer']> {
    const { secret, vapid, publicKey } = keys
    const message = await outgoing(database.read, job, { secret, life, now })
    if (!message) return 'obsolete'
    try {
      const encrypted = await thread.encrypt({ ...message, vapid, publicKey, contact })
      const headers = {
        authorization: encrypted.authorization,
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(keptFor),
        urgency: 'high',
        topic: topicOf(job.item),
      }
      return await requests.send({ endpoint: message.endpoint, headers, body: encrypted.body })
    } catch (error) {
      if (isStopped) throw error
      report(error)
      return 'failed'
    }
  }

  function begin(job: Job, keys: PushKeys, now: number) {
    inHand.set(job.service, (inHand.get(job.service) ?? 0) + 1)
    const run = attempt(job, keys, now)
      .finally(() => {
        const left = (inHand.get(job.service) ?? 1) - 1
        if (left > 0) inHand.set(job.service, left)
        else inHand.delete(job.service)
      })
      .then((answer) => mark({ job, answer, now }))
      // Its lease ends, and then it is taken up again.
      .catch((error) => void (isStopped || report(error)))
      .finally(() => running.delete(run))
    running.add(run)
  }

  async function doDue(now: number, ended?: AbortSignal): Promise<boolean> {
    const keys = await loadPushKeys(database)
    for (const { id } of await findUsersToRenew(database.read))
      while (!ended?.aborted) if (await database.write((db) => renewSomeJobs(db, id, now), id)) break
    if (!keys.isOn || !(await isAnyDue(database.read, now))) return false
    const { notBefore } = keys
    const takeUp = () => database.write((db) => takeUpReminders(db, { life, notBefore, now }))
    while (!ended?.aborted) if (!(await takeUp())) break
    const claimed = await database.write((db) => claimMessages(db, busy(), requestsPerService, now))
    for (const job of claimed) begin(job, keys, now)
    // An answer makes place for others, which the next turn must not wait for.
    return inHand.size > 0
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
      await thread.close()
    },
  }
}

/** Sends reminders while the server listens. */
export function sendReminders(app: FastifyInstance, context: AppContext) {
  const logFailure = failureLog()
  const report = (error: unknown) =>
    logFailure(app.log, 'warn', {}, error as Error, 'a reminder was not sent; it will be tried again')
  const sender = reminderSender(context, report)
  every(app, 'the sending of reminders', async (stop) => {
    const isMore = await sender.turn(Date.now(), stop).catch(report)
    return isMore === true ? soon : pause
  })
  app.addHook('onClose', () => sender.close())
}

import type { AppContext } from '../context.ts'
import type { followedClock } from '../database/database-clock.ts'
import { byPart } from '../database/of-all-users.ts'
import { measured } from '../measured.ts'
import { contactOf } from './contact.ts'
import { encryptionThread } from './encryption.ts'
import { topicOf } from './messages.ts'
import type { Outgoing } from './outgoing-messages.ts'
import type { PushKeys } from './push-keys.ts'
import { isFailure, lease, lendMessages, type Message, type Outcome } from './push-messages.ts'
import { type PushAnswer, pushRequests, requestsPerService } from './push-requests.ts'

/** How long a push service keeps a message for a browser that it does not reach, in seconds. */
const keptFor = 7200

/** The messages that this server has taken up and sends, each as long as its lease is this server's. */
export function messagesInHand(
  { config, database }: AppContext,
  clock: ReturnType<typeof followedClock>,
  report: (error: unknown) => void,
  onEnd: (outcome: Outcome) => void,
) {
  const contact = contactOf(config)
  const requests = pushRequests(config.pushHosts)
  const thread = encryptionThread()
  const inHand = new Set<Message>()
  const running = new Set<Promise<void>>()
  let isStopped = false

  async function attempt(message: Message, made: Outgoing, { vapid, publicKey }: PushKeys) {
    // After a pause of this process, another server may have sent it.
    const mayBegin = () => clock.now() < message.due
    try {
      const encrypted = await thread.encrypt({ ...made, vapid, publicKey, contact })
      const headers = {
        authorization: encrypted.authorization,
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(keptFor),
        urgency: 'high',
        topic: topicOf(made.topic),
      }
      await clock.ask()
      const { endpoint } = made
      const answer = await requests.send({ endpoint, headers, body: encrypted.body }, mayBegin)
      if (isFailure(answer)) throw new Refusal(new URL(endpoint).host, answer)
      if (answer.status < 300)
        measured.reminderSent.publish({ seconds: Math.max(0, clock.now() - message.since) / 1000 })
      return answer
    } catch (error) {
      if (isStopped || !mayBegin()) throw error
      measured.reminderFailure.publish(undefined)
      report(error)
      return error instanceof Refusal ? error.answer : 'failed'
    }
  }

  return {
    size: () => inHand.size,
    /** How many more messages to a push service may be taken up. */
    roomOf: (service: string) =>
      requestsPerService - [...inHand].filter((message) => message.service === service).length,
    /** Sends a message that was taken up at `now`. If its lease ends before, it is taken up again. */
    send(message: Message, made: Outgoing, now: number, keys: PushKeys) {
      inHand.add(message)
      const run = attempt(message, made, keys)
        .then((answer) => onEnd({ message, answer, now }))
        .catch((error) => void (isStopped || report(error)))
        .finally(() => {
          running.delete(run)
          inHand.delete(message)
        })
      running.add(run)
    },
    /** Messages that another server has taken up keep the end of their lease. */
    async renewLeases(now: number) {
      const ending = [...inHand].filter((message) => message.due < now + (2 / 3) * lease)
      const byPerson = Map.groupBy(ending, ({ user_id }) => user_id)
      for (const ids of await byPart(database, [...byPerson.keys()])) {
        const messages = ids.flatMap((id) => byPerson.get(id) ?? [])
        const lent = await database.write((db) => lendMessages(db, messages, now)).catch(report)
        const ends = new Map(lent?.map((each) => [keyOf(each), each.due]))
        for (const message of messages) message.due = ends.get(keyOf(message)) ?? message.due
      }
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
    stop() {
      isStopped = true
      requests.close()
    },
    close: () => thread.close(),
  }
}

const keyOf = ({ user_id, id, subscription }: Message) => `${user_id} ${id} ${subscription}`

class Refusal extends Error {
  readonly answer: PushAnswer
  constructor(host: string, answer: PushAnswer) {
    super(`${host} answered ${answer.status}`)
    this.answer = answer
  }
}

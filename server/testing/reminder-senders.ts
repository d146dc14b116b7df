import { readConfig } from '../config.ts'
import { reminderSender, soon } from '../reminders/reminder-sender.ts'
import { forAll } from './made-for-tests.ts'
import { startPushService } from './push-service.ts'
import type { TestServer } from './test-server.ts'

/** Starts a sender of reminders for each of these servers. */
export function startSenders(
  servers: Pick<TestServer, 'database'>[],
  environment: Record<string, string>,
  onError: (error: unknown) => void = () => {},
) {
  const config = readConfig({ LOG_LEVEL: 'silent', ...environment })
  /** What the clock of the database says. */
  const clock = { now: 0 }
  const all = servers.map(({ database }) =>
    reminderSender({ config, database }, onError, async () => clock.now),
  )
  return {
    all,
    clock,
    /** Lets all do what is due at `now`, until nothing is in hand. */
    async until(now: number) {
      clock.now = now
      const finish = async (sender: (typeof all)[number]) => {
        while ((await sender.turn()) <= soon) await sender.settled()
      }
      await Promise.all(all.map(finish))
    },
    close: () => Promise.all(all.map((sender) => sender.close())),
  }
}

/** A push service for the tests of the surrounding block. */
export const pushServiceForAll = () => forAll(startPushService)

/** A sender for each of these servers, for the tests of the surrounding block. */
export const sendersForAll = (...start: Parameters<typeof startSenders>) =>
  forAll(() => startSenders(...start))

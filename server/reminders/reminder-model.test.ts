import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { newId } from '../new-id.ts'
import { onEveryEngine } from '../testing/engines.ts'
import { newBrowser } from '../testing/push-service.ts'
import { pushServiceForAll, sendersForAll } from '../testing/reminder-senders.ts'
import { rounds } from '../testing/rounds.ts'
import { serverForAll } from '../testing/test-server.ts'
import { stillSent, takeUpReminders } from './due-reminders.ts'
import { setSending } from './push-keys.ts'
import { claimMessages, lease } from './push-messages.ts'

const environment = { PUSH_HOSTS: 'localhost', SESSION_IDLE_DAYS: '3650', SESSION_MAX_DAYS: '3650' }
const life = { idle: 1e12, max: 1e12 }
const minute = 60_000

/** Evenings before a clock is changed, in Europe and in America. */
const starts = ['2027-03-27T21:00Z', '2027-10-30T21:00Z', '2027-03-13T23:00Z', '2027-11-06T23:00Z']
const zones = ['Europe/Berlin', 'Asia/Tokyo', 'America/New_York', 'Europe/London']

const task = fc.nat(5)
const step = fc.oneof(
  fc.record({ do: fc.constant('add' as const), after: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ do: fc.constant('move' as const), task, after: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ do: fc.constant('complete' as const), task }),
  fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 0, max: 200 }) }),
  fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: -90, max: 0 }) }),
  fc.record({ do: fc.constant('travel' as const), zone: fc.constantFrom(...zones) }),
  fc.record({ do: fc.constant('die' as const) }),
)

onEveryEngine('reminders of random steps', (engine) => {
  const service = pushServiceForAll()
  const server = serverForAll(engine, environment)
  const senders = sendersForAll([server, server], environment)
  beforeEach(() => server.database.write((db) => setSending(db, true, 0)))
  /** A person with two devices, and what each of them is to get. */
  async function play(start: string, steps: (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) {
    const user = await server.newUser()
    let [now, zone] = [Date.parse(start), zones[0] as string]
    await user.setSettings({ zone })
    const browsers = [newBrowser(service.origin, `/${newId()}`), newBrowser(service.origin, `/${newId()}`)]
    for (const [index, { subscription: body }] of browsers.entries()) {
      const device = index === 0 ? user : await user.newSession()
      expect((await device.call('PUT /reminders/subscription', { body })).status).toBe(200)
    }
    /** When a server takes up what is to come, by task. */
    const pending = new Map<string, { at: number }>()
    const open = new Map<string, Temporal.PlainDateTime>()
    /** What a server that died had in hand. */
    let inHand: { item: string; since: number; until: number }[] = []
    const [sent, ids]: [string[], string[]] = [[], []]
    let missed: string[] = []
    let isTravelled = false
    const instant = (wall: Temporal.PlainDateTime) => wall.toZonedDateTime(zone).epochMilliseconds
    const wallAfter = (minutes: number) =>
      Temporal.Instant.fromEpochMilliseconds(now + minutes * minute)
        .toZonedDateTimeISO(zone)
        .toPlainDateTime()
        .round({ smallestUnit: 'minute', roundingMode: 'floor' })
    const due = (wall: Temporal.PlainDateTime) => ({
      dueDate: wall.toPlainDate().toString(),
      dueTime: wall.toPlainTime().toString({ smallestUnit: 'minute' }),
    })
    const set = (item: string, values: object) => user.send({ item, set: values })
    const end = ({ item, since }: { item: string; since: number }) =>
      (now - since > stillSent ? missed : sent).push(item)
    const forget = (item: string) => {
      inHand = inHand.filter((message) => message.item !== item)
      missed = missed.filter((other) => other !== item)
    }
    const renew = () => {
      for (const [item, wall] of open) {
        const [before, at] = [pending.get(item), instant(wall)]
        // Who travels to the west is reminded again when the clock there shows the time.
        if (!before && at > now && !missed.includes(item)) pending.set(item, { at })
        else if (before && at !== before.at) before.at = Math.max(at, now)
      }
    }
    const takeDue = () => {
      const taken = [...pending].filter(([, { at }]) => at <= now)
      for (const [item] of taken) pending.delete(item)
      return taken.map(([item, { at }]) => ({ item, since: at }))
    }

    for (const each of [...steps, { do: 'wait' as const, minutes: 400 }]) {
      const item = 'task' in each ? ids[each.task] : undefined
      if (each.do === 'add') {
        const wall = wallAfter(each.after)
        const { _id } = await user.addTask({ title: 'Call', ...due(wall) })
        ids.push(_id)
        open.set(_id, wall)
        pending.set(_id, { at: instant(wall) })
      } else if (each.do === 'move' && item) {
        const wall = wallAfter(each.after)
        // A time that is over reminds no more; the clock of the server is not this one.
        if (instant(wall) <= now || !open.has(item)) continue
        await set(item, due(wall))
        forget(item)
        open.set(item, wall)
        pending.set(item, { at: instant(wall) })
      } else if (each.do === 'complete' && item) {
        await set(item, { done: true })
        for (const map of [open, pending]) map.delete(item)
        forget(item)
      } else if (each.do === 'travel' && each.zone !== zone) {
        zone = each.zone
        isTravelled = true
        await user.setSettings({ zone })
      } else if (each.do === 'die') {
        await server.database.write(async (db) => {
          await takeUpReminders(db, [user.id], { life, notBefore: 0, now })
          await claimMessages(db, [user.id], () => 1000, now)
        })
        for (const message of inHand) if (message.until <= now) message.until = now + lease
        if (isTravelled) continue
        for (const { item, since } of takeDue()) {
          if (now - since > stillSent) missed.push(item)
          else inHand.push({ item, since, until: now + lease })
        }
      } else if (each.do === 'wait') {
        now += each.minutes * minute
        // An attempt that fails is repeated after five seconds; all times are whole minutes.
        for (const time of [now, now + 6000]) await senders.until(time)
        if (isTravelled) renew()
        isTravelled = false
        const free = inHand.filter(({ until }) => until <= now)
        inHand = inHand.filter(({ until }) => until > now)
        for (const message of [...free, ...takeDue()]) end(message)
        for (const browser of browsers) {
          const got = service.received.filter(({ path }) => path === browser.path)
          const items = got.flatMap(({ body }) => browser.decrypt(body).notification.data.items)
          expect(items.sort()).toEqual([...sent].sort())
        }
        const { reminders } = (await user.call('GET /reminders')).json
        expect(reminders.missed.map(({ item }) => item).sort()).toEqual([...missed].sort())
      }
    }
  }

  test('each device gets each reminder once, or the page says that it was missed: clocks jump and change, people travel, servers die', async () => {
    const scripts = fc.tuple(fc.constantFrom(...starts), fc.array(step, { minLength: 5, maxLength: 25 }))
    await fc.assert(
      fc.asyncProperty(scripts, ([start, steps]) => play(start, steps)),
      { numRuns: rounds(1000, 15) },
    )
  })
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import { taskWith } from '../engine/store/testing/task-with.ts'
import { memoryStorage } from '../engine/testing/test-needs.ts'
import { anHourAfter, instantOf, reminderText, tomorrowOf } from '../tasks/reminders/reminder-text.ts'
import { createLooks, type ReminderSettings, remindersBetween, stillReminds } from './due-reminders.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', memoryStorage())
  localStorage.setItem('token', 'ann'.padEnd(30, '-'))
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const task = (values: Partial<Task> = {}): Task =>
  taskWith({
    ...{ _id: 'a', title: 'Train', createdAt: '2026-11-01T00:00:00.000Z' },
    ...{ dueDate: '2026-11-27', dueTime: '10:00', ...values },
  })

const at = (wall: string) => new Date(wall).getTime()
const settings: ReminderSettings = {
  ...{ defaultReminder: '0m', quietFrom: null, quietUntil: null },
  ...{ zone: null, zonePinned: false },
}
const between = (tasks: Task[], since: string, now: string, chosen: object = settings) =>
  remindersBetween(tasks, { ...settings, ...chosen }, { since: at(since), now: at(now) })?.map(({ at }) => at)

test('A task reminds in the minute of its reminder and no second time, completed and deleted ones never', () => {
  expect(between([task()], '2026-11-27T09:59', '2026-11-27T10:00')).toEqual([at('2026-11-27T10:00')])
  expect(between([task()], '2026-11-27T10:00', '2026-11-27T10:01')).toEqual([])
  const instant = '2026-11-27T09:00:00.000Z'
  const over = [task({ doneAt: instant }), task({ deletedAt: instant })]
  expect(between(over, '2026-11-27T09:59', '2026-11-27T10:00')).toEqual([])
  expect(stillReminds(task(), at('2026-11-27T10:00'), settings)).toBe(true)
  expect(stillReminds(task({ dueTime: '11:00' }), at('2026-11-27T10:00'), settings)).toBe(false)
})

test('A task has no reminder from before it was created', () => {
  const newer = task({ createdAt: new Date('2026-11-27T10:00:30').toISOString() })
  expect(between([newer], '2026-11-27T09:59', '2026-11-27T10:01')).toEqual([])
})

test('In quiet hours nothing reminds, and at their end all of them do', () => {
  const night = { quietFrom: '22:00', quietUntil: '07:00' }
  const tasks = [
    ...[task({ dueTime: '23:30' }), task({ _id: 'b', dueDate: '2026-11-28', dueTime: '06:00' })],
    task({ _id: 'c', dueTime: '21:59' }),
  ]
  expect(between(tasks, '2026-11-27T21:00', '2026-11-27T21:59', night)).toEqual([at('2026-11-27T21:59')])
  expect(between(tasks, '2026-11-27T21:00', '2026-11-28T06:59', night)).toBeUndefined()
  expect(between(tasks, '2026-11-28T06:59', '2026-11-28T07:00', night)).toEqual([
    at('2026-11-27T23:30'),
    at('2026-11-28T06:00'),
  ])
  const noon = { quietFrom: '12:00', quietUntil: '14:00' }
  expect(between([task({ dueTime: '12:00' })], '2026-11-27T11:59', '2026-11-27T12:30', noon)).toBeUndefined()
  expect(between([task({ dueTime: '12:00' })], '2026-11-27T13:59', '2026-11-27T14:00', noon)).toHaveLength(1)
})

test('A zone that was chosen by hand counts in place of that of the device, also for quiet hours, In an hour and Tomorrow', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo')
  const pinned = { zone: 'Europe/Berlin', zonePinned: true }
  const instant = (wall: string) => Date.parse(`${wall}+01:00`)
  const period = { since: instant('2026-11-27T09:59'), now: instant('2026-11-27T10:00') }
  const found = (chosen: object) => remindersBetween([task()], { ...settings, ...chosen }, period)
  expect(found(pinned)).toEqual([{ item: 'a', at: period.now }])
  expect(stillReminds(task(), period.now, { ...settings, ...pinned })).toBe(true)
  // Told by another device that was opened last, which this page replaces by its own.
  expect(found({ ...pinned, zonePinned: false })).toEqual([])
  expect(found({ zone: 'Nowhere', zonePinned: true })).toEqual([])
  expect(found({ ...pinned, quietFrom: '10:00', quietUntil: '11:00' })).toBeUndefined()
  expect(found({ ...pinned, quietFrom: '18:00', quietUntil: '19:00' })).toHaveLength(1)
  expect(anHourAfter(new Date(period.now), pinned.zone)).toBe('2026-11-27T11:00')
  // In Tokyo, it is the 28th already.
  const evening = new Date(instant('2026-11-27T20:00'))
  expect([pinned.zone, null].map((zone) => tomorrowOf(evening, zone))).toEqual(['2026-11-28', '2026-11-29'])
})

test('After a time without a network, what is over is shown once, in one tab and also after it is loaded again', async () => {
  const tasks = [task(), task({ _id: 'b', dueTime: '11:00' })]
  const [tab, other] = [createLooks('me', undefined), createLooks('me', undefined)]
  await look(tab, [], '2026-11-27T09:00')
  await look(other, [], '2026-11-27T09:00')
  const offline = { caughtUp: '2026-11-27T09:00' }
  expect(await look(tab, tasks.slice(1), '2026-11-27T12:00', offline)).toEqual(['b 11:00'])
  // The other tab and the page that was loaded again get to know the task of another device with the first connection.
  const loaded = createLooks('me', tab.since())
  expect(await look(loaded, tasks, '2026-11-27T12:01')).toEqual(['a 10:00'])
  expect(await look(other, tasks, '2026-11-27T12:01')).toEqual([])
  expect(await look(createLooks('me', undefined), tasks, '2026-11-27T12:02')).toEqual([])
})

/** What a tab shows when it looks at this wall clock. It last had all changes at `caughtUp`. */
async function look(
  tab: ReturnType<typeof createLooks>,
  tasks: Task[],
  now: string,
  { caughtUp = now, chosen = {} }: { caughtUp?: string; chosen?: object } = {},
) {
  vi.setSystemTime(at(now))
  const find: Parameters<typeof tab.look>[0] = (period) =>
    remindersBetween(tasks, { ...settings, ...chosen }, period)
  const shown = await tab.look(find, at(caughtUp))
  // Then the lock of the tab ends, too.
  vi.runAllTimers()
  return shown.map(({ item, at }) => `${item} ${new Date(at).toTimeString().slice(0, 5)}`)
}

test('Of all tabs that look in the same minute, one gets a reminder', async () => {
  const tabs = [createLooks('me', undefined), createLooks('me', undefined)]
  for (const tab of tabs) await look(tab, [], '2026-11-27T09:59')
  const shown = await Promise.all(tabs.map((tab) => look(tab, [task()], '2026-11-27T10:00')))
  expect(shown.flat()).toEqual(['a 10:00'])
})

test('After a while without a page, the last reminder of each task comes if it is younger than two hours', async () => {
  const several = task({ reminders: '10m 60m' })
  await look(createLooks('me', undefined), [], '2026-11-26T12:00')
  const saved = { ...localStorage }
  expect(await look(createLooks('me', undefined), [several], '2026-11-27T10:30')).toEqual(['a 09:50'])
  for (const [key, text] of Object.entries(saved)) localStorage.setItem(key, text)
  expect(await look(createLooks('me', undefined), [several], '2026-11-27T12:30')).toEqual([])
})

test('A tab that was hidden for a day shows what no other tab has shown meanwhile', async () => {
  const tab = createLooks('me', undefined)
  const tasks = [task(), task({ _id: 'b', dueTime: '12:00' })]
  await look(tab, tasks, '2026-11-27T08:00')
  await look(createLooks('me', undefined), tasks, '2026-11-27T13:00')
  expect(await look(createLooks('me', tab.since()), tasks, '2026-11-28T08:00')).toEqual(['a 10:00'])
})

test('A reminder that a page gets to know after its time comes once, and one that is set in the past does not', async () => {
  const tab = createLooks('me', undefined)
  await look(tab, [], '2026-11-27T09:00')
  // The computer has slept since.
  expect(await look(tab, [], '2026-11-27T10:05', { caughtUp: '2026-11-27T09:00' })).toEqual([])
  expect(await look(tab, [task()], '2026-11-27T10:06')).toEqual(['a 10:00'])
  expect(await look(tab, [task()], '2026-11-27T10:07')).toEqual([])
  expect(await look(tab, [task({ _id: 'b' })], '2026-11-27T10:08')).toEqual([])
})

test('What a page has not shown when quiet hours begin comes at their end', async () => {
  await look(createLooks('me', undefined), [], '2026-11-27T09:00')
  const tab = createLooks('me', undefined)
  const chosen = { quietFrom: '10:30', quietUntil: '14:00' }
  for (const time of ['10:30', '13:59'])
    expect(await look(tab, [task()], `2026-11-27T${time}`, { chosen })).toEqual([])
  expect(await look(tab, [task()], '2026-11-27T14:00', { chosen })).toEqual(['a 10:00'])
})

test('A clock that is set back repeats no reminder and keeps none back', async () => {
  const tab = createLooks('me', undefined)
  const tasks = [task(), task({ _id: 'b', dueTime: '11:00' })]
  await look(tab, tasks, '2026-11-27T09:00')
  expect(await look(tab, tasks, '2026-11-27T12:00')).toEqual(['a 10:00', 'b 11:00'])
  const later = [...tasks, task({ _id: 'c', dueTime: '10:01' })]
  expect(await look(tab, later, '2026-11-27T09:30')).toEqual([])
  expect(await look(tab, later, '2026-11-27T10:00')).toEqual([])
  expect(await look(createLooks('me', undefined), later, '2026-11-27T11:30')).toEqual(['c 10:01'])
})

test('With a full local storage, a tab shows a reminder once', async () => {
  const tab = createLooks('me', undefined)
  await look(tab, [], '2026-11-27T09:59')
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  // The page has no changes of others, so it looks at the same time again.
  const looked = [10, 11].map((minute) => `2026-11-27T10:${minute}`)
  const shown = []
  for (const now of looked) shown.push(await look(tab, [task()], now, { caughtUp: '2026-11-27T09:59' }))
  expect(shown).toEqual([['a 10:00'], []])
})

test('A reminder is said in words', () => {
  const texts = {
    ...{ '0m': 'At the time', '10m': '10 minutes before', '60m': 'An hour before', '120m': '2 hours before' },
    ...{ '1440m': 'A day before', '0d09:00': 'That morning at 09:00', '2d08:00': '2 days before at 08:00' },
    ...{ '1d19:00': 'The evening before at 19:00', none: 'No reminder', '?': '?' },
    ...{ '2026-11-27T08:00': 'Fri 27 Nov at 08:00', '2026-11-26T08:00': 'Today at 08:00' },
  }
  const place = { today: '2026-11-26', locale: 'en-GB' }
  for (const [text, said] of Object.entries(texts)) expect(reminderText(text, place)).toBe(said)
  expect(instantOf({ wall: '2026-11-27T10:00', minutes: 10 }, null)).toBe(at('2026-11-27T09:50'))
})

test('In an hour is an hour later or more when the clock is set back, and never sooner', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const hours = [
    ['2026-10-25T01:30+02:00', '2026-10-25T02:30'],
    // The second 02:30 would be taken for the first.
    ['2026-10-25T02:30+02:00', '2026-10-25T03:00'],
    ['2026-10-25T02:30+01:00', '2026-10-25T03:30'],
    ['2026-03-29T01:30+01:00', '2026-03-29T03:30'],
  ] as const
  for (const [now, wall] of hours) expect(anHourAfter(new Date(now), null)).toBe(wall)
})

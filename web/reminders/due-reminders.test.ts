import { afterEach, expect, test, vi } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import { freshTask } from '../store/pending-change.ts'
import { instantOf, reminderText } from '../tasks/reminders/reminder-text.ts'
import { claimReminders, remindersBetween, stillReminds } from './due-reminders.ts'

afterEach(() => vi.unstubAllGlobals())

const task = (values: Partial<Task> = {}): Task =>
  ({
    ...freshTask,
    _id: 'a',
    title: 'Train',
    priority: 'low',
    createdAt: '2026-11-01T00:00:00.000Z',
    dueDate: '2026-11-27',
    dueTime: '10:00',
    ...values,
  }) as Task

const at = (wall: string) => new Date(wall).getTime()
const between = (tasks: Task[], since: string, now: string, byDefault = '0m') =>
  remindersBetween(tasks, byDefault, { since: at(since), now: at(now) }).map(({ at }) => at)

test('A task reminds in the minute of its reminder and no second time, completed and deleted ones never', () => {
  expect(between([task()], '2026-11-27T09:59', '2026-11-27T10:00')).toEqual([at('2026-11-27T10:00')])
  expect(between([task()], '2026-11-27T10:00', '2026-11-27T10:01')).toEqual([])
  const instant = '2026-11-27T09:00:00.000Z'
  const over = [task({ doneAt: instant }), task({ deletedAt: instant })]
  expect(between(over, '2026-11-27T09:59', '2026-11-27T10:00')).toEqual([])
  expect(stillReminds(task(), at('2026-11-27T10:00'), '0m')).toBe(true)
  expect(stillReminds(task({ dueTime: '11:00' }), at('2026-11-27T10:00'), '0m')).toBe(false)
})

test('After a while without the page, the last reminder of each task comes if it is younger than two hours and than the task', () => {
  const several = task({ reminders: '10m 60m' })
  expect(between([several], '2026-11-26T12:00', '2026-11-27T10:30')).toEqual([at('2026-11-27T09:50')])
  expect(between([several], '2026-11-26T12:00', '2026-11-27T12:30')).toEqual([])
  const newer = task({ createdAt: new Date('2026-11-27T10:00:30').toISOString() })
  expect(between([newer], '2026-11-27T09:59', '2026-11-27T10:01')).toEqual([])
})

test('Of all tabs that look in the same minute, one gets a reminder', async () => {
  const stored = new Map([['reminders me until', `${at('2020-01-01T00:00')}`]])
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
  const find = ({ since, now }: { since: number; now: number }) =>
    since < at('2020-01-02T00:00') && now > since ? [{ item: 'a', at: now }] : []
  const found = await Promise.all([claimReminders('me', find), claimReminders('me', find)])
  expect(found.map(({ length }) => length).sort()).toEqual([0, 1])
})

test('A reminder is said in words', () => {
  const texts = ['0m', '10m', '60m', '120m', '1440m', '0d09:00', '1d19:00', '2d08:00', 'none']
  const place = { today: '2026-11-26', locale: 'en-GB' }
  expect(
    [...texts, '2026-11-27T08:00', '2026-11-26T08:00', '?'].map((text) => reminderText(text, place)),
  ).toEqual([
    'At the time',
    '10 minutes before',
    'An hour before',
    '2 hours before',
    'A day before',
    'That morning at 09:00',
    'The evening before at 19:00',
    '2 days before at 08:00',
    'No reminder',
    'Fri 27 Nov at 08:00',
    'Today at 08:00',
    '?',
  ])
  expect(instantOf({ wall: '2026-11-27T10:00', minutes: 10 })).toBe(at('2026-11-27T09:50'))
})

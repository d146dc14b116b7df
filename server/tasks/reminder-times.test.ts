import { expect, test } from 'vitest'
import { lastingReminders, parseReminders, remindedAgain, reminderTimes } from '#contract/reminder-times.ts'
import { defaultSettings } from '#contract/settings.ts'
import { remindersOf } from './task-reminders.ts'

const task = { dueDate: '2026-11-27', dueTime: '15:00', reminders: null as string | null }
const wallsOf = (given: Partial<typeof task> | { dueDate: null; dueTime: null }, byDefault = '0m') =>
  reminderTimes({ ...task, ...given }, byDefault).map(({ wall, minutes }) => `${wall} -${minutes}`)

test('a task with a time reminds as the settings say, and one without a time does not', () => {
  expect(wallsOf({})).toEqual(['2026-11-27T15:00 -0'])
  expect(wallsOf({}, '10m')).toEqual(['2026-11-27T15:00 -10'])
  expect(wallsOf({}, 'none')).toEqual([])
  expect(reminderTimes({ ...task, dueTime: null }, '0m')).toEqual([])
})

test('a relative reminder replaces the one of the settings, and one at a time of a day is in addition to it', () => {
  expect(wallsOf({ reminders: '0d09:00 1d19:00' })).toEqual(['2026-11-27T09:00 -0', '2026-11-26T19:00 -0'])
  expect(wallsOf({ reminders: '2026-11-30T08:00' })).toEqual(['2026-11-30T08:00 -0', '2026-11-27T15:00 -0'])
  expect(wallsOf({ reminders: 'none' })).toEqual([])
  expect(wallsOf({ reminders: 'none 2026-11-30T08:00' })).toEqual(['2026-11-30T08:00 -0'])
  expect(wallsOf({ dueDate: null, dueTime: null })).toEqual([])
})

test.each(['0000-01-02', '-000100-01-02', 'x'])('a task on the day %s has no reminder days before', (day) => {
  expect(wallsOf({ dueDate: day, reminders: '60d09:00' })).toEqual([])
})

test.each([
  ...['', 'soon', '10m 10m', '10m  60m', '20000m', '61d09:00', '1d24:00', '2026-02-30T08:00', '1m 2m 3m 4m'],
  'none 10m',
  `${['06', '07', '08', '09', '10'].map((hour) => `2026-11-27T${hour}:00`).join(' ')}`,
])('%j is no reminder', (text) => {
  expect(parseReminders(text)).toBeUndefined()
})

test('relative reminders go on to the next occurrence, those at a time of a day do not', () => {
  expect(lastingReminders('1d19:00 2026-11-30T08:00')).toBe('1d19:00')
  expect(lastingReminders('2026-11-30T08:00')).toBeNull()
  expect(lastingReminders('none')).toBe('none')
  expect(lastingReminders(null)).toBeNull()
})

test('In an hour adds a reminder, removes those that are over, and always fits', () => {
  const again = (reminders: string | null) => remindedAgain(reminders, '2026-11-27T16:00', '2026-11-27T15:00')
  expect(again(null)).toBe('2026-11-27T16:00')
  expect(again('0m 2026-11-27T14:00')).toBe('0m 2026-11-27T16:00')
  expect(again('1m 2m 3m 2026-11-30T08:00')).toBe('1m 2m 3m 2026-11-27T16:00')
  expect(parseReminders('1m 2m 3m 2026-11-27T16:00')).toBeDefined()
})

test('a wall clock is an instant of the person’s zone: in a gap as much later, and the first of two', () => {
  const at = (day: string, time: string, reminders: string | null = null) =>
    remindersOf(
      { due_date: day, due_time: time, reminders, done_at: null, deleted_at: null },
      { ...defaultSettings, zone: 'Europe/Berlin' },
    ).map((each) => new Date(each.at).toISOString().slice(0, 16))
  expect(at('2026-11-27', '15:00')).toEqual(['2026-11-27T14:00'])
  expect(at('2027-03-28', '02:30')).toEqual(['2027-03-28T01:30'])
  expect(at('2027-03-28', '03:30', '60m')).toEqual(['2027-03-28T00:30'])
  expect(at('2026-10-25', '02:30')).toEqual(['2026-10-25T00:30'])
})

import { expect, test } from 'vitest'
import { reminderTimes } from '#contract/reminder-times.ts'
import { writtenReminders } from './reminders-field.tsx'

const task = (reminders: string) => ({
  dueDate: '2026-11-27',
  dueTime: '10:00',
  reminders: reminders || null,
})

test.each([
  // Chosen, the default, what is stored.
  [['0m'], '0m', ''],
  [[], '0m', 'none'],
  [[], 'none', ''],
  [['0m', '1d19:00'], '0m', '0m 1d19:00'],
  [['2026-11-27T08:00', '0m'], '0m', '2026-11-27T08:00'],
  [['2026-11-27T08:00'], '0m', 'none 2026-11-27T08:00'],
])('The reminders %j beside the default %j are stored as %j and shown again', (chosen, byDefault, stored) => {
  expect(writtenReminders(chosen, true, byDefault)).toBe(stored)
  const shown = reminderTimes(task(stored), byDefault).map(({ reminder }) => reminder)
  expect(shown.sort()).toEqual([...chosen].sort())
})

test('A task without a time stores no default', () => {
  expect(writtenReminders([], false, '0m')).toBe('')
  expect(writtenReminders(['0d09:00'], false, '0m')).toBe('0d09:00')
})

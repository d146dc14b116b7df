import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { nextTask } from '#contract/repeats.ts'
import type { Task } from '#contract/tasks.ts'
import { freshTask, ofKind } from '../entry.ts'
import type { Store } from '../store/store.ts'
import { keepToday } from './derived-changes.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(new Date('2026-11-27T12:00'))
})
afterEach(() => vi.useRealTimers())

/** What is offered after the completion of a task that is late. */
function offeredOf(repeat: string, repeatDay: string) {
  const own = { _id: 'first', series: 'first', title: 'Pills', body: '', priority: 'low' } as const
  const days = { repeat, repeatFrom: 'due', repeatDay, dueDate: repeatDay } as const
  const [createdAt, doneAt] = ['2026-11-20T12:00Z', '2026-11-27T12:00Z']
  const task: Task = { ...freshTask, ...own, ...days, createdAt, doneAt }
  const next = nextTask(task, '2026-11-27')
  const store = { task: () => next && ofKind('task', { ...freshTask, ...next, _id: 'next', createdAt }) }
  const change = keepToday(store as unknown as Store, task)
  return change && 'set' in change && [change.item, change.set]
}

test('The one of today is kept when an earlier one was completed, also if it is the last one and no other follows', () => {
  const today = { dueDate: '2026-11-27', repeatDay: '2026-11-27' }
  expect(offeredOf('FREQ=DAILY', '2026-11-25')).toEqual(['next', today])
  for (const repeat of ['FREQ=DAILY;UNTIL=20261127', 'FREQ=DAILY;COUNT=3'])
    expect(offeredOf(repeat, '2026-11-25')).toEqual(['first', { ...today, done: false }])
})

test('Nothing is kept if no occurrence is left for today, or the completed one was that of today', () => {
  for (const repeat of ['FREQ=DAILY;UNTIL=20261126', 'FREQ=DAILY;COUNT=2', 'FREQ=WEEKLY'])
    expect(offeredOf(repeat, '2026-11-25')).toBeUndefined()
  expect(offeredOf('FREQ=DAILY;COUNT=1', '2026-11-27')).toBeUndefined()
})

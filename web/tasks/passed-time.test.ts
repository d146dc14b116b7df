import { afterEach, expect, test, vi } from 'vitest'
import { timeHere, todayHere } from '#contract/days.ts'
import type { Task } from '#contract/tasks.ts'
import type { StoredTask } from '../engine/entry.ts'
import { isDueBefore, taskRule } from '../engine/store/item-rules.ts'
import { taskWith } from '../engine/store/testing/task-with.ts'
import { hasPassed } from './card/task-card.tsx'

afterEach(() => void vi.unstubAllEnvs())

const task = (title: string, dueDate: string | null, dueTime: string | null = null) =>
  taskWith({ _id: title, title, dueDate, dueTime, createdAt: '2026-01-01T00:00:00.000Z' })

/** The list Today at an instant: overdue tasks, those whose time has passed, and those to come, in their order. */
function todayAt(instant: string, tasks: StoredTask[]) {
  const [today, now] = [todayHere(new Date(instant)), timeHere(new Date(instant))]
  const { has, compare } = taskRule('today', today)
  const listed = tasks.filter(has).sort(compare)
  const titles = (is: (task: Task) => boolean) => listed.filter(is).map(({ title }) => title)
  return {
    overdue: titles((task) => isDueBefore(task, today)),
    passed: titles((task) => hasPassed(task, today, now)),
    toCome: titles((task) => !isDueBefore(task, today) && !hasPassed(task, today, now)),
  }
}

test('At midnight tasks of the day become overdue, whatever their time, and those of the next day come, but none without a date', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const tasks = [
    task('no date', null),
    task('all day', '2026-11-26'),
    task('late', '2026-11-26', '23:59'),
    task('early', '2026-11-26', '08:00'),
    task('next early', '2026-11-27', '00:00'),
    task('next', '2026-11-27'),
  ]
  expect(todayAt('2026-11-26T22:59:59Z', tasks)).toEqual({
    overdue: [],
    passed: ['early'],
    toCome: ['late', 'all day'],
  })
  expect(todayAt('2026-11-26T23:00:00Z', tasks)).toEqual({
    overdue: ['early', 'late', 'all day'],
    passed: [],
    toCome: ['next early', 'next'],
  })
  expect(todayAt('2026-11-26T23:01:00Z', tasks)).toMatchObject({ passed: ['next early'], toCome: ['next'] })
})

test('A time in the hour that does not exist passes when the clock goes over it', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const tasks = ['03:30', '02:30', '01:30'].map((time) => task(time, '2026-03-29', time))
  expect(todayAt('2026-03-29T00:59:00Z', tasks)).toMatchObject({
    passed: ['01:30'],
    toCome: ['02:30', '03:30'],
  })
  expect(todayAt('2026-03-29T01:00:00Z', tasks)).toMatchObject({
    passed: ['01:30', '02:30'],
    toCome: ['03:30'],
  })
})

test('A time in the hour that exists twice has passed while the clock shows a later one', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  const tasks = ['02:30', '01:30', '03:30'].map((time) => task(time, '2026-10-25', time))
  const passedAt = (instant: string) => todayAt(instant, tasks).passed
  expect(passedAt('2026-10-25T00:15:00Z')).toEqual(['01:30'])
  expect(passedAt('2026-10-25T00:45:00Z')).toEqual(['01:30', '02:30'])
  expect(passedAt('2026-10-25T01:15:00Z')).toEqual(['01:30'])
  expect(passedAt('2026-10-25T01:45:00Z')).toEqual(['01:30', '02:30'])
})

test('Where midnight does not exist, a task at 00:00 is one of its day', () => {
  vi.stubEnv('TZ', 'America/Havana')
  const tasks = [task('eve', '2026-03-07', '23:30'), task('midnight', '2026-03-08', '00:00')]
  expect(todayAt('2026-03-08T04:59:00Z', tasks)).toEqual({ overdue: [], passed: ['eve'], toCome: [] })
  expect(todayAt('2026-03-08T05:00:00Z', tasks)).toEqual({
    overdue: ['eve'],
    passed: ['midnight'],
    toCome: [],
  })
})

test('After a flight the day and the time are those of the new clock, and no task has moved', () => {
  const tasks = [task('call', '2026-11-26', '18:00'), task('breakfast', '2026-11-27', '08:00')]
  const instant = '2026-11-26T18:30:00Z'
  vi.stubEnv('TZ', 'Europe/Berlin')
  expect(todayAt(instant, tasks)).toEqual({ overdue: [], passed: ['call'], toCome: [] })
  vi.stubEnv('TZ', 'Asia/Tokyo')
  expect(todayAt(instant, tasks)).toEqual({ overdue: ['call'], passed: [], toCome: ['breakfast'] })
  vi.stubEnv('TZ', 'America/New_York')
  expect(todayAt(instant, tasks)).toEqual({ overdue: [], passed: [], toCome: ['call'] })
})

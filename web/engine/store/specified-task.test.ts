import { expect, test } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import { formatDay, formatInstant } from '../../ui/civil-day.ts'
import { completeTask, listedTasks } from './specified-task.ts'
import { taskWith } from './testing/task-with.ts'

const odd = [null, undefined, 5, 'garbage', '2026-99-99', '', {}, [], true, 1e300]

test('A task with odd values of any fields keeps its other fields, and its days and times can be shown', () => {
  const { kind: _, ...whole } = taskWith({ doneAt: '2026-11-21T10:00:00.000Z' })
  for (const name of Object.keys(whole) as (keyof Task)[])
    for (const value of odd) {
      const task = completeTask({ ...whole, [name]: value })
      expect(task).toEqual({ ...whole, [name]: task[name] })
      const isNumber = name === 'version' || name === 'placeInFile'
      expect(typeof task[name]).toBe(isNumber ? 'number' : task[name] === null ? 'object' : 'string')
      expect(formatDay(task.dueDate ?? '', '2026-11-25', 'en')).not.toContain('Invalid')
      expect(formatInstant(task.createdAt, '2026-11-25', 'en')).not.toContain('Invalid')
    }
  expect(completeTask({})).toMatchObject({ title: '', body: '', dueDate: '', createdAt: '', doneAt: null })
})

test('Days and times are read from instants and milliseconds too', () => {
  const dueDate = '2026-11-25T23:30:00.000-11:00'
  expect(completeTask({ dueDate, createdAt: Date.UTC(2026, 10, 20) })).toMatchObject({
    dueDate: '2026-11-25',
    createdAt: '2026-11-20T00:00:00.000Z',
  })
})

test('What an answer lacks is as it was known', () => {
  const known = taskWith({ title: 'known', body: 'text' })
  expect(completeTask({ title: 'new', body: null }, known)).toEqual({ ...known, title: 'new' })
})

test('A list of one priority shows all its tasks, and what is no task is left out', () => {
  const tasks = ['high', null, 'urgent', undefined].map((priority) => ({ _id: 'a', priority }))
  expect(listedTasks([...tasks, null, 'text'], 'high').map(({ priority }) => priority)).toEqual(
    Array(4).fill('high'),
  )
  expect(listedTasks(tasks, 'latest').map(({ priority }) => priority)).toEqual(['high', '', 'urgent', ''])
})

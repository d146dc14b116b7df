import { describe, expect, test } from 'vitest'
import type { ListName } from '#contract/lists.ts'
import type { Task } from '#contract/tasks.ts'
import { without, withStored } from './task-lists.ts'

const today = '2026-11-21'

const task = (_id: string, dueDate: string, priority: Task['priority'] = 'high'): Task => ({
  _id,
  title: `Task ${_id}`,
  body: '',
  dueDate,
  priority,
  createdAt: '2026-11-01T08:00:00.000Z',
  version: 1,
  doneAt: null,
  deletedAt: null,
})

/** The ids of the list after `stored` was added or edited. */
const idsWith = (list: ListName, tasks: Task[], stored: Task, end?: Task) =>
  withStored(list, tasks, stored, { today, end }).map(({ _id }) => _id)

describe('a stored task', () => {
  test('is in Today when it is due today or was due before', () => {
    expect(idsWith('today', [], task('a', '2026-11-21'))).toEqual(['a'])
    expect(idsWith('today', [], task('a', '2025-01-01'))).toEqual(['a'])
    expect(idsWith('today', [], task('a', '2026-11-22'))).toEqual([])
  })

  test('stands in Today by day, then priority, then age', () => {
    const tasks = [task('b', '2026-11-20', 'low'), task('c', today, 'high'), task('e', today, 'low')]
    expect(idsWith('today', tasks, task('a', '2026-11-20', 'medium'))).toEqual(['a', 'b', 'c', 'e'])
    expect(idsWith('today', tasks, task('d', today, 'high'))).toEqual(['b', 'c', 'd', 'e'])
    expect(idsWith('today', tasks, task('d', today, 'medium'))).toEqual(['b', 'c', 'd', 'e'])
    expect(idsWith('today', tasks, task('d', today, 'low'))).toEqual(['b', 'c', 'd', 'e'])
  })

  test('stands in Latest by creation, newest first, whenever it is due', () => {
    expect(idsWith('latest', [task('b', today), task('a', today)], task('c', '2099-01-01'))).toEqual([
      'c',
      'b',
      'a',
    ])
  })

  test('stands in the list of its priority by day, then age, and in no other', () => {
    const tasks = [task('b', '2026-12-01', 'low'), task('d', '2026-12-03', 'low')]
    expect(idsWith('low', tasks, task('c', '2026-12-01', 'low'))).toEqual(['b', 'c', 'd'])
    expect(idsWith('low', tasks, task('a', '2026-12-03', 'low'))).toEqual(['b', 'a', 'd'])
    expect(idsWith('low', tasks, task('c', '2026-12-01', 'medium'))).toEqual(['b', 'd'])
  })
})

describe('a completed task', () => {
  const done = (id: string, doneAt: string) => ({ ...task(id, '2026-11-19'), doneAt })
  const tasks = [done('c', '2026-11-21T09:00:00.000Z'), done('a', '2026-11-20T09:00:00.000Z')]

  test('leaves the other lists', () => {
    for (const list of ['today', 'latest', 'high'] as const)
      expect(idsWith(list, [task('b', '2026-11-19')], done('b', '2026-11-21T10:00:00.000Z'))).toEqual([])
  })

  test('stands in Done by the instant of its completion, newest first', () => {
    expect(idsWith('done', tasks, done('b', '2026-11-21T10:00:00.000Z'))).toEqual(['b', 'c', 'a'])
    expect(idsWith('done', tasks, done('b', '2026-11-20T10:00:00.000Z'))).toEqual(['c', 'b', 'a'])
  })

  test('leaves Done when it is reopened or deleted', () => {
    expect(idsWith('done', tasks, task('c', '2026-11-19'))).toEqual(['a'])
    const deleted = { ...done('c', '2026-11-21T09:00:00.000Z'), deletedAt: '2026-11-21T10:00:00.000Z' }
    expect(idsWith('done', tasks, deleted)).toEqual(['a'])
  })
})

describe('an edited task', () => {
  const tasks = [task('a', '2026-11-19'), task('b', '2026-11-20'), task('c', today)]

  test('moves to where it now belongs', () => {
    expect(idsWith('today', tasks, task('c', '2026-11-18'))).toEqual(['c', 'a', 'b'])
  })

  test('is there once and as it is stored', () => {
    const edited = { ...task('b', '2026-11-20'), title: 'Another title' }
    expect(withStored('today', tasks, edited, { today, end: undefined })[1]).toEqual(edited)
    expect(idsWith('today', tasks, edited)).toEqual(['a', 'b', 'c'])
  })

  test('goes where it no longer belongs', () => {
    expect(idsWith('today', tasks, task('b', '2026-11-22'))).toEqual(['a', 'c'])
  })
})

describe('beyond the end of what is loaded', () => {
  const tasks = [task('a', '2026-11-19'), task('b', '2026-11-20')]

  test('a task is shown at the end when there is no more to load', () => {
    expect(idsWith('today', tasks, task('c', today))).toEqual(['a', 'b', 'c'])
  })

  test('a task waits for its page when there is', () => {
    const end = tasks[1]
    expect(idsWith('today', tasks, task('c', today), end)).toEqual(['a', 'b'])
    expect(idsWith('today', tasks, task('a', today), end)).toEqual(['b'])
  })

  test('the last loaded task stays when its text is edited', () => {
    const edited = { ...task('b', '2026-11-20'), title: 'Another title' }
    expect(idsWith('today', tasks, edited, tasks[1])).toEqual(['a', 'b'])
  })

  test('a task before the position of a last task that is gone is shown, since no further page has it', () => {
    expect(idsWith('today', [task('a', '2026-11-18')], task('b', '2026-11-19'), task('c', today))).toEqual([
      'a',
      'b',
    ])
  })
})

describe('versions', () => {
  const tasks = [{ ...task('a', '2026-11-19'), version: 7 }, task('b', '2026-11-20')]

  test('an older version does not replace a newer one', () => {
    expect(withStored('today', tasks, { ...task('a', today), version: 6 }, { today, end: undefined })).toBe(
      tasks,
    )
    const deleted = { ...task('a', today), version: 6, deletedAt: '2026-11-21T08:00:00.000Z' }
    expect(withStored('today', tasks, deleted, { today, end: undefined })).toBe(tasks)
  })

  test('a list that a change does not concern is the same one as before', () => {
    expect(withStored('today', tasks, task('c', '2026-11-22'), { today, end: undefined })).toBe(tasks)
    expect(without(tasks, 'c')).toBe(tasks)
  })
})

import { describe, expect, test } from 'vitest'
import { wordsOf } from '#contract/search-rules.ts'
import type { Task } from '#contract/tasks.ts'
import { summaryWith } from '../engine/store/testing/note-with.ts'
import { taskWith } from '../engine/store/testing/task-with.ts'
import { type FoundTasks, withFound, withoutFound } from './found-tasks.ts'

const task = (_id: string, more: Partial<Task> = {}) =>
  taskWith({ _id, title: `Water ${_id}`, createdAt: '2026-11-01T08:00:00.000Z', ...more })
const found = (tasks: Task[], more: Partial<FoundTasks> = {}): FoundTasks => ({
  ...{ words: wordsOf('water'), tasks, notes: [], similar: [], more: false, complete: true, ...more },
})
const idsOf = ({ tasks }: FoundTasks) => tasks.map(({ _id }) => _id)

describe('a stored task', () => {
  test('that contains the words is put where its rank is: open, then in the title, then the newest', () => {
    const [newest, inBody, done] = [
      task('c', { createdAt: '2026-11-03T08:00:00.000Z' }),
      task('b', { title: 'Garden', body: 'water' }),
      task('a', { doneAt: '2026-11-02T08:00:00.000Z' }),
    ]
    const results = found([newest, inBody, done])
    expect(idsOf(withFound(results, task('d')))).toEqual(['c', 'd', 'b', 'a'])
    expect(idsOf(withFound(results, task('d', { title: 'x', body: 'Wäter' })))).toEqual(['c', 'd', 'b', 'a'])
    expect(idsOf(withFound(results, task('0', { doneAt: '2026-11-02T08:00:00.000Z' })))).toEqual([
      ...['c', 'b', 'a', '0'],
    ])
  })

  test('that is done is put by the time of its completion: the tasks of a repeat were created at the same time', () => {
    const [late, early] = [
      task('a', { doneAt: '2026-11-04T08:00:00.000Z' }),
      task('c', { doneAt: '2026-11-02T08:00:00.000Z' }),
    ]
    const between = task('b', { doneAt: '2026-11-03T08:00:00.000Z' })
    expect(idsOf(withFound(found([late, early]), between))).toEqual(['a', 'b', 'c'])
  })

  test('that does not contain them is not found, and leaves if it was', () => {
    const results = found([task('a')])
    expect(withFound(results, task('b', { title: 'Garden' }))).toBe(results)
    expect(idsOf(withFound(results, task('a', { title: 'Garden', version: 2 })))).toEqual([])
    expect(
      idsOf(withFound(results, task('a', { deletedAt: '2026-11-02T08:00:00.000Z', version: 2 }))),
    ).toEqual([])
  })

  test('stays where it is when it is ticked, and an older version of it changes nothing', () => {
    const results = found([task('a', { version: 5 }), task('b')])
    const ticked = withFound(results, task('a', { version: 6, doneAt: '2026-11-02T08:00:00.000Z' }))
    expect([idsOf(ticked), ticked.tasks[0]?.doneAt]).toEqual([['a', 'b'], '2026-11-02T08:00:00.000Z'])
    expect(withFound(ticked, task('a'))).toBe(ticked)
  })

  test('behind the last of a search with more results is not shown', () => {
    const older = task('b', { createdAt: '2026-10-01T08:00:00.000Z' })
    const results = found([task('a')], { more: true })
    expect(withFound(results, older)).toBe(results)
    expect(idsOf(withFound({ ...results, more: false }, older))).toEqual(['a', 'b'])
  })
})

test('a task or a note that has gone leaves the search, another one changes nothing', () => {
  const results = found([task('a')], { notes: [summaryWith({ _id: 'n', excerpt: '' })] })
  expect(idsOf(withoutFound(results, 'a'))).toEqual([])
  expect(withoutFound(results, 'n').notes).toEqual([])
  expect(withoutFound(results, 'other')).toBe(results)
})

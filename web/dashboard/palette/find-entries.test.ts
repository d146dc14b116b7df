import { expect, test } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import { taskWith } from '../../store/testing/task-with.ts'
import { commandEntry, findEntries, itemEntries } from './find-entries.ts'

const task = (title: string, version: number, fields: Partial<Task> = {}) =>
  taskWith({ _id: `${version}`, title, version, ...fields })

const found = (entries: Parameters<typeof findEntries>[0], query: string) =>
  findEntries(entries, query, 50).map(({ label }) => label)

test('words are found in any order, without case and accents', () => {
  const entries = itemEntries([], [task('Café in Zürich', 1), task('Zürich', 2)], [])
  expect(found(entries, 'zurich cafe')).toEqual(['Café in Zürich'])
  expect(found(entries, 'ZUR')).toEqual(['Zürich', 'Café in Zürich'])
  expect(found(entries, 'bern')).toEqual([])
})

test('entries that begin with the query are first, then whole words, then the entries that were changed last', () => {
  const tasks = ['Repaint', 'The paint', 'Buy paint', 'Paint the door', 'Paint'].map((title, index) =>
    task(title, index),
  )
  expect(found(itemEntries([], tasks, []), 'paint')).toEqual([
    'Paint',
    'Paint the door',
    'Buy paint',
    'The paint',
    'Repaint',
  ])
})

test('commands are before tags, and done tasks after open ones; deleted ones are absent', () => {
  const instant = '2026-11-20T12:00:00.000Z'
  const tasks = [
    task('home: door', 1),
    task('home: roof', 2, { doneAt: instant }),
    task('home: wall', 3, { deletedAt: instant }),
  ]
  const entries = [commandEntry('Home view', () => {}), ...itemEntries(['#home'], tasks, [])]
  expect(found(entries, 'home')).toEqual(['Home view', 'home: door', 'home: roof', '#home'])
  expect(found(entries, '#ho')).toEqual(['#home'])
})

test('no more entries are found than are wanted', () => {
  const tasks = Array.from({ length: 100 }, (_, index) => task(`task ${index}`, index))
  expect(findEntries(itemEntries([], tasks, []), 'a', 10)).toHaveLength(10)
})

import { expect, test } from 'vitest'
import type { Task } from '#contract/tasks.ts'
import { taskWith } from '../../engine/store/testing/task-with.ts'
import { command, findSuggestions, itemSuggestions } from './find-suggestions.ts'

const task = (title: string, version: number, fields: Partial<Task> = {}) =>
  taskWith({ _id: `${version}`, title, version, ...fields })

const found = (suggestions: Parameters<typeof findSuggestions>[0], query: string) =>
  findSuggestions(suggestions, query, 50).map(({ label }) => label)

test('words are found in any order, without case and accents', () => {
  const suggestions = itemSuggestions([], [task('Café in Zürich', 1), task('Zürich', 2)], [])
  expect(found(suggestions, 'zurich cafe')).toEqual(['Café in Zürich'])
  expect(found(suggestions, 'ZUR')).toEqual(['Zürich', 'Café in Zürich'])
  expect(found(suggestions, 'bern')).toEqual([])
})

test('suggestions that begin with the query are first, then whole words, then the suggestions that were changed last', () => {
  const titles = ['Repaint', 'The paint', 'Buy paint', 'Paint the door', 'Paint']
  const tasks = titles.map((title, index) => task(title, index))
  expect(found(itemSuggestions([], tasks, []), 'paint')).toEqual(titles.toReversed())
})

test('commands are before tags, and done tasks after open ones; deleted ones are absent', () => {
  const instant = '2026-11-20T12:00:00.000Z'
  const tasks = [
    task('home: door', 1),
    task('home: roof', 2, { doneAt: instant }),
    task('home: wall', 3, { deletedAt: instant }),
  ]
  const suggestions = [command('Home view', () => {}), ...itemSuggestions(['#home'], tasks, [])]
  expect(found(suggestions, 'home')).toEqual(['Home view', 'home: door', 'home: roof', '#home'])
  expect(found(suggestions, '#ho')).toEqual(['#home'])
})

test('no more suggestions are found than are wanted', () => {
  const tasks = Array.from({ length: 100 }, (_, index) => task(`task ${index}`, index))
  expect(findSuggestions(itemSuggestions([], tasks, []), 'a', 10)).toHaveLength(10)
})

test('A command is found by its other words too, after those whose labels begin with the query', () => {
  const write = command('Write a note', () => {}, { also: 'new add' })
  const newest = command('New page', () => {})
  expect(findSuggestions([write, newest], 'new note', 9)).toEqual([write])
  expect(findSuggestions([write, newest], 'new', 9)).toEqual([newest, write])
})

import { beforeEach, expect, test } from 'vitest'
import type { Verb } from './entry.ts'
import { memoryStorage } from './testing/test-needs.ts'
import { createUndoHistory, keepUndoHistory, type Step } from './undo-history.ts'

let history: ReturnType<typeof createUndoHistory>

beforeEach(() => {
  history = createUndoHistory()
})

const state = () => history.getState()
const step = (seq: number, verb: Verb = 'complete'): Step => ({
  ...{ name: `${seq}`, seq },
  verb,
  title: `Task ${seq}`,
  run: `${seq}`,
})
const seqs = () => ({ undo: state().undo.map(({ seq }) => seq), redo: state().redo.map(({ seq }) => seq) })

/** Undoes the newest step by the change with this number. */
const undoBy = (seq: number) => state().reversed('undo', state().undo.at(-1) as Step, step(seq))

test('the same actions are reported together while the bar shows them, made and undone', () => {
  const shown = () => [state().notice?.about, state().notice?.steps.map(({ title }) => title)]
  state().add(step(1))
  state().add(step(2))
  expect(shown()).toEqual(['done', ['Task 1', 'Task 2']])
  state().add(step(3, 'delete'))
  expect(shown()).toEqual(['done', ['Task 3']])
  state().add(step(4, 'delete'))
  undoBy(5)
  undoBy(6)
  expect(shown()).toEqual(['undone', ['Task 4', 'Task 3']])
  state().dismiss()
  state().add(step(7, 'delete'))
  expect(shown()).toEqual(['done', ['Task 7']])
})

test('what a toast has named is no longer so when it was undone and redone, or when more of its run follows', () => {
  const isSaid = () => {
    const { notice } = state()
    return notice?.about === 'done' && notice.isSaid === true
  }
  state().add(step(1, 'delete'), true)
  expect(isSaid()).toBe(true)
  undoBy(2)
  state().reversed('redo', state().redo.at(-1) as Step, step(3, 'delete'))
  expect(isSaid()).toBe(false)
  state().add(step(4, 'delete'), true)
  state().add(step(5, 'delete'), true)
  expect(isSaid()).toBe(false)
})

test('a group and a task after it are reported apart', () => {
  state().add({ ...step(2), count: 2 })
  state().add(step(3))
  expect(state().notice?.steps).toEqual([step(3)])
})

test.each(['add', 'edit', 'move'] as const)('%s is reported alone', (verb) => {
  state().add(step(1, verb))
  state().add(step(2, verb))
  expect(state().notice?.steps).toEqual([step(2, verb)])
})

test('after a new change nothing can be redone', () => {
  state().add(step(1))
  undoBy(2)
  state().add(step(3))
  expect(seqs()).toEqual({ undo: [3], redo: [] })
})

test('a change that was made while another is undone stays', () => {
  state().add(step(1))
  const undone = state().undo.at(-1) as Step
  state().add(step(2))
  state().reversed('undo', undone, step(3))
  expect(seqs()).toEqual({ undo: [2], redo: [3] })
})

test('the last 50 steps can be undone', () => {
  for (let seq = 1; seq <= 60; seq++) state().add(step(seq))
  expect(seqs().undo).toEqual(Array.from({ length: 50 }, (_, index) => index + 11))
})

test('the steps survive a reload, for the same user only', () => {
  const tab = memoryStorage()
  const stop = keepUndoHistory(history, { account: 'ann', tab })
  state().add(step(1))
  stop()
  state().add(step(2))

  const loaded = (account = 'ann') => {
    const other = createUndoHistory()
    keepUndoHistory(other, { account, tab })()
    return other.getState()
  }
  expect(loaded()).toMatchObject({ undo: [step(1)], redo: [], notice: undefined })
  expect(loaded('ben')).toMatchObject({ undo: [], redo: [] })
})

import { beforeEach, expect, test } from 'vitest'
import { taskWith } from '../engine/store/testing/task-with.ts'
import { createDashboardStore, shownView, slices } from './dashboard-store.ts'

let store: ReturnType<typeof createDashboardStore>

beforeEach(() => {
  store = createDashboardStore()
})

const state = () => store.getState()
const sliceValues = () =>
  Object.fromEntries(Object.entries(slices).map(([name, select]) => [name, select(state())]))

const task = taskWith({})

test('the four slices start with the values of the specification', () => {
  const closed = { addTaskBoxActive: false, editTaskBoxActive: false }
  expect(sliceValues()).toEqual({ sidebarSelection: 'today', priorityTab: 'high', ...closed })
})

test('nothing is shown before the URL has been read', () => {
  expect(shownView(state())).toBeUndefined()
  state().show('latest')
  expect(shownView(state())).toBe('latest')
  expect(slices.sidebarSelection(state())).toBe('latest')
})

test('opening one dialog closes the other', () => {
  state().open({ name: 'addTask' })
  expect(sliceValues()).toMatchObject({ addTaskBoxActive: true, editTaskBoxActive: false })
  state().open({ name: 'editTask', task })
  expect(sliceValues()).toMatchObject({ addTaskBoxActive: false, editTaskBoxActive: true })
  state().open({ name: 'account' })
  expect(sliceValues()).toMatchObject({ addTaskBoxActive: false, editTaskBoxActive: false })
})

test('closing a dialog leaves another that has replaced it', () => {
  state().open({ name: 'addTask' })
  state().close('editTask')
  expect(slices.addTaskBoxActive(state())).toBe(true)
  state().close('addTask')
  expect(state().overlay).toBeUndefined()
})

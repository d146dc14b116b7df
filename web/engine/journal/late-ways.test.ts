import { expect, test, vi } from 'vitest'
import { todayHere } from '#contract/days.ts'
import { itemId } from '../entry.ts'
import { testAccounts, titlesOf } from '../testing/test-accounts.ts'
import { titlesIn, typeLine, until } from '../testing/test-browser.ts'
import { add } from '../verbs/add-edit.ts'

const { visit } = testAccounts()

/** How often the code of the calls was loaded, and whether that succeeds. */
let [loads, isLoadable] = [0, false]

// In Node the file is always there.
vi.mock('./ways.ts', (original) => {
  loads++
  if (!isLoadable) throw new TypeError('Failed to fetch dynamically imported module')
  return original()
})

test('While the code of the calls cannot be loaded, a change is shown, kept and sent later, and a dialog is told that the server cannot be reached', async () => {
  const { stored, tab, user } = await visit()
  const id = itemId(Date.now())
  const values = { title: 'Buy tea', body: '', dueDate: todayHere(), priority: 'low' } as const
  const addByDialog = () => tab.changes.makeAwaited(add.make(id, values), { mutation: id })
  await expect(addByDialog()).rejects.toThrow('Cannot reach the server.')
  const before = loads
  typeLine(tab, 'Buy milk')
  await until(() => loads > before)
  expect(titlesIn(tab)).toEqual(['Buy milk'])
  expect(Object.keys(stored).filter((key) => key.startsWith('outbox '))).toHaveLength(1)
  expect(await titlesOf(user)).toEqual([])

  isLoadable = true
  tab.needs.tell('online')
  await until(() => tab.journal.entries().length === 0)
  expect(await titlesOf(user)).toEqual(['Buy milk'])
  await addByDialog()
  expect(await titlesOf(user)).toEqual(['Buy milk', 'Buy tea'])
})

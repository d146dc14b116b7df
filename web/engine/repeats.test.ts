import { expect, test } from 'vitest'
import { daysAfter, todayHere } from '#contract/days.ts'
import { testAccounts } from './testing/test-accounts.ts'
import { openTasksIn, type Tab, until } from './testing/test-browser.ts'
import { complete } from './verbs/complete.ts'

const { newUser, visit } = testAccounts()

/** A tab that shows a task of every day, which is due some days from today. */
async function visitWith(due: number) {
  const user = await newUser()
  await user.addTask({ title: 'Vitamins', dueDate: day(due), repeat: 'FREQ=DAILY' })
  const visited = await visit(user)
  await until(() => daysIn(visited.tab).length === 1 && visited.tab.repeats.withDerived)
  return visited
}

const day = (days: number) => daysAfter(todayHere(), days)
const daysIn = (tab: Tab) => openTasksIn(tab).map(({ dueDate }) => dueDate)
const finish = (tab: Tab) => void tab.changes.make(openTasksIn(tab).map(complete.make))

test('Undo and redo that are pressed quickly make and remove one next task, also on the server', async () => {
  const { tab, user } = await visitWith(0)
  finish(tab)
  const { reverse } = tab.undo
  for (const press of ['undo', 'redo', 'undo', 'redo', 'undo'] as const) reverse(press)
  await tab.journal.answered()
  await until(() => daysIn(tab).join() === day(0))
  await reverse('redo')
  expect(daysIn(tab)).toEqual([day(1)])
  await tab.journal.answered()
  const { tab: phone } = await visit(user)
  await until(() => phone.store.isComplete)
  expect([daysIn(tab), daysIn(phone)]).toEqual([[day(1)], [day(1)]])
})

test('Offline a completed repeat shows its next one at once, which can be completed too, and the server makes no other', async () => {
  const { browser, tab, user } = await visitWith(-2)
  browser.setOnline(false)
  finish(tab)
  expect(daysIn(tab)).toEqual([day(1)])
  finish(tab)
  expect(daysIn(tab)).toEqual([day(2)])
  browser.setOnline(true)
  await tab.journal.answered()
  const { tab: phone } = await visit(user)
  await until(() => phone.store.isComplete)
  expect([daysIn(tab), daysIn(phone)]).toEqual([[day(2)], [day(2)]])
})

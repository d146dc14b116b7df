import type { Page } from '@playwright/test'
import { force, hold, intercept, recordCalls, serverError, settle, writesOf } from './calls.ts'
import {
  card,
  cards,
  dateOf,
  deleteButton,
  openDashboard,
  panelTitle,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { openFollowing } from './devices.ts'
import { day, expect, expectToasts, signedInTest as test } from './fixtures.ts'
import type { User } from './user.ts'

const overdue = (page: Page) => page.getByRole('region', { name: 'Overdue' })
const moveAll = (page: Page) => page.getByRole('button', { name: 'Move all to today', exact: true })
const reviewButton = (page: Page) => page.getByRole('button', { name: 'Review', exact: true })
const review = (page: Page) => page.getByRole('dialog', { name: 'Review overdue tasks' })

/** Adds overdue tasks, `task 0` the oldest of them. */
async function addOverdue(user: User, count: number) {
  const one = (index: number) => user.add({ title: `task ${index}`, dueDate: day(index - 300) })
  await Promise.all(Array.from({ length: count }, (_, index) => one(index)))
}

test('Move all to today moves 120 tasks by one call, which one Undo takes back', async ({ page, user }) => {
  await addOverdue(user, 120)
  await user.add({ title: 'today', priority: 'high' })
  await openDashboard(page)
  await expect(overdue(page)).toBeVisible()
  const calls = recordCalls(page)
  // A double click moves once and meets no card.
  await moveAll(page).dblclick()
  await expect(undoBar(page)).toContainText('Moved 120 tasks to today')
  await expect(overdue(page)).toHaveCount(0)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(cards(page).first()).toHaveAccessibleName('today')
  await expect(dateOf(cards(page).last(), 'Due')).toHaveAttribute('datetime', day(0))
  await page.keyboard.press('ControlOrMeta+z')
  await expect(overdue(page)).toBeVisible()
  await expect(undoBar(page)).toContainText('120 tasks are due as before')
  expect((await titlesOf(page)).slice(0, 2)).toEqual(['task 119', 'task 118'])
  // The event of this change arrives after those of the page's own.
  await user.add({ title: 'from elsewhere' })
  await expect(card(page, 'from elsewhere')).toBeVisible()
  await settle(page, calls)
  const writes = writesOf(calls).map((call) => call.replace(/\d+/, 'N'))
  expect(writes).toEqual(['POST /changes', 'POST /changes/N/undo'])
  await expectToasts(page, [])
})

test('A task that is deleted during Move all to today stays away', async ({ page, user }) => {
  await user.add({ title: 'deleted here', dueDate: day(-1) })
  const elsewhere = await user.add({ title: 'deleted elsewhere', dueDate: day(-1) })
  await user.add({ title: 'moved', dueDate: day(-1) })
  await openFollowing(page)
  await intercept(page, 'POST /changes', async (route) => {
    const response = await route.fetch()
    await user.remove(elsewhere)
    await route.fulfill({ response })
  })
  const calls = recordCalls(page)
  await moveAll(page).click()
  await deleteButton(page, 'deleted here').click()
  // The bar reports the last answer, which is that of either change.
  await expect(undoBar(page)).toContainText(/3 tasks to today|Deleted “deleted here”/)
  await settle(page, calls)
  await expect.poll(() => titlesOf(page)).toEqual(['moved'])
  await test.step('A failed Move all to today says so at the cards and can be pressed again', async () => {
    await addOverdue(user, 3)
    await openDashboard(page)
    await force(page, 'POST /changes', serverError)
    await moveAll(page).focus()
    await page.keyboard.press('Enter')
    await expect(card(page, 'task 0')).toContainText('This task was not moved. The disk is on fire.')
    await page.unrouteAll()
    await moveAll(page).press('Enter')
    await expect(overdue(page)).toHaveCount(0)
    await expect(panelTitle(page)).toBeFocused()
  })
  await test.step('The focus stays on its card when the last overdue task leaves', async () => {
    const last = await user.add({ title: 'overdue', dueDate: day(-1) })
    for (let number = 0; number < 20; number++) await user.add({ title: `today ${number}` })
    await openDashboard(page)
    await card(page, 'today 15').focus()
    await user.remove(last)
    await expect(cards(page)).toHaveCount(24)
    await expect(card(page, 'today 15')).toBeFocused()
  })
})

/** Chooses a button of the review by its letter. */
async function pressIn(page: Page, key: string) {
  await page.keyboard.press(key)
  if (key.length === 1) await page.keyboard.press('Enter')
}

test('The review walks through the overdue tasks with the letters of its buttons', async ({ page, user }) => {
  await addOverdue(user, 8)
  await user.add({ title: 'task 8', dueDate: day(-292), dueTime: '09:05' })
  await user.add({ title: 'today' })
  await openDashboard(page)
  await reviewButton(page).press('Enter')
  const shows = async (position: string, title: string) => {
    await expect(review(page)).toContainText(position)
    await expect(review(page).getByRole('heading', { level: 3 })).toHaveText(title)
  }
  await shows('1 of 9', 'task 0')
  for (const [index, key] of ['t', 'm', 'w', 's', 'x', 'Delete', 'n'].entries()) {
    await pressIn(page, key)
    await shows(`${index + 2} of 9`, `task ${index + 1}`)
  }
  await expect(review(page).getByLabel('Another day')).toBeFocused()
  await review(page).getByLabel('Another day').fill(day(20))
  await page.keyboard.press('Enter')
  await shows('9 of 9', 'task 8')
  await expect(review(page)).toContainText(', 09:05')
  await page.keyboard.press('ArrowRight')
  await expect(review(page)).toBeHidden()
  expect(await titlesOf(page)).toEqual(['task 8', 'task 6', 'task 0', 'today'])
  await page.keyboard.press('4')
  await expect(cards(page)).toHaveCount(3)
  // On a Sunday, tomorrow begins the next week.
  expect((await titlesOf(page)).toSorted()).toEqual(['task 1', 'task 2', 'task 7'])
  for (const [key, title] of Object.entries({ 0: 'task 5', 5: 'task 4', 7: 'task 3' })) {
    await page.keyboard.press(key)
    await expect(card(page, title)).toBeVisible()
  }
  await expect(card(page, 'task 3')).not.toContainText('Due')
})

test('Each step of the review can be undone, in the review and after it', async ({ page, user }) => {
  await user.add({ title: 'Vitamins', dueDate: day(-301), repeat: 'FREQ=DAILY' })
  await addOverdue(user, 2)
  await openDashboard(page)
  await reviewButton(page).click()
  await expect(review(page)).toContainText('1 of 3')
  await expect(review(page).getByRole('button', { name: 'Undo' })).toHaveCount(0)
  const repeats = async () => (await user.list('getLatestTasks')).filter(({ title }) => title === 'Vitamins')
  const daysOfRepeat = async () => (await repeats()).map(({ dueDate }) => dueDate)
  await pressIn(page, 'x')
  await expect(review(page)).toContainText('2 of 3')
  await expect.poll(daysOfRepeat).toEqual([day(1)])
  await pressIn(page, 't')
  await expect(review(page)).toContainText('3 of 3')
  await pressIn(page, 'u')
  await expect(review(page)).toContainText('2 of 3')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(review(page)).toContainText('1 of 3')
  await expect.poll(daysOfRepeat).toEqual([day(-301)])
  await pressIn(page, 't')
  await expect(review(page)).toContainText('2 of 3')
  await review(page).getByRole('button', { name: 'Undo' }).click()
  await expect(review(page)).toContainText('1 of 3')
  await pressIn(page, 'm')
  await expect(review(page)).toContainText('2 of 3')
  await page.keyboard.press('Escape')
  await expect(review(page)).toBeHidden()
  await expect(cards(page)).toHaveCount(2)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(cards(page)).toHaveCount(3)
  expect(await titlesOf(page)).toEqual(['task 1', 'task 0', 'Vitamins'])
})

test('A double click or a key that is held down makes one step of the review', async ({ page, user }) => {
  await addOverdue(user, 6)
  await openDashboard(page)
  await reviewButton(page).click()
  await expect(review(page)).toContainText('1 of 6')
  await test.step('A step of the review that fails says so and stays at its task', async () => {
    await force(page, 'POST /changes', serverError)
    await pressIn(page, 't')
    await expect(review(page).getByRole('alert')).toContainText(
      'This task was not changed. The disk is on fire.',
    )
    await expect(review(page)).toContainText('1 of 6')
    await page.unrouteAll()
    await pressIn(page, 't')
    await expect(review(page)).toContainText('2 of 6')
    await settle(page, [])
  })
  await test.step('A key that is held down, or pressed again before the answer, makes one step', async () => {
    const release = await hold(page, 'POST /changes')
    const calls = recordCalls(page)
    await page.keyboard.press('t')
    for (let repeats = 0; repeats < 20; repeats++) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await pressIn(page, 'x')
    release()
    await expect(review(page)).toContainText('3 of 6')
    await settle(page, calls)
    expect(calls.map(({ call }) => call)).toEqual(['POST /changes'])
  })
  await test.step('A double click in the review changes one task', async () => {
    const calls = recordCalls(page)
    for (const [name, position] of [
      ['Move to today', '4 of 6'],
      ['Complete', '5 of 6'],
      ['Delete', '6 of 6'],
    ] as const) {
      const button = review(page).getByRole('button', { name, exact: true })
      await button.click()
      await expect(review(page)).toContainText(position)
      // The second click of a slow hand comes when the next task is there.
      await button.dispatchEvent('click', { detail: 2 })
    }
    await settle(page, calls)
    expect(calls).toHaveLength(3)
  })
})

test('The review continues with tasks that were not loaded when it began', async ({ page, user }) => {
  await addOverdue(user, 60)
  await openDashboard(page)
  await reviewButton(page).click()
  await expect(review(page)).toContainText('1 of ')
  for (let step = 2; step <= 55; step++) {
    await pressIn(page, 'n')
    await expect(review(page)).toContainText(`${step} of `)
  }
  await expect(review(page)).toContainText('55 of 60')
})

test('The review skips, stops and keeps tasks that repeat', async ({ page, user }) => {
  for (const [index, title] of ['Vitamins', 'Pills', 'Stretch'].entries())
    await user.add({ title, dueDate: day(index - 4), repeat: 'FREQ=DAILY' })
  await openDashboard(page)
  const calls = recordCalls(page)
  await reviewButton(page).click()
  await expect(review(page)).toContainText('Every day')
  const daysOf = async (title: string) =>
    (await user.list('getLatestTasks')).filter((task) => task.title === title).map(({ dueDate }) => dueDate)
  /** Waits until the step has ended too: until then, the review ignores other presses. */
  const expectDays = async (title: string, days: (string | null)[]) => {
    await expect.poll(() => daysOf(title)).toEqual(days)
    await settle(page, calls)
  }
  await pressIn(page, 'x')
  await expect(review(page)).toContainText('2 of 3')
  await expectDays('Vitamins', [day(1)])
  await expect(review(page)).toContainText('Completed “Vitamins”')
  await review(page).getByRole('button', { name: 'Also due today: keep it' }).click()
  await expectDays('Vitamins', [day(0)])
  const field = review(page).getByLabel('Another day')
  await expect(field).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(review(page)).toContainText('3 of 3')
  await review(page).getByRole('button', { name: 'Only this one' }).click()
  await expectDays('Pills', [day(-2)])
  await expect(review(page).getByRole('button', { name: 'Only this one' })).toHaveCount(0)
  await expect(field).toBeFocused()
  await pressIn(page, 'u')
  await expectDays('Pills', [])
  await pressIn(page, 'u')
  await expect(review(page)).toContainText('2 of 3')
  await expectDays('Pills', [day(-3)])
  await pressIn(page, 'k')
  await expectDays('Pills', [day(-2)])
  await expect(review(page)).toContainText('2 of 3')
  await pressIn(page, 'r')
  await expect(review(page)).not.toContainText('Every day')
})

import type { Page } from '@playwright/test'
import { middleOf } from './boxes.ts'
import { hold, recordCalls, settle } from './calls.ts'
import {
  card,
  cards,
  deleteButton,
  editDialog,
  openDashboard,
  ring,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { openFollowing } from './devices.ts'
import { expect, expectToasts, moving, signedInTest as test } from './fixtures.ts'
import { passUntil, stopClock, untilDeleted } from './stopped-clock.ts'
import type { User } from './user.ts'

test.use(moving)

// Under a pointer that is being used no card comes to another place.

async function addTasks(user: User, count: number) {
  const titles: string[] = []
  for (let number = 1; number <= count; number++) {
    const title = `Task ${String(number).padStart(2, '0')}`
    await user.add({ title })
    titles.push(title)
  }
  return titles
}

/** The middles of these controls, where the reader sees them now. */
const middlesOf = (page: Page, control: typeof ring, titles: string[]) =>
  Promise.all(titles.map((title) => middleOf(control(page, title))))

const topOf = (page: Page, title: string) =>
  card(page, title).evaluate((element) => element.getBoundingClientRect().top)

const emptyText = (page: Page) => page.getByRole('main').getByText('No tasks for today', { exact: true })

/** Opens Today with this many tasks and a clock that the test moves. */
async function openTasks(page: Page, user: User, count: number) {
  const titles = await addTasks(user, count)
  await openDashboard(page, count)
  await stopClock(page)
  return titles
}

test('Clicks on controls where they were seen act on their tasks alone', async ({ page, user }) => {
  let titles = await openTasks(page, user, 16)
  for (const [what, control, leave] of [
    // A ticked card rests, and then it fades.
    ['completed', ring, [300, 200]],
    ['deleted', deleteButton, []],
  ] as const)
    await test.step(`Tasks that are ${what}`, async () => {
      const clicked = titles.slice(1, 5)
      const [second = '', sixth = ''] = [titles[1], titles[5]]
      const top = await topOf(page, second)
      for (const [index, { x, y }] of (await middlesOf(page, control, clicked)).entries()) {
        await page.mouse.click(x, y)
        for (const time of leave) await page.clock.runFor(time)
        const left = titles.length - 1 - index
        await passUntil(page, () => expect(cards(page)).toHaveCount(left, { timeout: 100 }))
      }
      titles = titles.filter((title) => !clicked.includes(title))
      expect(await titlesOf(page)).toEqual(titles)
      await page.mouse.move(0, 0)
      await page.clock.runFor(200)
      await expect.poll(() => topOf(page, sixth)).toBe(top)
    })
})

test('Gaps of clicked cards stay while the pointer is used, then close at once', async ({ page, user }) => {
  const titles = await openTasks(page, user, 9)
  const top = await topOf(page, titles[0] ?? '')
  await test.step('A press postpones the closing of the gaps, and so does a pointer that moves', async () => {
    const [first = '', , third = ''] = titles
    const lowest = await topOf(page, third)
    await untilDeleted(page, () => deleteButton(page, first).click(), 8)
    await page.clock.runFor(1500)
    const { x, y } = await middleOf(deleteButton(page, third))
    await page.mouse.move(x - 40, y)
    await page.clock.runFor(1500)
    expect(await topOf(page, third)).toBe(lowest)
    await page.mouse.down()
    // A hand is never quite still.
    await page.mouse.move(x - 41, y)
    await page.clock.runFor(2500)
    await page.clock.runFor(2500)
    expect(await topOf(page, third)).toBe(lowest)
    await page.mouse.up()
    await page.clock.runFor(2500)
    await expect.poll(() => topOf(page, third)).toBeLessThan(lowest)
    await expect.poll(() => topOf(page, titles[1] ?? '')).toBe(top)
    // The press has opened the task.
    await page.keyboard.press('Escape')
    await passUntil(page, () => expect(editDialog(page)).toBeHidden({ timeout: 100 }))
  })
  for (const [how, end, [first = '', second = '', third = ''], left] of [
    ['the pointer has left the list', () => page.mouse.move(0, 0), titles.slice(1), 6],
    ['two seconds have passed without a press', () => page.clock.runFor(1000), titles.slice(3), 4],
    ['a key is pressed', () => page.keyboard.press('ArrowDown'), titles.slice(5), 2],
  ] as const)
    await test.step(`The gaps stay until ${how}`, async () => {
      const lowest = await topOf(page, third)
      await untilDeleted(page, () => deleteButton(page, first).click(), left + 1)
      await untilDeleted(page, () => deleteButton(page, second).click(), left)
      await page.clock.runFor(1500)
      expect(await topOf(page, third)).toBe(lowest)
      await end()
      await page.clock.runFor(200)
      await expect.poll(() => topOf(page, third)).toBe(top)
    })
  await test.step('The empty text appears when the last gap has closed', async () => {
    for (const [index, title] of titles.slice(7).entries())
      await untilDeleted(page, () => deleteButton(page, title).click(), 1 - index)
    await page.clock.runFor(1500)
    await expect(emptyText(page)).toHaveCount(0)
    await page.clock.runFor(1000)
    await passUntil(page, () => expect(emptyText(page)).toBeVisible({ timeout: 100 }))
  })
})

test('Changes of another device wait until the pointer has left the list', async ({ page, user }) => {
  const [first, second] = [await user.add({ title: 'first' }), await user.add({ title: 'second' })]
  await openFollowing(page)
  await expect(cards(page)).toHaveCount(2)
  const [upper, lower] = [await topOf(page, 'first'), await topOf(page, 'second')]
  await stopClock(page)
  await card(page, 'second').hover()
  await user.add({ title: 'urgent', priority: 'high' })
  await user.remove(first)
  await user.edit(second, { title: 'edited' })
  await passUntil(page, () => expect(card(page, 'edited')).toBeVisible({ timeout: 100 }))
  expect(await topOf(page, 'edited')).toBe(lower)
  await expect(card(page, 'urgent')).toHaveCount(0)
  await page.mouse.move(0, 0)
  await page.clock.runFor(200)
  await expect(card(page, 'urgent')).toBeVisible()
  await expect
    .poll(async () => [await topOf(page, 'urgent'), await topOf(page, 'edited')])
    .toEqual([upper, lower])
})

test('Move all to today takes effect at once, under the pointer on its button', async ({ page, user }) => {
  await user.add({ title: 'late', dueDate: '2026-01-01' })
  await openDashboard(page)
  const overdue = page.getByRole('region', { name: 'Overdue' })
  await expect(overdue).toBeVisible()
  const start = await stopClock(page)
  await overdue.getByRole('button', { name: 'Move all to today' }).click()
  await passUntil(page, () => expect(overdue).toHaveCount(0, { timeout: 100 }))
  // The pointer has rested for less than two seconds.
  expect(await page.evaluate(() => Date.now())).toBeLessThan(start + 1900)
})

test('Undo brings cards back into their gaps, which are not in another view', async ({ page, user }) => {
  const titles = await openTasks(page, user, 4)
  const [first = '', ...others] = titles
  const top = await topOf(page, first)
  for (const [index, title] of titles.slice(1, 3).entries())
    await untilDeleted(page, () => deleteButton(page, title).click(), 3 - index)
  await passUntil(page, () => expect(undoBar(page)).toContainText('Deleted 2 tasks', { timeout: 100 }))
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await passUntil(page, async () => expect(await titlesOf(page)).toEqual(titles))

  await untilDeleted(page, () => deleteButton(page, first).click(), 3)
  await page.keyboard.press('2')
  await expect(page).toHaveURL('/dashboard?list=latest')
  await page.goBack()
  await passUntil(page, async () => expect(await titlesOf(page)).toEqual(others))
  // The clock of the page is stopped meanwhile, so a gap would stay.
  await expect.poll(() => topOf(page, others[0] ?? '')).toBe(top)
})

test('Six presses of x at any speed complete six tasks', async ({ page, user }) => {
  const titles = await addTasks(user, 9)
  await openDashboard(page, 9)
  const release = await hold(page, 'POST /changes')
  const calls = recordCalls(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('x')
  await expect(card(page, titles[1] ?? '')).toBeFocused()
  for (let presses = 0; presses < 5; presses++) await page.keyboard.press('x')
  await expect(card(page, titles[6] ?? '')).toBeFocused()
  release()
  await expect(cards(page)).toHaveCount(3)
  await settle(page, calls)
  const changes = calls.flatMap(({ body }) => (body as { changes: object[] }).changes)
  expect(changes).toHaveLength(6)
  expect(await titlesOf(page)).toEqual(titles.slice(6))
  await expectToasts(page, [])

  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('x')
  await expect(emptyText(page)).toBeVisible()
  await expect(page.locator('#panel-title')).toBeFocused()
})

const fingerTest = test.extend({ hasTouch: true, viewport: { width: 380, height: 800 } })

fingerTest('The gaps stay until the finger has rested', async ({ page, user }) => {
  const titles = await openTasks(page, user, 6)
  const tapped = titles.slice(1, 3)
  const lowest = await topOf(page, 'Task 04')
  for (const [index, { x, y }] of (await middlesOf(page, deleteButton, tapped)).entries()) {
    await untilDeleted(page, () => page.touchscreen.tap(x, y), 5 - index)
    await page.clock.runFor(1500)
  }
  expect(await topOf(page, 'Task 04')).toBe(lowest)
  await page.clock.runFor(1000)
  await passUntil(page, async () => expect(await topOf(page, 'Task 04')).toBeLessThan(lowest))
  expect(await titlesOf(page)).toEqual(titles.filter((title) => !tapped.includes(title)))
})

import type { Page } from '@playwright/test'
import { boxOf } from './boxes.ts'
import { force, hold, recordCalls, serverError, settle } from './calls.ts'
import {
  calendarDay,
  card,
  cards,
  dateOf,
  dragTo,
  editButton,
  moveButton,
  openDashboard,
  panelTitle,
  pressOn,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { day, nextMonday } from './days.ts'
import { expect, expectToasts, phone, signedInTest as test } from './fixtures.ts'

const moveDialog = (page: Page) => page.getByRole('dialog', { name: 'Move', exact: true })
const choice = (page: Page, name: string) => moveDialog(page).getByRole('button', { name, exact: true })
const dueDay = (page: Page, title: string) => dateOf(card(page, title), 'Due')

test('A task is moved by its Move button, in one change that Undo takes back', async ({ page, user }) => {
  for (const title of ['Water the plants', 'Feed the cat']) await user.add({ title })
  await openDashboard(page)
  await moveButton(page, 'Water the plants').click()
  await expect(moveDialog(page)).toContainText('Water the plants')
  const calls = recordCalls(page)
  await choice(page, 'Move to tomorrow').click()
  await expect(moveDialog(page)).toBeHidden()
  await expect(cards(page)).toHaveCount(1)
  await settle(page, calls)
  expect(calls.map(({ call }) => call)).toEqual(['POST /changes'])
  expect(calls[0]?.body).toMatchObject({ changes: [{ base: expect.any(Number), set: { dueDate: day(1) } }] })
  await expect(undoBar(page)).toContainText('Moved “Water the plants”')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(dueDay(page, 'Water the plants')).toHaveAttribute('datetime', day(0))
  await expectToasts(page, [])

  await page.keyboard.press('2')
  await expect(panelTitle(page)).toHaveText('Recent')
  await moveButton(page, 'Water the plants').click()
  const selected = moveDialog(page).locator('[aria-selected=true]')
  await expect(selected).toHaveAttribute('data-day', day(0))
  // The month goes to a typed day, and back.
  for (const days of [40, -40]) {
    await moveDialog(page).getByLabel('Another day').fill(day(days))
    await expect(selected).toHaveAttribute('data-day', day(days))
    await expect(selected).not.toHaveAttribute('data-outside')
  }
  await moveDialog(page).getByLabel('Another day').fill('')
  await expect(selected).toHaveAttribute('data-day', day(0))
  await moveDialog(page).getByLabel('Another day').fill(day(40))
  await choice(page, 'Move').click()
  await expect(dueDay(page, 'Water the plants')).toHaveAttribute('datetime', day(40))

  // Words are read as in the quick line. What is no day moves nothing.
  await pressOn(page, 'Water the plants', 'm')
  await page.keyboard.type('soon')
  await page.keyboard.press('Enter')
  await expect(moveDialog(page).getByRole('status').first()).toContainText('must be a day or a time')
  await moveDialog(page).getByLabel('Another day').fill('3 days')
  await expect(moveDialog(page).getByRole('status').first()).toContainText(/\d/)
  await page.keyboard.press('Enter')
  await expect(dueDay(page, 'Water the plants')).toHaveAttribute('datetime', day(3))
  // A time that was typed goes with a day that is pressed.
  await moveButton(page, 'Water the plants').click()
  await moveDialog(page).getByLabel('Time').fill('17:00')
  await moveDialog(page)
    .locator(`[data-day="${day(4)}"]`)
    .click()
  await expect(dueDay(page, 'Water the plants').first()).toHaveAttribute('datetime', day(4))
  await expect(dueDay(page, 'Water the plants').last()).toHaveAttribute('datetime', '17:00')
  await moveButton(page, 'Water the plants').click()
  await moveDialog(page).getByLabel('Time').fill('')
  await choice(page, 'Move to tomorrow').click()
  await expect(dueDay(page, 'Water the plants')).toHaveAttribute('datetime', day(1))
  // The label of a button is the day of the button.
  await moveButton(page, 'Water the plants').click()
  await moveDialog(page).getByLabel('Another day').fill('next week')
  await page.keyboard.press('Enter')
  await expect(dueDay(page, 'Water the plants')).toHaveAttribute('datetime', nextMonday())
})

test('A keyboard moves the focused card, and the focus stays in the list', async ({ page, user }) => {
  await user.add({ title: 'first', priority: 'high' })
  await user.add({ title: 'second' })
  await user.add({ title: 'third', dueDate: day(-1) })
  await openDashboard(page)
  await pressOn(page, 'first', 'm')
  await expect(moveDialog(page).getByLabel('Another day')).toBeFocused()
  // Arrow keys choose too.
  await page.keyboard.press('ArrowDown')
  await expect(choice(page, 'Move to today')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.type('w')
  await expect(moveDialog(page).getByRole('status').first()).toHaveText('Next week')
  await page.keyboard.press('Enter')
  await expect(moveDialog(page)).toBeHidden()
  await expect(cards(page)).toHaveCount(2)
  await expect(card(page, 'second')).toBeFocused()
  await pressOn(page, 'third', 'm')
  await expect(moveDialog(page)).toBeVisible()
  for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key)
  await expect(dueDay(page, 'third')).toHaveAttribute('datetime', day(0))
  await page.keyboard.press('4')
  await expect(dueDay(page, 'first')).toHaveAttribute('datetime', nextMonday())
})

test('A failed or closed move moves nothing, and a double click moves once', async ({ page, user }) => {
  for (const title of ['Water the plants', 'first']) await user.add({ title })
  await openDashboard(page)
  await moveButton(page, 'Water the plants').click()
  await force(page, 'POST /changes', serverError)
  await choice(page, 'Move to tomorrow').click()
  await expect(card(page, 'Water the plants')).toContainText('This task was not moved. The disk is on fire.')
  await expect(moveDialog(page)).toBeHidden()
  await page.unrouteAll()
  await moveButton(page, 'Water the plants').click()
  const calls = recordCalls(page)
  await page.keyboard.press('Escape')
  await expect(moveDialog(page)).toBeHidden()
  await expect(moveButton(page, 'Water the plants')).toBeFocused()
  expect(calls).toEqual([])
  await test.step('A double click on a day moves once', async () => {
    await moveButton(page, 'first').click()
    const release = await hold(page, 'POST /changes')
    const calls = recordCalls(page)
    await choice(page, 'Move to tomorrow').dblclick()
    release()
    await expect(cards(page)).toHaveCount(1)
    await settle(page, calls)
    expect(calls.map(({ call }) => call)).toEqual(['POST /changes'])
    await page.unrouteAll()
  })
  await test.step('A done task cannot be moved', async () => {
    await pressOn(page, 'Water the plants', 'x')
    await expect(cards(page)).toHaveCount(0)
    await page.keyboard.press('5')
    await expect(editButton(page, 'Water the plants')).toBeVisible()
    await expect(moveButton(page, 'Water the plants')).toHaveCount(0)
  })
})

test('A card that is dropped on a day of the calendar is moved there', async ({ page, user }) => {
  for (const title of ['Water the plants', 'Feed the cat']) await user.add({ title })
  await page.goto('/dashboard?list=latest')
  await expect(calendarDay(page, day(1)).first()).toBeVisible()
  await dragTo(page, page.getByRole('main').getByText('LOW').first(), day(1))
  await expect(dueDay(page, 'Feed the cat')).toHaveAttribute('datetime', day(1))
  await expect(page.locator('.calendar-over')).toHaveCount(0)
  await expect(undoBar(page)).toContainText('Moved “Feed the cat”')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(dueDay(page, 'Feed the cat')).toHaveAttribute('datetime', day(0))
  expect(await titlesOf(page)).toEqual(['Feed the cat', 'Water the plants'])

  // WebKit reports such a stop by `dragenter` alone, which Chromium always follows by `dragover`.
  await page.evaluate(() =>
    document.addEventListener('dragover', (event) => event.stopPropagation(), { capture: true }),
  )
  await dragTo(page, card(page, 'Water the plants').getByRole('heading'), day(1))
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('')
})

const phoneTest = test.extend(phone)

phoneTest('On a phone the dialog moves a task', async ({ page, user }) => {
  await user.add({ title: 'Water the plants' })
  await page.goto('/dashboard?list=latest')
  await expect(card(page, 'Water the plants')).toBeVisible()
  await expect(moveButton(page, 'Water the plants')).toBeHidden()
  await pressOn(page, 'Water the plants', 'm')
  await expect(moveDialog(page)).toBeVisible()
  for (const button of await moveDialog(page).getByRole('button').all())
    expect(Math.round((await boxOf(button)).height)).toBeGreaterThanOrEqual(40)
  await choice(page, 'Move to next week').tap()
  await expect(undoBar(page)).toContainText('Moved')
})

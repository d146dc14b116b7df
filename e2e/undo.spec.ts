import type { Page } from '@playwright/test'
import { boxOf } from './boxes.ts'
import { answerTo, force, hold, recordCalls, settle, writesOf } from './calls.ts'
import {
  addByDialog,
  addDialog,
  card,
  cards,
  chip,
  deleteButton,
  editButton,
  editByDialog,
  editDialog,
  openDashboard,
  quickLine,
  ring,
  sidebarButton,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { day, expect, expectToasts, moving, signedInTest as test } from './fixtures.ts'

test.use(moving)

const deleted = 'success: Task deleted successfully'

test.beforeEach(async ({ page, user }) => {
  await user.add({ title: 'Water the plants', priority: 'high' })
  await user.add({ title: 'Feed the cat', priority: 'low' })
  await openDashboard(page, 2)
})

const undoButton = { name: 'Undo', exact: true }

/** By the keyboard: the list closes half a second after a card has gone, and would move under a pointer meanwhile. */
const remove = (page: Page, title: string) => deleteButton(page, title).press('Enter')

test('The bar says politely what was done, undone and done again', async ({ page, alerts }) => {
  const calls = recordCalls(page)
  const status = undoBar(page).getByRole('status')
  const undo = undoBar(page).getByRole('button', undoButton)
  const redo = undoBar(page).getByRole('button', { name: 'Redo' })
  await expect(status).toBeAttached()
  await ring(page, 'Water the plants').click()
  await expect(card(page, 'Water the plants')).toHaveCount(0)
  await expect(status).toHaveText('Completed “Water the plants”')
  await undo.click()
  await expect(ring(page, 'Water the plants')).not.toBeChecked()
  expect(await titlesOf(page)).toEqual(['Water the plants', 'Feed the cat'])
  await expect(undoBar(page)).toContainText('“Water the plants” is open again')
  await redo.click()
  await expect(card(page, 'Water the plants')).toHaveCount(0)
  await settle(page, calls)
  expect(calls.map(({ call }) => call.replace(/\d+/, 'N'))).toEqual([
    'POST /changes',
    'POST /changes/N/undo',
    'POST /changes/N/undo',
  ])
  await expectToasts(page, [])
  await undo.click()

  await test.step('A saved edit that changes nothing offers no Undo, and another one is undone and redone', async () => {
    await page.reload()
    await editButton(page, 'Feed the cat').click()
    await editDialog(page).getByRole('button', { name: 'Save' }).click()
    await expect(editDialog(page)).toBeHidden()
    await expect(undoBar(page).getByRole('button')).toHaveCount(0)
    await editByDialog(page, 'Feed the cat', { title: 'Feed the dog' })
    await expect(undoBar(page)).toContainText('Changed “Feed the dog”')
    await undo.click()
    await expect(card(page, 'Feed the cat')).toBeVisible()
    await redo.click()
    await expect(card(page, 'Feed the dog')).toBeVisible()
  })

  await test.step('A deleted task comes back by Undo, beside the toast of the deletion', async () => {
    await page.reload()
    await deleteButton(page, 'Water the plants').click()
    await expect(card(page, 'Water the plants')).toHaveCount(0)
    await expect(undoBar(page)).toContainText('Deleted “Water the plants”')
    await undo.click()
    await expect(card(page, 'Water the plants')).toBeVisible()
    expect(await titlesOf(page)).toEqual(['Water the plants', 'Feed the dog'])
    await expectToasts(page, [deleted])
  })

  await test.step('The bar appears after the alert of an addition, and says for which other day and shows it there', async () => {
    await addByDialog(page, { title: 'third', dueDate: day(0), priority: 'low' })
    await expect(undoBar(page)).toContainText('Added “third”')
    expect(alerts).toEqual(['Task added successfully!'])
    await undo.click()
    await expect(card(page, 'third')).toHaveCount(0)
    await quickLine(page).fill('Book the ferry tomorrow')
    await expect(chip(page, 'Due tomorrow')).toBeVisible()
    await quickLine(page).press('Enter')
    await expect(undoBar(page)).toContainText('Added “Book the ferry” for ')
    await undoBar(page).getByRole('button', { name: 'Show' }).click()
    await expect(page).toHaveURL('/dashboard?list=upcoming')
    await expect(card(page, 'Book the ferry')).toBeFocused()
  })
})

test('Ctrl+Z undoes one change after the other, and never in a text field or a dialog', async ({ page }) => {
  const { keyboard } = page
  const calls = recordCalls(page)
  const undoCalls = () => calls.map(({ call }) => call).filter((call) => call.endsWith('/undo'))
  await ring(page, 'Water the plants').click()
  // The key may come before the answer: it undoes this change, not an earlier one.
  await keyboard.press('ControlOrMeta+z')
  await expect(undoBar(page)).toContainText('“Water the plants” is open again')
  await keyboard.press('ControlOrMeta+Shift+z')
  await expect(card(page, 'Water the plants')).toHaveCount(0)
  await settle(page, calls)
  calls.splice(0)
  await sidebarButton(page, 'Add Task').click()
  await addDialog(page).getByLabel('Title', { exact: true }).pressSequentially('ab')
  await keyboard.press('ControlOrMeta+z')
  await addDialog(page).getByRole('button', { name: 'Cancel' }).focus()
  await keyboard.press('ControlOrMeta+z')
  await settle(page, calls)
  expect(calls).toEqual([])
  await keyboard.press('Enter')
  await expect(addDialog(page)).toHaveCount(0)

  await remove(page, 'Feed the cat')
  await expect(cards(page)).toHaveCount(0)
  await settle(page, calls)
  await keyboard.down('Control')
  for (let repeats = 0; repeats < 20; repeats++) await keyboard.down('z')
  await expect(card(page, 'Feed the cat')).toBeVisible()
  for (let repeats = 0; repeats < 20; repeats++) await keyboard.down('z')
  await keyboard.up('z')
  await keyboard.up('Control')
  await settle(page, calls)
  expect(undoCalls()).toHaveLength(1)
  await expect(cards(page)).toHaveCount(1)
  await keyboard.press('ControlOrMeta+z')
  await expect(card(page, 'Water the plants')).toBeVisible()
  await settle(page, calls)
  await keyboard.press('ControlOrMeta+z')
  await settle(page, calls)
  expect(undoCalls()).toHaveLength(2)

  await test.step('A double click on Undo and Enter held down on it undo once, and do not redo', async () => {
    await remove(page, 'Water the plants')
    const button = undoBar(page).getByRole('button')
    await expect(button).toHaveText('Undo')
    await button.click()
    await expect(button).toHaveText('Redo')
    // The second click of a double click, after the answer to the first.
    await button.dispatchEvent('click', { detail: 2 })
    await settle(page, calls)
    await expect(button).toHaveText('Redo')
    await keyboard.press('ControlOrMeta+Shift+z')
    await expect(button).toHaveText('Undo')
    await button.focus()
    await keyboard.down('Enter')
    await expect(button).toHaveText('Redo')
    for (let repeat = 0; repeat < 5; repeat++) await keyboard.down('Enter')
    await keyboard.up('Enter')
    await settle(page, calls)
    await expect(button).toHaveText('Redo')
  })
})

test('The bar says why a change was not undone, and offers what can succeed', async ({ page }) => {
  const bar = undoBar(page)
  await remove(page, 'Feed the cat')
  await expect(bar).toContainText('Deleted')
  const detail = 'To make room now, delete something for good.'
  await force(page, 'POST /changes/:seq/undo', { status: 409, json: { code: 'over-quota', detail } })
  await bar.getByRole('button', undoButton).click()
  await expect(bar).toContainText(`Not undone: Deleted “Feed the cat”. ${detail}`)
  await page.unrouteAll()
  const undone = answerTo(page, 'POST /changes/:seq/undo')
  await bar.getByRole('button', undoButton).click()
  await expect(card(page, 'Feed the cat')).toBeVisible()
  await undone
  await force(page, 'POST /changes/:seq/undo', { status: 404 })
  await bar.getByRole('button', { name: 'Redo' }).click()
  await expect(bar).toContainText('Not redone')
  await expect(bar.getByRole('button')).toHaveCount(0)
  await page.unrouteAll()
})

test('A change can be undone after a reload, and a logout asks about an unsent undo', async ({ page }) => {
  await remove(page, 'Feed the cat')
  await expect(cards(page)).toHaveCount(1)
  await page.reload()
  await expect(card(page, 'Water the plants')).toBeVisible()
  await expect(undoBar(page).getByRole('button')).toHaveCount(0)
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain('Feed the cat')
  const calls = recordCalls(page)
  const release = await hold(page, 'POST /changes/:seq/undo')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(card(page, 'Feed the cat')).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('dialog', { name: 'Log out and discard?' })).toContainText('Feed the cat')
  await page.getByRole('button', { name: 'Log out and discard' }).click()
  await expect(page).toHaveURL('/')
  release()
  await settle(page, calls)
  expect(writesOf(calls).map((call) => call.replace(/\d+/, 'N'))).toEqual([
    'POST /changes/N/undo',
    'POST /user/logout',
  ])
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

test('The bar goes after 8 seconds, and stays while the pointer is on it', async ({ page }) => {
  await page.clock.install()
  await remove(page, 'Feed the cat')
  const undo = undoBar(page).getByRole('button', undoButton)
  await undo.hover()
  await page.clock.runFor(20_000)
  await expect(undo).toBeVisible()
  await page.mouse.move(0, 0)
  await expect(async () => {
    await page.clock.runFor(8000)
    await expect(undo).toHaveCount(0, { timeout: 100 })
  }).toPass()
})

test('The bar is at the bottom left, on any screen', async ({ page }) => {
  for (const [width, title, text] of [
    [380, 'Feed the cat', 'Deleted “Feed the cat”'],
    [1280, 'Water the plants', 'Deleted 2 tasks'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    const column = await boxOf(card(page, title))
    await remove(page, title)
    await expect(undoBar(page)).toContainText(text)
    const bar = await boxOf(page.locator('[data-shown=true]'))
    const body = await boxOf(page.locator('body'))
    if (width === 380) expect([bar.x, bar.width]).toEqual([0, body.width])
    else expect(Math.abs(bar.x - column.x)).toBeLessThanOrEqual(1)
    expect(bar.y).toBeGreaterThan(640)
    expect(bar.y + bar.height).toBeLessThanOrEqual(800)
  }
})

test('The bar does not cover the focused card, on a phone or a large screen', async ({ page, user }) => {
  for (let count = 0; count < 20; count++) await user.add({ title: `task ${count}` })
  await expect(cards(page)).toHaveCount(22)
  for (const [width, count] of [
    [380, 22],
    [1280, 21],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    if (count === 21) await page.reload()
    await expect(cards(page)).toHaveCount(count)
    await expect(page.locator('[data-shown=true]')).toHaveCount(0)
    // The last of the list at the lower edge of the window, where the bar will appear.
    for (let presses = 0; presses < 16; presses++) await page.keyboard.press('ArrowDown')
    await expect(cards(page).nth(15)).toBeFocused()
    await page.keyboard.press('x')
    await expect(undoBar(page)).toContainText('Completed')
    await expect
      .poll(() =>
        page.evaluate(() => {
          const [bar, card] = ['[data-shown=true]', '[data-task]:focus'].map((selector) =>
            document.querySelector(selector)?.getBoundingClientRect(),
          )
          return bar && card && card.bottom <= bar.top
        }),
      )
      .toBe(true)
    await settle(page, [])
  }
})

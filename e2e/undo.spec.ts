import type { Page } from '@playwright/test'
import type { Endpoint } from '#contract/api.ts'
import { answerTo, force, hold, intercept, recordCalls, serverError, settle } from './calls.ts'
import {
  addDialog,
  card,
  cards,
  chip,
  deleteButton,
  editButton,
  editDialog,
  fillTask,
  openDashboard,
  panelTitle,
  quickLine,
  ring,
  sidebarButton,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { day } from './days.ts'
import { expect, moving, signedInTest as test } from './fixtures.ts'
import { expectToasts, toastsOf } from './toasts.ts'
import type { User } from './user.ts'

test.use(moving)

const deleted = 'success: Task deleted successfully'

test.beforeEach(async ({ page, user }) => {
  await user.add({ title: 'Water the plants', priority: 'high' })
  await user.add({ title: 'Feed the cat', priority: 'low' })
  await openDashboard(page)
  await expect(cards(page)).toHaveCount(2)
})

const undoButton = { name: 'Undo', exact: true }

/** By the keyboard: the list closes half a second after a card has gone, and would move under a pointer meanwhile. */
const remove = (page: Page, title: string) => deleteButton(page, title).press('Enter')

test('A completed task comes back to its place by Undo, and goes again by Redo, which the bar announces politely', async ({
  page,
}) => {
  const calls = recordCalls(page)
  const status = undoBar(page).getByRole('status')
  await expect(status).toBeAttached()
  await ring(page, 'Water the plants').click()
  await expect(card(page, 'Water the plants')).toHaveCount(0)
  await expect(status).toHaveText('Completed “Water the plants”')
  await undoBar(page).getByRole('button', undoButton).click()
  await expect(ring(page, 'Water the plants')).not.toBeChecked()
  expect(await titlesOf(page)).toEqual(['Water the plants', 'Feed the cat'])
  await expect(undoBar(page)).toContainText('“Water the plants” is open again')
  await undoBar(page).getByRole('button', { name: 'Redo' }).click()
  await expect(card(page, 'Water the plants')).toHaveCount(0)
  await settle(page, calls)
  expect(calls.map(({ call }) => call.replace(/\d+/, 'N'))).toEqual([
    'POST /changes',
    'POST /changes/N/undo',
    'POST /changes/N/undo',
  ])
  await expectToasts(page, [])
})

test('A deleted task comes back by Undo, beside the toast of the deletion', async ({ page }) => {
  await deleteButton(page, 'Water the plants').click()
  await expect(card(page, 'Water the plants')).toHaveCount(0)
  await expect(undoBar(page)).toContainText('Deleted “Water the plants”')
  await undoBar(page).getByRole('button', undoButton).click()
  await expect(card(page, 'Water the plants')).toBeVisible()
  expect(await titlesOf(page)).toEqual(['Water the plants', 'Feed the cat'])
  await expectToasts(page, [deleted])
})

test('An edit is undone and redone, but a saved edit that changes nothing offers no Undo', async ({
  page,
}) => {
  await editButton(page, 'Water the plants').click()
  await editDialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(editDialog(page)).toBeHidden()
  await expect(undoBar(page).getByRole('button')).toHaveCount(0)

  await editButton(page, 'Water the plants').click()
  await fillTask(editDialog(page), { title: 'Water the garden' })
  await editDialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(undoBar(page)).toContainText('Changed “Water the garden”')
  await undoBar(page).getByRole('button', undoButton).click()
  await expect(card(page, 'Water the plants')).toBeVisible()
  await undoBar(page).getByRole('button', { name: 'Redo' }).click()
  await expect(card(page, 'Water the garden')).toBeVisible()
})

test('An added task goes by Undo; the bar appears after the alert, and says for which other day and shows it there', async ({
  page,
  alerts,
}) => {
  await sidebarButton(page, 'Add Task').click()
  await fillTask(addDialog(page), { title: 'third', dueDate: day(0), priority: 'low' })
  await addDialog(page).getByRole('button', { name: 'Add Task' }).click()
  await expect(undoBar(page)).toContainText('Added “third”')
  expect(alerts).toEqual(['Task added successfully!'])
  await undoBar(page).getByRole('button', undoButton).click()
  await expect(card(page, 'third')).toHaveCount(0)

  await quickLine(page).fill('Book the ferry tomorrow')
  await expect(chip(page, 'Due tomorrow')).toBeVisible()
  await quickLine(page).press('Enter')
  await expect(undoBar(page)).toContainText('Added “Book the ferry” for ')
  await undoBar(page).getByRole('button', { name: 'Show' }).click()
  await expect(page).toHaveURL('/dashboard?list=upcoming')
  await expect(card(page, 'Book the ferry')).toBeFocused()
})

test('Ctrl+Z undoes the changes of the tab one after the other, and with Shift redoes them', async ({
  page,
}) => {
  const { keyboard } = page
  await ring(page, 'Water the plants').click()
  // The key may come before the answer: it undoes this change, not an earlier one.
  await keyboard.press('ControlOrMeta+z')
  await expect(undoBar(page)).toContainText('“Water the plants” is open again')
  await expect(ring(page, 'Water the plants')).not.toBeChecked()
  await keyboard.press('ControlOrMeta+Shift+z')
  await expect(card(page, 'Water the plants')).toHaveCount(0)
  await remove(page, 'Feed the cat')
  await expect(cards(page)).toHaveCount(0)
  await keyboard.press('ControlOrMeta+z')
  await expect(card(page, 'Feed the cat')).toBeVisible()
  await keyboard.press('ControlOrMeta+z')
  await expect(card(page, 'Water the plants')).toBeVisible()
  await settle(page, [])
  const calls = recordCalls(page)
  await keyboard.press('ControlOrMeta+z')
  await settle(page, calls)
  expect(calls).toEqual([])
})

/** Adds tasks, Task 0 to Task 9 for ten, and deletes them in the page in this order. */
async function deleteTasks(page: Page, user: User, count: number) {
  const titles = Array.from({ length: count }, (_, index) => `Task ${index}`)
  for (const title of titles) await user.add({ title })
  await expect(cards(page)).toHaveCount(2 + count)
  for (const [index, title] of titles.entries()) {
    await remove(page, title)
    await expect(undoBar(page)).toContainText(
      index === 0 ? `Deleted “${title}”` : `Deleted ${index + 1} tasks`,
    )
  }
  await expect(cards(page)).toHaveCount(2)
}

/** Adds tasks, and completes and deletes them in turn, each as a step of its own. */
async function changeTasks(page: Page, user: User, count: number) {
  const titles = Array.from({ length: count }, (_, index) => `Task ${index}`)
  for (const title of titles) await user.add({ title })
  await expect(cards(page)).toHaveCount(2 + count)
  for (const [index, title] of titles.entries()) {
    if (index % 2 === 0) await ring(page, title).press('Space')
    else await remove(page, title)
    await expect(undoBar(page)).toContainText(`${index % 2 === 0 ? 'Completed' : 'Deleted'} “${title}”`)
  }
  await expect(cards(page)).toHaveCount(2)
}

test('Ten presses of Ctrl+Z during the first undo undo ten changes, and ten with Shift redo them', async ({
  page,
  user,
}) => {
  await changeTasks(page, user, 10)
  const calls = recordCalls(page)
  const release = await hold(page, 'POST /changes/:seq/undo')
  for (let presses = 0; presses < 10; presses++) await page.keyboard.press('ControlOrMeta+z')
  release()
  await expect(cards(page)).toHaveCount(12)
  await expect.poll(() => calls).toHaveLength(10)
  await settle(page, calls)
  const undone = calls.map(({ call }) => Number(/\d+/.exec(call)))
  expect(undone).toEqual(undone.toSorted((one, other) => other - one))

  for (let presses = 0; presses < 10; presses++) await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(cards(page)).toHaveCount(2)
  await expect.poll(() => calls).toHaveLength(20)
  await settle(page, calls)
})

test('The bar counts tasks that were deleted in a row, and its button and Ctrl+Z take all of it back and delete it again', async ({
  page,
  user,
}) => {
  await deleteTasks(page, user, 4)
  const calls = recordCalls(page)
  await undoBar(page).getByRole('button', undoButton).click()
  await expect(undoBar(page)).toContainText('4 tasks are back')
  await expect(cards(page)).toHaveCount(6)
  await settle(page, calls)
  await undoBar(page).getByRole('button', { name: 'Redo' }).click()
  await expect(undoBar(page)).toHaveText('Deleted 4 tasksUndo')
  await expect(cards(page)).toHaveCount(2)
  await settle(page, calls)
  expect(calls).toHaveLength(8)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(undoBar(page)).toContainText('4 tasks are back')
  await expect(cards(page)).toHaveCount(6)
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(cards(page)).toHaveCount(2)
})

test('Undo and redo take effect in the order in which their keys were pressed', async ({ page, user }) => {
  await changeTasks(page, user, 4)
  const calls = recordCalls(page)
  const release = await hold(page, 'POST /changes/:seq/undo')
  for (const key of ['z', 'z', 'z', 'Shift+z', 'Shift+z', 'z', 'z', 'Shift+z'])
    await page.keyboard.press(`ControlOrMeta+${key}`)
  release()
  const shown = async () => (await titlesOf(page)).filter((title) => title.startsWith('Task'))
  await expect.poll(shown).toEqual(['Task 2', 'Task 3'])
  // A change that was not sent is taken back on the device.
  await expect.poll(() => calls.length).toBe(2)
  await settle(page, calls)
  await page.reload()
  await expect.poll(shown).toEqual(['Task 2', 'Task 3'])
})

test('When an undo fails, the presses that wait for it are dropped', async ({ page, user }) => {
  await changeTasks(page, user, 4)
  const calls = recordCalls(page)
  await force(page, 'POST /changes/:seq/undo', serverError)
  const release = await hold(page, 'POST /changes/:seq/undo')
  for (let presses = 0; presses < 5; presses++) await page.keyboard.press('ControlOrMeta+z')
  release()
  await expect(undoBar(page)).toContainText('Not undone: Deleted “Task 3”')
  await settle(page, calls)
  expect(calls).toHaveLength(1)
  await page.unrouteAll()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(card(page, 'Task 3')).toBeVisible()
})

test('A press of Ctrl+Z does not undo a change that was made after it', async ({ page, user }) => {
  await changeTasks(page, user, 4)
  const calls = recordCalls(page)
  const release = await hold(page, 'POST /changes/:seq/undo')
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('ControlOrMeta+z')
  await remove(page, 'Feed the cat')
  await expect(card(page, 'Feed the cat')).toHaveCount(0)
  release()
  await expect(card(page, 'Task 3')).toBeVisible()
  await expect.poll(() => calls.length).toBe(4)
  await settle(page, calls)
  await expect(card(page, 'Feed the cat')).toHaveCount(0)
})

test('Logging out asks about an undo that could not be sent, and drops it', async ({ page, user }) => {
  await changeTasks(page, user, 4)
  const calls = recordCalls(page)
  const release = await hold(page, 'POST /changes/:seq/undo')
  for (let presses = 0; presses < 5; presses++) await page.keyboard.press('ControlOrMeta+z')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('dialog', { name: 'Log out and discard?' })).toContainText('Task 3')
  await page.getByRole('button', { name: 'Log out and discard' }).click()
  await expect(page).toHaveURL('/')
  release()
  await settle(page, calls)
  expect(calls.map(({ call }) => call.replace(/\d+/, 'N'))).toEqual([
    'POST /changes/N/undo',
    'POST /user/logout',
  ])
})

test('A double click on Undo and Enter held down on it undo once, and do not redo', async ({ page }) => {
  const calls = recordCalls(page)
  await remove(page, 'Water the plants')
  const button = undoBar(page).getByRole('button')
  await expect(button).toHaveText('Undo')
  await button.click()
  await expect(button).toHaveText('Redo')
  // The second click of a double click, after the answer to the first.
  await button.dispatchEvent('click', { detail: 2 })
  await settle(page, calls)
  await expect(button).toHaveText('Redo')

  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(button).toHaveText('Undo')
  await button.focus()
  await page.keyboard.down('Enter')
  await expect(button).toHaveText('Redo')
  for (let repeat = 0; repeat < 5; repeat++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await settle(page, calls)
  await expect(button).toHaveText('Redo')
})

test('Ctrl+Z undoes nothing in a text field or while a dialog is open, and one change when it is held down', async ({
  page,
}) => {
  const { keyboard } = page
  await ring(page, 'Feed the cat').click()
  await expect(cards(page)).toHaveCount(1)
  const calls = recordCalls(page)
  await sidebarButton(page, 'Add Task').click()
  await addDialog(page).getByLabel('Title', { exact: true }).pressSequentially('ab')
  await keyboard.press('ControlOrMeta+z')
  await addDialog(page).getByRole('button', { name: 'Cancel' }).focus()
  await keyboard.press('ControlOrMeta+z')
  await settle(page, calls)
  expect(calls).toEqual([])
  await keyboard.press('Enter')
  await expect(addDialog(page)).toHaveCount(0)

  await remove(page, 'Water the plants')
  await expect(cards(page)).toHaveCount(0)
  await settle(page, calls)
  const undoing = recordCalls(page)
  await keyboard.down('Control')
  for (let repeats = 0; repeats < 20; repeats++) await keyboard.down('z')
  await expect(card(page, 'Water the plants')).toBeVisible()
  for (let repeats = 0; repeats < 20; repeats++) await keyboard.down('z')
  await keyboard.up('z')
  await keyboard.up('Control')
  await settle(page, undoing)
  expect(undoing.map(({ call }) => call.replace(/\d+/, 'N'))).toEqual(['POST /changes/N/undo'])
  await expect(cards(page)).toHaveCount(1)
})

test('A change can be undone after a reload, and not after a logout, which removes it from the browser', async ({
  page,
}) => {
  await remove(page, 'Feed the cat')
  await expect(cards(page)).toHaveCount(1)
  await page.reload()
  await expect(card(page, 'Water the plants')).toBeVisible()
  await expect(undoBar(page).getByRole('button')).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(card(page, 'Feed the cat')).toBeVisible()

  await remove(page, 'Feed the cat')
  await expect(undoBar(page)).toContainText('Deleted')
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain('Feed the cat')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
})

test('A change that another tab has changed again is not undone, and the bar says why', async ({
  page,
  context,
}) => {
  const other = await context.newPage()
  await openDashboard(other)
  await editButton(page, 'Water the plants').click()
  await fillTask(editDialog(page), { title: 'mine' })
  await editDialog(page).getByRole('button', { name: 'Save' }).click()
  await expect(undoBar(page)).toContainText('Changed “mine”')
  await editButton(other, 'mine').click()
  await fillTask(editDialog(other), { title: 'theirs' })
  await editDialog(other).getByRole('button', { name: 'Save' }).click()
  await expect(card(page, 'theirs')).toBeVisible()
  // The first tab may have the change before the other one has its answer.
  await expect(undoBar(other)).toContainText('Changed “theirs”')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(undoBar(page)).toContainText(
    'Not undone: Changed “mine”. The fields of this change were changed again',
  )
  await expect(undoBar(page).getByRole('button')).toHaveCount(0)
  await expect(card(page, 'theirs')).toBeVisible()
  // Each tab undoes its own changes only.
  await other.keyboard.press('ControlOrMeta+z')
  await expect(card(page, 'mine')).toBeVisible()
})

test('A change and its undo that were answered 502 or not at all are sent again, and Ctrl+Z takes back that change and no other', async ({
  page,
  user,
}) => {
  await quickLine(page).fill('Buy milk')
  await page.keyboard.press('Enter')
  await expect(undoBar(page)).toContainText('Added “Buy milk”')
  await settle(page, [])
  await panelTitle(page).focus()
  const calls = recordCalls(page)
  for (const isApplied of [true, false])
    await test.step(`Each call is lost once, and was ${isApplied ? '' : 'not '}applied`, async () => {
      for (const endpoint of ['POST /changes', 'POST /changes/:seq/undo'] as const) {
        let isLost = false
        await intercept(page, endpoint, async (route) => {
          if (isLost) return await route.fallback()
          isLost = true
          if (isApplied) await route.fetch()
          await route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>', contentType: 'text/html' })
        })
      }
      await ring(page, 'Feed the cat').click()
      await expect(card(page, 'Feed the cat')).toHaveCount(0)
      await page.keyboard.press('ControlOrMeta+z')
      await expect(card(page, 'Feed the cat')).toBeVisible()
      await settle(page, calls)
      await expect(undoBar(page)).toContainText('“Feed the cat” is open again')
      const titles = async () => (await user.list('getLatestTasks')).map(({ title }) => title)
      expect(await titles()).toEqual(['Buy milk', 'Feed the cat', 'Water the plants'])
      await page.unrouteAll()
    })
})

test('An addition, an edit and a deletion that the server made but did not answer are undone like others, whether or not they are tried again', async ({
  page,
  alerts,
}) => {
  /** Applies the next call, and answers in place of the server. */
  async function lose(endpoint: Endpoint) {
    let isLost = false
    await intercept(page, endpoint, async (route) => {
      if (isLost) return await route.fallback()
      isLost = true
      await route.fetch()
      await route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>', contentType: 'text/html' })
    })
  }
  for (const isRepeated of [false, true])
    await test.step(`The call is ${isRepeated ? '' : 'not '}made again`, async () => {
      await lose('POST /list/addTask')
      await sidebarButton(page, 'Add Task').click()
      await fillTask(addDialog(page), { title: 'Buy milk', dueDate: day(0), priority: 'high' })
      await addDialog(page).getByRole('button', { name: 'Add Task' }).click()
      await expect.poll(() => alerts.splice(0)).toEqual([expect.stringMatching(/^Failed to add task/)])
      await expect(undoBar(page)).toContainText('Added “Buy milk”')
      if (isRepeated) {
        await addDialog(page).getByRole('button', { name: 'Restore what I typed' }).click()
        await addDialog(page).getByRole('button', { name: 'Add Task' }).click()
        await expect.poll(() => alerts.splice(0)).toEqual(['Task added successfully!'])
      } else await addDialog(page).getByRole('button', { name: 'Cancel' }).click()
      await expect(addDialog(page)).toBeHidden()
      await page.keyboard.press('ControlOrMeta+z')
      await expect(card(page, 'Buy milk')).toHaveCount(0)
      await expect(cards(page)).toHaveCount(2)

      await lose('PUT /list/updateTask/:id')
      await editButton(page, 'Feed the cat').click()
      await fillTask(editDialog(page), { title: 'Feed the dog' })
      await editDialog(page).getByRole('button', { name: 'Save' }).click()
      await expect(undoBar(page)).toContainText('Changed “Feed the dog”')
      await editDialog(page)
        .getByRole('button', { name: isRepeated ? 'Save' : 'Cancel' })
        .click()
      await expect(editDialog(page)).toBeHidden()
      await page.keyboard.press('ControlOrMeta+z')
      await expect(card(page, 'Feed the cat')).toBeVisible()

      // What the log says arrives after the second press.
      const release = isRepeated ? await hold(page, 'GET /changes') : () => {}
      await lose('DELETE /list/deleteTask/:id')
      await remove(page, 'Feed the cat')
      if (isRepeated) {
        await expect(card(page, 'Feed the cat')).toContainText('This task was not deleted.')
        await remove(page, 'Feed the cat')
        await expect(card(page, 'Feed the cat')).toHaveCount(0)
      }
      release()
      await expect(undoBar(page)).toContainText('Deleted “Feed the cat”')
      await page.keyboard.press('ControlOrMeta+z')
      await expect(card(page, 'Feed the cat')).toBeVisible()
      await page.unrouteAll()
    })
  const ofDeletion = (await toastsOf(page)).map(({ text }) => text).filter((text) => text.includes('delete'))
  expect(ofDeletion).toEqual(['Failed to delete task', 'Failed to delete task', 'Task deleted successfully'])
})

test('An undo that the server no longer knows cannot be tried again', async ({ page }) => {
  await remove(page, 'Feed the cat')
  await expect(undoBar(page)).toContainText('Deleted')
  const undone = answerTo(page, 'POST /changes/:seq/undo')
  await undoBar(page).getByRole('button', undoButton).click()
  await expect(card(page, 'Feed the cat')).toBeVisible()
  await undone
  await force(page, 'POST /changes/:seq/undo', { status: 404 })
  await undoBar(page).getByRole('button', { name: 'Redo' }).click()
  await expect(undoBar(page)).toContainText('Not redone')
  await expect(undoBar(page).getByRole('button')).toHaveCount(0)
})

test('An undo for which the account has no space can be tried again', async ({ page }) => {
  await remove(page, 'Feed the cat')
  await expect(undoBar(page)).toContainText('Deleted')
  const detail = 'To make room now, delete something for good.'
  await force(page, 'POST /changes/:seq/undo', { status: 409, json: { code: 'over-quota', detail } })
  await undoBar(page).getByRole('button', undoButton).click()
  await expect(undoBar(page)).toContainText(detail)
  await page.unrouteAll()
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect(card(page, 'Feed the cat')).toBeVisible()
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

test('The bar is at the bottom left of the column and covers no toast, on a phone as on a large screen', async ({
  page,
}) => {
  for (const [width, title, text] of [
    [380, 'Feed the cat', 'Deleted “Feed the cat”'],
    [1280, 'Water the plants', 'Deleted 2 tasks'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await expect(page.locator('.Toastify__toast')).toHaveCount(0)
    // Both at once, and awaited before they appear: the toast is gone after a second.
    const boxes = page.waitForFunction((text) => {
      const [bar, toast] = ['[data-shown=true]', '.Toastify__toast'].map((selector) =>
        document.querySelector(selector),
      )
      if (!bar?.textContent?.includes(text) || !toast) return
      return { bar: bar.getBoundingClientRect().toJSON(), toast: toast.getBoundingClientRect().toJSON() }
    }, text)
    const column = await card(page, title).boundingBox()
    await remove(page, title)
    const { bar, toast } = (await (await boxes).jsonValue()) as Record<'bar' | 'toast', DOMRect>
    if (width > 380) expect(Math.abs(bar.x - (column?.x ?? 0))).toBeLessThanOrEqual(1)
    else
      expect([bar.x, bar.width]).toEqual([
        0,
        await page.evaluate(() => document.body.getBoundingClientRect().width),
      ])
    expect(bar.bottom).toBeLessThanOrEqual(800)
    expect(bar.top).toBeGreaterThan(640)
    expect(toast.bottom <= bar.top || toast.left >= bar.right).toBe(true)
  }
})

test('The bar does not cover the card to which the keyboard has moved, on a phone as on a large screen', async ({
  page,
  user,
}) => {
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

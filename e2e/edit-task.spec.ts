import { draft as highDraft } from './add-dialog.ts'
import { boxOf } from './boxes.ts'
import { force, hold, recordCalls, serverError } from './calls.ts'
import {
  badge,
  card,
  cards,
  editButton,
  editByDialog,
  editDialog,
  fillTask,
  openDashboard,
  openList,
  sidebarButton,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { day, expect, expectToasts } from './fixtures.ts'
import { notesTest as test } from './notes-page.ts'

const updated = 'success: Task updated successfully!'
const failed = 'error: Failed to update task. Please try again.'

const draft = { ...highDraft, priority: 'low' } as const

test.beforeEach(async ({ page, user }) => {
  await user.add(draft)
  await openDashboard(page, draft.title)
})

test('The Edit Task modal shows its task, and requires title, due date and priority', async ({ page }) => {
  await test.step("The edit icon opens the Edit Task modal, prefilled with the task's title, body, due date and priority", async () => {
    await editButton(page, draft.title).click()
    const form = editDialog(page)
    await expect(form.getByRole('heading', { name: 'Edit Task' })).toBeVisible()
    await expect(form.getByLabel('Title', { exact: true })).toHaveValue(draft.title)
    await expect(form.getByLabel('Body', { exact: true })).toHaveValue(draft.body)
    await expect(form.getByLabel('Due Date', { exact: true })).toHaveAttribute('type', 'date')
    await expect(form.getByLabel('Due Date', { exact: true })).toHaveValue(draft.dueDate)
    await expect(form.getByLabel('Priority', { exact: true })).toHaveValue(draft.priority)
  })
  await page.keyboard.press('Escape')
  await test.step('X, Cancel and Escape close the Edit Task modal and change nothing', async () => {
    const ways = [
      () => editDialog(page).getByRole('button', { name: 'Close', exact: true }).click(),
      () => editDialog(page).getByRole('button', { name: 'Cancel', exact: true }).click(),
      () => page.keyboard.press('Escape'),
    ]
    const calls = recordCalls(page)
    for (const close of ways) {
      await expect(editDialog(page)).toBeHidden()
      await editButton(page, draft.title).click()
      await fillTask(editDialog(page), { title: 'something else' })
      await close()
      await expect(editDialog(page)).toBeHidden()
    }
    await editButton(page, draft.title).click()
    await expect(editDialog(page).getByLabel('Title', { exact: true })).toHaveValue(draft.title)
    expect(calls).toEqual([])
  })
  const calls = recordCalls(page)
  for (const [field, missing] of [
    ['Title', { title: '' }],
    ['Due Date', { dueDate: '' }],
    ['Priority', { priority: '' }],
  ] as const)
    await test.step(`${field} is required by the edit form itself: without it nothing is sent`, async () => {
      await fillTask(editDialog(page), { ...draft, ...missing })
      await editDialog(page).getByRole('button', { name: 'Save' }).click()
      await expect(editDialog(page).getByLabel(field, { exact: true })).toBeFocused()
      await expect(editDialog(page)).toBeVisible()
      expect(calls).toEqual([])
    })
})

test('Saving sends title, body, dueDate and priority, and closes the modal', async ({ page, user }) => {
  const calls = recordCalls(page)
  const change = { title: 'Feed the cat', body: 'Half a tin.', dueDate: day(-2), priority: 'high' } as const
  await editButton(page, draft.title).click()
  await fillTask(editDialog(page), change)
  await test.step('The modal stays open until the answer is there', async () => {
    const release = await hold(page, 'PUT /list/updateTask/:id')
    await editDialog(page).getByRole('button', { name: 'Save' }).click()
    await expect(editDialog(page)).toBeVisible()
    await expectToasts(page, [])
    release()
    await expect(editDialog(page)).toBeHidden()
    await expectToasts(page, [updated])
  })
  expect(calls).toHaveLength(1)
  expect(calls[0]?.call).toMatch(/^PUT \/list\/updateTask\/[0-9a-f-]{36}$/)
  expect(calls[0]?.headers).toMatchObject({
    authorization: `Bearer ${user.token}`,
    'content-type': 'application/json',
  })
  expect(calls[0]?.body).toEqual(change)
})

test('A saved task shows its new values at once in their place, without a load', async ({ page, user }) => {
  await user.add({ title: 'yesterday', dueDate: day(-1) })
  await openDashboard(page, 2)
  expect(await titlesOf(page)).toEqual(['yesterday', draft.title])
  const calls = recordCalls(page)
  await editByDialog(page, draft.title, {
    title: 'Feed the cat',
    body: '',
    dueDate: day(-2),
    priority: 'high',
  })
  await expect(badge(card(page, 'Feed the cat'))).toHaveText('HIGH')
  expect(await titlesOf(page)).toEqual(['Feed the cat', 'yesterday'])
  await expect(card(page, 'Feed the cat')).not.toContainText(draft.body)
  await expectToasts(page, [updated])
  expect(calls.map(({ call }) => call.split(' ')[0])).toEqual(['PUT'])
  await test.step('A saved task leaves the open list when it no longer belongs there', async () => {
    await user.add({ title: 'urgent', priority: 'high', dueDate: day(2) })
    await editByDialog(page, 'Feed the cat', { dueDate: day(1), priority: 'low' })
    await expect(cards(page)).toHaveCount(1)
    await expectToasts(page, [updated, updated])
    await sidebarButton(page, 'Latest').click()
    await expect(card(page, 'Feed the cat').locator(`time[datetime="${day(1)}"]`)).toBeVisible()

    await test.step('A change of priority leaves the open priority list', async () => {
      await openList(page, 'Priority')
      await editByDialog(page, 'urgent', { priority: 'medium' })
      await expect(cards(page)).toHaveCount(0)
      await expect(page.getByText('No tasks found', { exact: true })).toBeVisible()
    })
  })
})

test('A save that fails is "Failed to update task. Please try again." and says why', async ({ page }) => {
  // The toasts stay until they were looked at.
  await page.evaluate(() =>
    document.styleSheets[0]?.insertRule(
      '.Toastify__progress-bar { animation-play-state: paused !important }',
    ),
  )
  for (const [count, what, answer, why] of [
    [1, 'is answered with an error', serverError, / The disk is on fire\.$/],
    [2, 'gets no answer', 'dropped', / (?!The disk)\S.+/],
  ] as const)
    await test.step(`Saving that ${what}`, async () => {
      await force(page, 'PUT /list/updateTask/:id', answer)
      await editByDialog(page, draft.title, { title: 'Feed the cat' })
      await expect.poll(() => page.evaluate(() => window.toasts.length)).toBe(count)
      const toast = await page.evaluate(() => window.toasts.at(-1))
      expect(`${toast?.kind}: ${toast?.text}`.slice(0, failed.length)).toBe(failed)
      expect(toast?.text.slice(failed.length - 'error: '.length)).toMatch(why)
      await expect(editDialog(page).getByRole('alert')).toContainText(
        toast?.text.slice(failed.length - 'error: '.length).trim() || 'a reason',
      )
      await expect(editDialog(page).getByLabel('Title', { exact: true })).toHaveValue('Feed the cat')
      await editDialog(page).getByRole('button', { name: 'Cancel' }).click()
      await expect(card(page, draft.title)).toBeVisible()
      await page.unrouteAll()
    })
  await test.step('Saving that is answered with 201 is a failure too: success is 200', async () => {
    await force(page, 'PUT /list/updateTask/:id', { status: 201, json: {} })
    await editByDialog(page, draft.title, { title: 'Feed the cat' })
    await expect.poll(() => page.evaluate(() => window.toasts.length)).toBe(3)
    const toast = await page.evaluate(() => window.toasts.at(-1))
    expect(`${toast?.kind}: ${toast?.text}`).toBe(failed)
    await expect(editDialog(page)).toBeVisible()
    // It is drawn above the dialog and its shade.
    const box = await boxOf(page.locator('.Toastify__toast').last())
    const clip = { x: box.x + 10, y: box.y + 10, width: box.width - 20, height: box.height - 20 }
    const above = await page.screenshot({ clip })
    await editDialog(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(editDialog(page)).toBeHidden()
    expect(above.equals(await page.screenshot({ clip }))).toBe(true)
  })
})

test('The Edit dialog names missing fields, and completes its task', async ({ page, user, notes }) => {
  const note = await notes.add('Harbour plan')
  const moor = await user.add({ title: 'Moor' })
  await user.add({ title: 'Sail', body: `[Old title](note:${note._id}) [Old title](task:${moor._id})` })
  await openDashboard(page)
  await editButton(page, 'Sail').click()
  const dialog = editDialog(page)
  const title = dialog.getByLabel('Title', { exact: true })
  await expect(dialog.getByRole('link', { name: 'Harbour plan' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Moor', exact: true }).click()
  await expect(title).toHaveValue('Moor')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await editButton(page, 'Sail').click()
  await title.fill('')
  await dialog.getByLabel('Priority', { exact: true }).press('Enter')
  await expect(title).toBeFocused()
  await expect(title).toHaveAccessibleDescription('Title is required')
  await title.fill('Sail away')
  await expect(title).toHaveAccessibleDescription('')
  await dialog.getByLabel('Body', { exact: true }).fill('- [ ] sails')
  await dialog.getByLabel('Body', { exact: true }).press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('rope')
  await dialog.getByLabel('Priority', { exact: true }).press('Enter')
  await expect(dialog).toBeHidden()
  await editButton(page, 'Sail away').click()
  await expect(dialog.getByLabel('Body', { exact: true })).toHaveValue('- [ ] sails\n- [ ] rope')
  await title.fill('Sailed')
  await dialog.getByRole('button', { name: 'Complete', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(undoBar(page)).toContainText('Completed “Sailed”')
  await expect(card(page, 'Sailed')).toHaveCount(0)
})

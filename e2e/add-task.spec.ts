import { draft, expectEmptyForm, open, submit } from './add-dialog.ts'
import { hold, intercept, recordCalls } from './calls.ts'
import {
  addByDialog,
  addDialog,
  card,
  cards,
  fillTask,
  openDashboard,
  sidebarButton,
  titlesOf,
} from './dashboard-page.ts'
import { day, nextMonday } from './days.ts'
import { expect, expectToasts, signedInTest as test } from './fixtures.ts'

const added = 'Task added successfully!'
const noneToday = 'info: No tasks for today'

test.beforeEach(async ({ page }) => {
  await openDashboard(page)
  await expectToasts(page, [noneToday])
})

test('The add form requires title, due date and priority, and no body', async ({ page, alerts, user }) => {
  const calls = recordCalls(page)
  await test.step('Add Task opens the Add New Task modal, and X, Cancel and Escape close it', async () => {
    const ways = [
      () => addDialog(page).getByRole('button', { name: 'Close', exact: true }).click(),
      () => addDialog(page).getByRole('button', { name: 'Cancel', exact: true }).click(),
      () => page.keyboard.press('Escape'),
    ]
    for (const close of ways) {
      await expect(addDialog(page)).toBeHidden()
      await open(page)
      await expect(addDialog(page)).toBeVisible()
      await expect(addDialog(page).getByRole('heading', { name: 'Add New Task' })).toBeVisible()
      await close()
      await expect(addDialog(page)).toBeHidden()
    }
    expect(calls).toEqual([])
  })
  await open(page)
  await test.step('The priority options are Select, which is empty, and High, Medium and Low', async () => {
    const priority = addDialog(page).getByLabel('Priority', { exact: true })
    await expect(priority).toHaveValue('')
    const options = await priority
      .getByRole('option')
      .evaluateAll((all) => all.map((option) => [option.textContent, (option as HTMLOptionElement).value]))
    expect(options).toEqual([
      ['Select', ''],
      ['High', 'high'],
      ['Medium', 'medium'],
      ['Low', 'low'],
    ])
  })
  for (const [field, missing] of [
    ['Title', { title: '' }],
    ['Due Date', { dueDate: '' }],
    ['Priority', { priority: '' }],
  ] as const)
    await test.step(`${field} is required by the add form itself: without it nothing is sent`, async () => {
      await fillTask(addDialog(page), { ...draft, ...missing })
      await submit(page)
      const input = addDialog(page).getByLabel(field, { exact: true })
      await expect(input).toHaveAttribute('required')
      await expect(input).toBeFocused()
      expect(await input.evaluate((element: HTMLInputElement) => element.validity.valueMissing)).toBe(true)
      await expect(addDialog(page)).toBeVisible()
      expect(calls).toEqual([])
      expect(alerts).toEqual([])
    })
  await test.step('Adding sends title, body, dueDate and priority', async () => {
    await fillTask(addDialog(page), draft)
    await submit(page)
    await expect.poll(() => alerts).toEqual([added])
    expect(calls).toHaveLength(1)
    expect(calls[0]?.call).toBe('POST /list/addTask')
    expect(calls[0]?.headers).toMatchObject({
      authorization: `Bearer ${user.token}`,
      'content-type': 'application/json',
    })
    expect(calls[0]?.body).toEqual(draft)
  })
  await test.step('The body of a new task is optional', async () => {
    await expect(addDialog(page)).toBeHidden()
    await open(page)
    await expect(addDialog(page).getByLabel('Body', { exact: true })).not.toHaveAttribute('required')
    await fillTask(addDialog(page), { ...draft, body: '' })
    await submit(page)
    await expect.poll(() => alerts).toEqual([added, added])
  })
  await test.step('The due date is filled in by Due today, Due tomorrow and Due next week, and Ctrl+Enter in the body adds the task', async () => {
    await expect(addDialog(page)).toBeHidden()
    await open(page)
    const dialog = addDialog(page)
    for (const [name, date] of [
      ['Due today', day(0)],
      ['Due tomorrow', day(1)],
      ['Due next week', nextMonday()],
    ] as const) {
      await dialog.getByRole('button', { name, exact: true }).click()
      await expect(dialog.getByLabel('Due Date', { exact: true })).toHaveValue(date)
    }
    await fillTask(dialog, { title: 'By keyboard', body: 'text', dueDate: day(0), priority: 'low' })
    await dialog.getByLabel('Body', { exact: true }).press('Control+Enter')
    await expect(card(page, 'By keyboard')).toBeVisible()
    await expect.poll(() => alerts).toEqual([added, added, added])
  })
})

test('After adding, an alert says so, the modal closes and the form is empty', async ({ page, alerts }) => {
  await open(page)
  await fillTask(addDialog(page), draft)
  const release = await hold(page, 'POST /list/addTask')
  await submit(page)
  expect(alerts).toEqual([])
  await expect(addDialog(page)).toBeVisible()
  release()
  await expect(addDialog(page)).toBeHidden()
  expect(alerts).toEqual([added])
  await open(page)
  await expectEmptyForm(page)
  await expectToasts(page, [noneToday])

  await test.step('Input that changes while the answer is awaited has not been added, and stays', async () => {
    await fillTask(addDialog(page), { ...draft, title: 'Sow beans' })
    const release = await hold(page, 'POST /list/addTask')
    await submit(page)
    await fillTask(addDialog(page), { title: 'Feed the cat' })
    release()
    await expect.poll(() => alerts).toEqual([added, added])
    await expect(card(page, 'Sow beans')).toBeVisible()
    await expect(addDialog(page).getByLabel('Title', { exact: true })).toHaveValue('Feed the cat')
  })
})

test('A form that is opened before the last answer adds another task', async ({ page, alerts }) => {
  const answered = Promise.withResolvers<void>()
  let calls = 0
  await intercept(page, 'POST /list/addTask', async (route) => {
    if (calls++ === 0) await answered.promise
    await route.fallback()
  })
  await addByDialog(page, draft)
  await page.keyboard.press('Escape')
  await addByDialog(page, { ...draft, title: 'Feed the cat' })
  await expect(card(page, 'Feed the cat')).toBeVisible()
  await expect(addDialog(page)).toBeHidden()
  await expect.poll(() => alerts).toEqual([added])
  await open(page)
  const offer = addDialog(page).getByText('Unfinished')
  await expect(offer).toContainText(draft.title)
  answered.resolve()
  await expect(card(page, draft.title)).toBeVisible()
  await expect(offer).toHaveCount(0)
  await expect.poll(() => alerts).toEqual([added, added])
})

test('A new task shows at once in the open list, if it belongs there', async ({ page, user, alerts }) => {
  await user.add({ title: 'yesterday', dueDate: day(-1) })
  await user.add({ title: 'today, low', priority: 'low' })
  await openDashboard(page, 2)
  const calls = recordCalls(page)
  await addByDialog(page, draft)
  await expect(card(page, draft.title)).toBeVisible()
  expect(await titlesOf(page)).toEqual(['yesterday', draft.title, 'today, low'])
  await expect.poll(() => alerts).toEqual([added])
  expect(calls.map(({ call }) => call)).toEqual(['POST /list/addTask'])

  await test.step('A new task that does not belong in the open list does not show there', async () => {
    await expect(addDialog(page)).toBeHidden()
    await addByDialog(page, { ...draft, title: 'tomorrow', dueDate: day(1) })
    await expect.poll(() => alerts).toEqual([added, added])
    await expect(addDialog(page)).toBeHidden()
    await expect(cards(page)).toHaveCount(3)
    await expect(card(page, 'tomorrow')).toHaveCount(0)
    await sidebarButton(page, 'Latest').click()
    await expect(card(page, 'tomorrow')).toBeVisible()
  })
})

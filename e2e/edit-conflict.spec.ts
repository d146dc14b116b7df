import type { Page } from '@playwright/test'
import type { Task } from '#contract/tasks.ts'
import { answerTo, force, hold, recordCalls, writesOf } from './calls.ts'
import { card, cards, editButton, editDialog, fillTask, openDashboard, undoBar } from './dashboard-page.ts'
import { day, expect, expectToasts, signedInTest as test } from './fixtures.ts'

const changedElsewhere = 'error: Failed to update task. Please try again. This task was changed elsewhere.'
const updated = 'success: Task updated successfully!'

const draft = { title: 'Paint', body: 'White.', dueDate: day(0), priority: 'low' } as const

const field = (page: Page, label: string) => editDialog(page).getByLabel(label, { exact: true })
const save = (page: Page) => editDialog(page).getByRole('button', { name: 'Save' }).click()
const clash = (page: Page, name: string) =>
  editDialog(page).getByRole('group', { name: `Changed elsewhere (${name})` })
const choice = (page: Page, name: string) => editDialog(page).getByRole('button', { name, exact: true })

let task: Task
test.beforeEach(async ({ page, user }) => {
  task = await user.add(draft)
  // A tab that other tabs and devices do not reach.
  await force(page, 'GET /changes/stream', { status: 404 })
  const filled = answerTo(page, 'GET /changes')
  await openDashboard(page)
  // A later answer would contain the changes that the tests make elsewhere.
  await filled
  await editButton(page, draft.title).click()
})

test('A field that was changed elsewhere too is not overwritten: both are shown', async ({ page, user }) => {
  await user.edit(task, { title: 'Paint elsewhere', priority: 'high' })
  await fillTask(editDialog(page), { title: 'Paint the mark' })
  await save(page)
  await expectToasts(page, [changedElsewhere])
  await expect(editDialog(page).getByRole('alert')).toContainText('changed elsewhere')
  await expect(field(page, 'Title')).toHaveValue('Paint the mark')
  await expect(clash(page, 'title')).toContainText('Paint elsewhere')
  await expect(clash(page, 'title')).toBeFocused()
  // Only they have changed the priority.
  await expect(field(page, 'Priority')).toHaveValue('high')
  await expect(editDialog(page).getByRole('group')).toHaveCount(1)

  await test.step('Pressing Save again without a choice overwrites nothing', async () => {
    await save(page)
    await expectToasts(page, [changedElsewhere, changedElsewhere])
    await expect(clash(page, 'title')).toBeVisible()
    expect(await user.titles()).toEqual(['Paint elsewhere'])
  })

  await choice(page, 'Keep this one (title)').click()
  await expect(clash(page, 'title')).toHaveCount(0)
  await expect(field(page, 'Title')).toBeFocused()
  await save(page)
  await expect(card(page, 'Paint the mark')).toContainText('HIGH')
  await expectToasts(page, [changedElsewhere, changedElsewhere, updated])
})

test('An edit keeps what another device has changed in other fields', async ({ page, user }) => {
  const written = await user.edit(task, { body: 'White.\r\nTwice.' })
  await openDashboard(page)
  await editButton(page, draft.title).click()
  await user.edit(written, { body: 'Red.', dueDate: day(-1) })
  await fillTask(editDialog(page), { title: 'Paint the mark' })
  await save(page)
  await expect(editDialog(page)).toBeHidden()
  await expect(card(page, 'Paint the mark')).toContainText('Red.')
  await expect(card(page, 'Paint the mark').locator(`time[datetime="${day(-1)}"]`)).toBeVisible()
  await expectToasts(page, [updated])
})

test('Of two bodies one or both can be kept, field by field', async ({ page, user }) => {
  await user.edit(task, { title: 'Paint elsewhere', body: 'Red.', dueDate: day(1) })
  await fillTask(editDialog(page), { title: 'Paint the mark', body: 'Blue.', dueDate: day(2) })
  await save(page)
  await expect(editDialog(page).getByRole('group')).toHaveCount(3)
  await choice(page, 'Keep both (body)').click()
  await expect(field(page, 'Body')).toHaveValue('Blue.\n\nRed.')
  await choice(page, 'Use the other (title)').click()
  await choice(page, 'Use the other (due date)').click()
  await expect(field(page, 'Due Date')).toHaveValue(day(1))
  // Changed once more before the choice is saved: a decided field is not asked again.
  await user.edit(task, { title: 'Paint elsewhere', body: 'Green.', dueDate: day(1) })
  await save(page)
  await expect(editDialog(page).getByRole('group')).toHaveCount(1)
  await choice(page, 'Keep both (body)').click()
  await save(page)
  await expect(editDialog(page)).toBeHidden()
  const [stored] = (await user.list('getLatestTasks')).filter(({ _id }) => _id === task._id)
  expect(stored).toMatchObject({
    title: 'Paint elsewhere',
    body: 'Blue.\n\nRed.\n\nGreen.',
    dueDate: day(1),
  })
})

test('Text over a task deleted elsewhere can be added as a new task', async ({ page, user, alerts }) => {
  const add = () => choice(page, 'Add as a new task')
  await user.remove(task)
  await fillTask(editDialog(page), { title: 'Paint the mark' })
  await save(page)
  await expectToasts(page, ['error: Failed to update task. Please try again. You have no task with this id.'])
  await expect(editDialog(page).getByRole('alert')).toContainText('deleted elsewhere')
  await expect(field(page, 'Title')).toHaveValue('Paint the mark')
  const calls = recordCalls(page)

  await test.step('After its answer was lost it is not added twice, also by a double click', async () => {
    await force(page, 'POST /list/addTask', 'lost')
    await add().click()
    await expect(editDialog(page).getByRole('alert')).toContainText('It was not added again')
    await save(page)
    await page.unrouteAll()
  })
  await test.step('Text that is typed while the answer is awaited is a second task', async () => {
    const release = await hold(page, 'POST /list/addTask')
    await add().dblclick()
    await field(page, 'Title').fill('Paint the mark twice')
    release()
    await expect(undoBar(page)).toContainText('Added')
    await page.unrouteAll()
    await expect(cards(page)).toHaveCount(1)
    await expect(card(page, 'Paint the mark')).toContainText('White.')
  })
  await test.step('Text that is typed again after it was added is another task', async () => {
    await field(page, 'Title').fill('Paint the mark')
    await add().click()
    await expect(editDialog(page)).toBeHidden()
    await expect(cards(page)).toHaveCount(2)
  })
  expect(writesOf(calls).filter((call) => call === 'POST /list/addTask')).toHaveLength(3)
  expect(alerts).toEqual([])
})

import type { Page } from '@playwright/test'
import { draft, expectEmptyForm, open, submit } from './add-dialog.ts'
import { force, hold, serverError } from './calls.ts'
import { addByDialog, addDialog, card, cards, fillTask, openDashboard } from './dashboard-page.ts'
import { expect, expectToasts, signedInTest as test } from './fixtures.ts'

const added = 'Task added successfully!'
const failed = 'Failed to add task. Please try again.'
const title = (page: Page) => addDialog(page).getByLabel('Title', { exact: true })
const noneToday = 'info: No tasks for today'

test.beforeEach(async ({ page }) => {
  await openDashboard(page)
  await expectToasts(page, [noneToday])
})

test('A failed addition alerts "Failed to add task. Please try again." and why', async ({ page, alerts }) => {
  for (const [what, answer, why] of [
    ['is answered with an error', serverError, / The disk is on fire\.$/],
    ['gets no answer', 'dropped', / (?!The disk)\S.+/],
    ['is answered with 201 and not 200', { status: 201, json: {} }, /^$/],
  ] as const)
    await test.step(`Adding that ${what}`, async () => {
      alerts.length = 0
      await force(page, 'POST /list/addTask', answer)
      await addByDialog(page, draft)
      await expect.poll(() => alerts.length).toBe(1)
      expect(alerts[0]?.startsWith(failed)).toBe(true)
      expect(alerts[0]?.slice(failed.length)).toMatch(why)
      await expect(addDialog(page)).toBeVisible()
      await expect(cards(page)).toHaveCount(0)
      await expectToasts(page, [noneToday])
      await page.unrouteAll()
      await page.keyboard.press('Escape')
      await expect(addDialog(page)).toBeHidden()
    })
  await test.step('After a failed add the form is cleared and the modal stays open, shows why, and can restore the input', async () => {
    alerts.length = 0
    await force(page, 'POST /list/addTask', serverError)
    await addByDialog(page, draft)
    await expect.poll(() => alerts.length).toBe(1)
    await expect(addDialog(page)).toBeVisible()
    await expectEmptyForm(page)
    await expect(addDialog(page).getByText('The disk is on fire.')).toBeVisible()
    await page.unrouteAll()
    await addDialog(page).getByRole('button', { name: 'Restore what I typed' }).click()
    await submit(page)
    await expect.poll(() => alerts.slice(1)).toEqual([added])
    await expect(card(page, draft.title)).toContainText(draft.body)
    await open(page)
  })
  await test.step('A title that the server rejects is explained at its field', async () => {
    alerts.length = 0
    await fillTask(addDialog(page), { ...draft, title: '   ' })
    await submit(page)
    await expect.poll(() => alerts.length).toBe(1)
    expect(alerts[0]?.startsWith(`${failed} `)).toBe(true)
    await expect(title(page)).toHaveAccessibleDescription(/blank/)
  })
})

test('A task that fails after a later one was sent is offered in the next form', async ({ page, alerts }) => {
  await force(page, 'POST /list/addTask', serverError)
  const release = await hold(page, 'POST /list/addTask')
  await addByDialog(page, { ...draft, title: 'First' })
  await page.keyboard.press('Escape')
  await expect(addDialog(page)).toBeHidden()
  await page.route('**/list/addTask', (route) =>
    route.request().postDataJSON().title === 'Second' ? route.continue() : route.fallback(),
  )
  await addByDialog(page, { ...draft, title: 'Second' })
  await expect(card(page, 'Second')).toBeVisible()
  release()
  await expect.poll(() => alerts).toEqual([added, expect.stringContaining(failed)])
  await open(page)
  await expect(addDialog(page)).not.toContainText('was not added')
  await addDialog(page).getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(title(page)).toHaveValue('First')
})

test('A task whose answer was lost is not added twice when it is sent again', async ({ page, alerts }) => {
  for (const [index, [when, meanwhile]] of (
    [
      ['nothing else happened', async () => {}],
      ['the form was changed while the answer was awaited', () => title(page).fill('Changed')],
      [
        'the dialog was opened again while the answer was awaited',
        async () => {
          await page.keyboard.press('Escape')
          await expect(addDialog(page)).toBeHidden()
          await open(page)
        },
      ],
    ] as const
  ).entries())
    await test.step(`A task is sent again, and ${when}`, async () => {
      alerts.length = 0
      await force(page, 'POST /list/addTask', 'lost')
      const release = await hold(page, 'POST /list/addTask')
      await addByDialog(page, { ...draft, title: when })
      await meanwhile()
      release()
      await expect.poll(() => alerts.length).toBe(1)
      await page.unrouteAll()
      await addDialog(page).getByRole('button', { name: 'Restore what I typed' }).click()
      await submit(page)
      await expect.poll(() => alerts.slice(1)).toEqual([added])
      await openDashboard(page)
      await expect(card(page, when)).toHaveCount(1)
      await expect(cards(page)).toHaveCount(index + 1)
    })
  await test.step('A task that is typed again where a form stayed open after the first is a second task', async () => {
    alerts.length = 0
    await open(page)
    await fillTask(addDialog(page), draft)
    const release = await hold(page, 'POST /list/addTask')
    await submit(page)
    await title(page).fill('Changed')
    release()
    await expect.poll(() => alerts).toEqual([added])
    await title(page).fill(draft.title)
    await submit(page)
    await expect.poll(() => alerts).toEqual([added, added])
    await openDashboard(page)
    await expect(card(page, draft.title)).toHaveCount(2)
  })
})

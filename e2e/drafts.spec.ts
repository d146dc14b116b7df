import type { Page } from '@playwright/test'
import { draft, expectEmptyForm, open, submit } from './add-dialog.ts'
import { force, hold, serverError } from './calls.ts'
import {
  addByDialog,
  addDialog,
  card,
  editButton,
  editDialog,
  fillTask,
  openDashboard,
} from './dashboard-page.ts'
import { day, expect, signedInTest as test } from './fixtures.ts'
import { expectDrafts, storedToken } from './local-storage.ts'
import { logIn } from './sign-in.ts'
import { caller } from './user.ts'

const offer = (page: Page) => page.getByRole('dialog').getByText('Unfinished')
const press = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
const title = (page: Page) => page.getByRole('dialog').getByLabel('Title', { exact: true })
const body = (page: Page) => page.getByRole('dialog').getByLabel('Body', { exact: true })
const logOut = (page: Page) => page.getByRole('button', { name: 'Logout' }).click()

test('Text that was typed into the Add dialog is offered after a reload', async ({ page, alerts }) => {
  await openDashboard(page)
  await open(page)
  await expect(offer(page)).toBeHidden()
  await fillTask(addDialog(page), draft)
  await openDashboard(page)
  await open(page)
  await expect(offer(page)).toContainText(draft.title)
  await expectEmptyForm(page)
  await press(page, 'Restore')
  await expect(offer(page)).toBeHidden()
  await expect(title(page)).toBeFocused()
  await expect(body(page)).toHaveValue(draft.body)
  const release = await hold(page, 'POST /list/addTask')
  await submit(page)
  await test.step('A dialog that is opened again while its task is being added is empty', async () => {
    await page.keyboard.press('Escape')
    await expect(addDialog(page)).toBeHidden()
    await open(page)
    await expectEmptyForm(page)
  })
  release()
  await expect.poll(() => alerts.length).toBe(1)
  await expect(card(page, draft.title)).toBeVisible()
  await expectDrafts(page, 0)

  await test.step('A draft of 100,000 characters is restored whole', async () => {
    const long = 'The moss next. 🌿\n'.repeat(6000).slice(0, 100_000)
    // Typing it would take Chromium minutes.
    await body(page).evaluate((field: HTMLTextAreaElement, text) => {
      field.value = text
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }, long)
    await openDashboard(page)
    await open(page)
    await expect(offer(page)).toContainText('The moss next.')
    await press(page, 'Restore')
    await expect(body(page)).toHaveValue(long)
    await press(page, 'Cancel')
  })

  await test.step('Restoring a draft exchanges it with the text in the form', async () => {
    await open(page)
    await title(page).fill('first')
    await page.keyboard.press('Escape')
    await open(page)
    await title(page).fill('second')
    await press(page, 'Restore')
    await expect(title(page)).toHaveValue('first')
    await expect(offer(page)).toContainText('second')
    await press(page, 'Restore')
    await expect(title(page)).toHaveValue('second')
    await expectDrafts(page, 2)
    await press(page, 'Discard')
    await page.keyboard.press('Escape')
  })

  await test.step('Logging out asks before it removes a draft', async () => {
    await logOut(page)
    const question = page.getByRole('dialog', { name: 'Log out and discard?' })
    await expect(question).toContainText('second')
    await press(page, 'Stay')
    await expect(question).toBeHidden()
    await expect(page).toHaveURL('/dashboard')
    await expectDrafts(page, 1)
    await logOut(page)
    await press(page, 'Log out and discard')
    await expect(page).toHaveURL('/')
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
  })
})

test('Escape and X keep the text of the Edit dialog, Cancel and Discard do not', async ({ page, user }) => {
  const task = await user.add({ title: 'Paint', body: 'White.' })
  await user.add({ title: 'Sand' })
  await openDashboard(page)
  for (const close of [() => page.keyboard.press('Escape'), () => press(page, 'Close')]) {
    await editButton(page, 'Paint').click()
    await body(page).fill('Two coats.')
    await close()
    await expect(editDialog(page)).toBeHidden()
    await editButton(page, 'Sand').click()
    await expect(offer(page)).toBeHidden()
    await page.keyboard.press('Escape')
    await editButton(page, 'Paint').click()
    await expect(offer(page)).toBeVisible()
    await expect(body(page)).toHaveValue('White.')
    await press(page, 'Discard')
    await expect(offer(page)).toBeHidden()
    await press(page, 'Cancel')
  }
  await editButton(page, 'Paint').click()
  await body(page).fill('Two coats.')
  await press(page, 'Cancel')
  await editButton(page, 'Paint').click()
  await expect(editDialog(page)).toBeVisible()
  await expect(offer(page)).toBeHidden()
  await expectDrafts(page, 0)

  await test.step('A restored edit is saved over the version that it was typed over', async () => {
    await press(page, 'Cancel')
    await editButton(page, 'Paint').click()
    await body(page).fill('Blue.')
    await user.edit(task, { body: 'Red.', dueDate: day(-1) })
    await openDashboard(page)
    await editButton(page, 'Paint').click()
    await expect(body(page)).toHaveValue('Red.')
    await press(page, 'Restore')
    await expect(body(page)).toHaveValue('Blue.')
    await press(page, 'Save')
    await expect(editDialog(page).getByRole('group')).toContainText('Red.')
    await press(page, 'Keep both (body)')
    await press(page, 'Save')
    await expect(card(page, 'Paint')).toContainText('Blue.')
    await expect(card(page, 'Paint')).toContainText('Red.')
    await expect(card(page, 'Paint').locator(`time[datetime="${day(-1)}"]`)).toBeVisible()
  })
})

test('Of two tasks that could not be added and of later text nothing is lost', async ({ page, alerts }) => {
  await openDashboard(page)
  await force(page, 'POST /list/addTask', serverError)
  await addByDialog(page, { ...draft, title: 'first' })
  await expect.poll(() => alerts.length).toBe(1)
  await fillTask(addDialog(page), { ...draft, title: 'second' })
  const release = await hold(page, 'POST /list/addTask')
  await submit(page)
  await title(page).fill('changed')
  release()
  await expect.poll(() => alerts.length).toBe(2)
  await press(page, 'Restore what I typed')
  await expect(title(page)).toHaveValue('second')
  await title(page).fill('second again')
  await openDashboard(page)
  await open(page)
  for (const kept of ['second again', 'changed', 'first']) {
    await expect(offer(page)).toContainText(kept)
    await press(page, 'Discard')
  }
  await expect(offer(page)).toBeHidden()

  await test.step('A task that could not be added is kept while another one is typed', async () => {
    await fillTask(addDialog(page), draft)
    await submit(page)
    await expect.poll(() => alerts.length).toBe(3)
    await title(page).fill('another')
    await openDashboard(page)
    await open(page)
    await expect(offer(page)).toContainText('another')
    await press(page, 'Discard')
    await expect(offer(page)).toContainText(draft.title)
  })
})

test('After the end of a session the login says so, and offers drafts again', async ({ page, user }) => {
  const ended = page.getByText('Your session has ended. Log in again.')
  const email = page.getByLabel('Email', { exact: true })
  await test.step('A visitor who never had a session gets no message that one has ended', async () => {
    await page.goto('/about')
    await page.evaluate(() => localStorage.clear())
    await page.goto('/dashboard')
    await expect(page).toHaveURL('/login')
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    await expect(ended).toBeHidden()
  })
  await logIn(page, user)
  await open(page)
  await title(page).fill('half a thought')
  await page.keyboard.press('Escape')
  await caller(new URL(page.url()).origin, (await storedToken(page)) ?? '')('POST', '/user/logout')
  await expect(page).toHaveURL('/login')
  for (const reload of [true, true, false]) {
    await expect(ended).toBeVisible()
    // Until it has its value, a field is not filled in: the value would be added to what is typed.
    await expect(email).toHaveValue(user.email)
    if (reload) await page.reload()
  }

  await logIn(page, user)
  await open(page)
  await expect(offer(page)).toContainText('half a thought')
  await press(page, 'Discard')
  await page.keyboard.press('Escape')
  await logOut(page)
  await expect(page).toHaveURL('/')
  await page.goto('/login')
  await expect(email).toHaveValue('')
  await expect(ended).toHaveCount(0)
})

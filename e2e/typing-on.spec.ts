import type { Locator } from '@playwright/test'
import { open } from './add-dialog.ts'
import { force, hold } from './calls.ts'
import {
  addDialog,
  card,
  chip,
  editButton,
  editDialog,
  enterLine,
  fillTask,
  openDashboard,
  quickLine,
} from './dashboard-page.ts'
import { day, expect, signedInTest as test } from './fixtures.ts'

/** Expects that each part begins below the one before, as soon as all of them are shown. */
async function expectOrder(parts: Locator[]) {
  await expect(async () => {
    const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())?.y ?? 0))
    expect(tops).toEqual(tops.toSorted((one, other) => one - other))
  }).toPass()
}

test('What appears during typing takes no text, and Tab leads from field to field', async ({ page }) => {
  await openDashboard(page)
  await open(page)
  const dialog = addDialog(page)
  const title = dialog.getByLabel('Title', { exact: true })
  const body = dialog.getByLabel('Body', { exact: true })
  const offer = dialog.getByRole('button', { name: /^Use / })
  const { keyboard } = page
  await title.focus()
  await keyboard.type('Call Ann friday')
  await expect(offer).toBeVisible()
  await expect(
    dialog.getByRole('status').filter({ hasText: /a button after the fields fills it in$/ }),
  ).toHaveCount(1)
  await keyboard.press('Tab')
  await keyboard.type('bring the keys, see [the list](note:0b4c1c8e-5a3e-4a55-9d8f-3f1f9f2d7c11)')
  const links = dialog.getByRole('list', { name: 'Links' })
  await expect(links).toBeVisible()
  await test.step('What is offered during typing is shown at the field that it is about', () => {
    const dueDate = dialog.getByLabel('Due Date', { exact: true })
    return expectOrder([title, offer, body, links, dueDate, dialog.getByRole('button', { name: 'Cancel' })])
  })
  await expect(title).toHaveValue('Call Ann friday')
  await expect(body).toHaveValue(/^bring the keys, see/)
  await keyboard.press('Tab')
  await expect(dialog.getByLabel('Due Date', { exact: true })).toBeFocused()

  await dialog.getByLabel('Remind me', { exact: true }).focus()
  await keyboard.press('Tab')
  await expect(offer).toBeFocused()
  await keyboard.press('Enter')
  await expect(title).toHaveValue('Call Ann')
  await expect(title).toBeFocused()
  await expect(dialog.getByLabel('Due Date', { exact: true })).not.toHaveValue('')
  await keyboard.press('Escape')

  await quickLine(page).focus()
  await keyboard.type('Call Ann friday')
  await expect(chip(page, /^Due .*, remove$/)).toBeVisible()
  await keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'What you can type here' })).toBeFocused()
  await keyboard.press('Tab')
  await expect(chip(page, /^Due .*, remove$/)).toBeFocused()
})

test('Somebody who types on during a clash goes from field to field by Tab', async ({ page, user }) => {
  const task = await user.add({ title: 'Paint the mark', body: 'White.' })
  await openDashboard(page)
  await editButton(page, task.title).click()
  const dialog = editDialog(page)
  const field = (label: string) => dialog.getByLabel(label, { exact: true })
  await user.edit(task, { title: 'Paint elsewhere', body: 'Red.', dueDate: day(1), priority: 'high' })
  const release = await hold(page, 'PUT /list/updateTask/:id')
  await fillTask(dialog, { body: 'Blue.', dueDate: day(2), priority: 'medium' })
  await field('Title').fill('Paint')
  const { keyboard } = page
  await keyboard.press('ControlOrMeta+Enter')
  await keyboard.type(' it')
  release()
  await expect(dialog.getByRole('group')).toHaveCount(4)
  await keyboard.type(' all')
  await keyboard.press('Tab')
  await keyboard.type(' White and then red.')
  await expect(field('Title')).toHaveValue('Paint it all')
  await expect(field('Body')).toHaveValue('Blue. White and then red.')
  await keyboard.press('Tab')
  await expect(field('Due Date')).toBeFocused()
  await field('Remind me').focus()
  await keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: 'Keep this one (title)' })).toBeFocused()

  const clash = (name: string) => dialog.getByRole('group', { name: `Changed elsewhere (${name})` })
  const pair = [field('Due Date'), clash('due date'), clash('priority')]
  await expectOrder([field('Title'), clash('title'), field('Body'), clash('body'), ...pair])
})

test('The question before a logout opens over nothing that is typed meanwhile', async ({ page }) => {
  await openDashboard(page)
  await force(page, 'POST /changes', 'dropped')
  const release = await hold(page, 'POST /changes')
  await enterLine(page, 'Buy milk')
  await expect(card(page, 'Buy milk')).toBeVisible()
  const logout = page.getByRole('button', { name: 'Logout' })
  // At once: the wait ends after two seconds.
  await logout.evaluate((button: HTMLElement) => {
    button.click()
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'C' }))
  })
  await quickLine(page).pressSequentially('Call')
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/changes'))
  release()
  await failed
  await page.keyboard.type(' Ann')
  const question = page.getByRole('dialog', { name: 'Log out and discard?' })
  await expect(question).toHaveCount(0)
  await expect(quickLine(page)).toHaveValue('Call Ann')
  await logout.click()
  await expect(question).toContainText('Call Ann')
})

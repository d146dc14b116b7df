import { open } from './add-dialog.ts'
import { addDialog, chip, openDashboard, quickLine } from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'

test('What appears during typing takes no typed text: Tab leads from a field to the next field, and to what appeared after the last', async ({
  page,
}) => {
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
  await expect(dialog.getByRole('list', { name: 'Links' })).toBeVisible()
  await expect(title).toHaveValue('Call Ann friday')
  await expect(body).toHaveValue(/^bring the keys, see/)
  await keyboard.press('Tab')
  await expect(dialog.getByLabel('Due Date', { exact: true })).toBeFocused()

  await dialog.getByLabel('Priority', { exact: true }).focus()
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

test('What is offered during typing is shown at the field that it is about', async ({ page }) => {
  await openDashboard(page)
  await open(page)
  const dialog = addDialog(page)
  await dialog.getByLabel('Title', { exact: true }).fill('Call Ann friday')
  await dialog
    .getByLabel('Body', { exact: true })
    .fill('[the list](note:0b4c1c8e-5a3e-4a55-9d8f-3f1f9f2d7c11)')
  const parts = [
    dialog.getByLabel('Title', { exact: true }),
    dialog.getByRole('button', { name: /^Use / }),
    dialog.getByLabel('Body', { exact: true }),
    dialog.getByRole('list', { name: 'Links' }),
    dialog.getByLabel('Due Date', { exact: true }),
    dialog.getByRole('button', { name: 'Cancel' }),
  ]
  const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())?.y ?? 0))
  expect(tops).toEqual(tops.toSorted((one, other) => one - other))
})

import type { Page } from '@playwright/test'
import { recordCalls, settle } from './calls.ts'
import {
  addDialog,
  card,
  editButton,
  editDialog,
  fillTask,
  openDashboard,
  quickLine,
  undoBar,
} from './dashboard-page.ts'
import { day, expect, signedInTest as test } from './fixtures.ts'
import { holdFile } from './notes-page.ts'

const list = (page: Page) => page.getByRole('listbox', { name: 'Tags' })
const tags = (page: Page) => list(page).getByRole('option')
const chosen = (page: Page) => list(page).getByRole('option', { selected: true })

test.beforeEach(async ({ page, user }) => {
  await user.add({ title: 'Sweep #home', body: 'and #Höhle' })
  for (const title of ['Paint #home', 'Report #work']) await user.add({ title })
  await openDashboard(page, 'Report #work')
})

test('In the line arrow keys choose a tag, Enter or Tab puts it in, and Enter adds', async ({ page }) => {
  await test.step('The list comes once it has loaded, if a # was typed before', async () => {
    const { arrive } = await holdFile(page, 'rest')
    await openDashboard(page, 'Report #work')
    await quickLine(page).pressSequentially('a #w')
    await expect(list(page)).toHaveCount(0)
    arrive()
    await expect(tags(page)).toHaveText(['#work'])
    await quickLine(page).fill('')
    await page.unrouteAll()
  })
  await test.step('The list comes with a # and goes when the caret leaves the tag', async () => {
    await quickLine(page).focus()
    await page.keyboard.type('a')
    await expect(quickLine(page)).toHaveValue('a')
    await expect(list(page)).toHaveCount(0)
    await page.keyboard.type(' #w')
    await expect(list(page)).toBeVisible()
    await page.keyboard.press('Home')
    await expect(list(page)).toHaveCount(0)
    await page.keyboard.press('End')
    await page.keyboard.type('o')
    await expect(list(page)).toBeVisible()
    await page.keyboard.type('rk ')
    await expect(list(page)).toHaveCount(0)
    await quickLine(page).fill('')
  })
  await test.step('A tag that is composed by an input method is completed only after its end', async () => {
    await quickLine(page).focus()
    await page.keyboard.type('#h')
    await expect(list(page)).toBeVisible()
    const client = await page.context().newCDPSession(page)
    await client.send('Input.imeSetComposition', { text: 'o', selectionStart: 1, selectionEnd: 1 })
    await expect(list(page)).toHaveCount(0)
    await client.send('Input.insertText', { text: 'o' })
    await expect(quickLine(page)).toHaveValue('#ho')
    await expect(tags(page)).toHaveText(['#home', '#Höhle'])
  })
  await quickLine(page).fill('')
  await quickLine(page).focus()
  await page.keyboard.type('Mop #')
  await expect(tags(page)).toHaveText(['#home', '#Höhle', '#work'])
  await page.keyboard.type('HO')
  await expect(tags(page)).toHaveText(['#home', '#Höhle'])
  await page.keyboard.press('ArrowDown')
  await expect(chosen(page)).toHaveText('#home')
  await expect(quickLine(page)).toBeFocused()
  await expect(quickLine(page)).toHaveAttribute(
    'aria-activedescendant',
    (await chosen(page).getAttribute('id')) ?? '',
  )
  await page.keyboard.press('Enter')
  await expect(list(page)).toHaveCount(0)
  await expect(quickLine(page)).toHaveValue('Mop #home')
  await page.keyboard.type(' #h')
  await page.keyboard.press('ArrowUp')
  await expect(chosen(page)).toHaveText('#Höhle')
  await page.keyboard.press('Tab')
  await expect(quickLine(page)).toHaveValue('Mop #home #Höhle')
  await expect(quickLine(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(card(page, 'Mop #home #Höhle')).toBeVisible()
  await test.step('Enter adds the typed text if no tag was chosen', async () => {
    await quickLine(page).focus()
    await page.keyboard.type('Mop #ho')
    await expect(list(page)).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(undoBar(page)).toContainText('Added “Mop #ho”')
    await expect(card(page, 'Mop #ho')).toBeVisible()
    await expect(list(page)).toHaveCount(0)
  })
})

test('In a dialog Escape closes the list, then the dialog; a click chooses', async ({ page, alerts }) => {
  await page.keyboard.press('n')
  await fillTask(addDialog(page), { dueDate: day(0), priority: 'low' })
  await addDialog(page).getByLabel('Title', { exact: true }).focus()
  await page.keyboard.type('Mop #wo')
  await expect(tags(page)).toHaveText(['#work'])
  await page.keyboard.press('Escape')
  await expect(list(page)).toHaveCount(0)
  await expect(addDialog(page)).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.type('in the #h')
  await tags(page).filter({ hasText: '#home' }).click()
  await expect(addDialog(page).getByLabel('Body', { exact: true })).toBeFocused()
  await expect(addDialog(page).getByLabel('Body', { exact: true })).toHaveValue('in the #home')
  await test.step('The undo of the browser takes the chosen tag back', async () => {
    await page.keyboard.press('Control+z')
    await expect(addDialog(page).getByLabel('Body', { exact: true })).toHaveValue('in the #h')
    await page.keyboard.press('Control+Shift+z')
    await expect(addDialog(page).getByLabel('Body', { exact: true })).toHaveValue('in the #home')
  })
  const calls = recordCalls(page)
  await page.keyboard.press('Control+Enter')
  await expect(addDialog(page)).toBeHidden()
  await settle(page, calls)
  expect(alerts).toEqual(['Task added successfully!'])
  expect(calls.find(({ call }) => call === 'POST /list/addTask')?.body).toMatchObject({
    title: 'Mop #wo',
    body: 'in the #home',
  })
  await editButton(page, 'Paint #home').click()
  await editDialog(page).getByLabel('Body', { exact: true }).focus()
  await page.keyboard.type('#w')
  await expect(list(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(editDialog(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(editDialog(page)).toBeHidden()
})

import type { Page } from '@playwright/test'
import { apiBase } from '#contract/limits.ts'
import { card, openDashboard, pasteLines } from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import { holdFile } from './notes-page.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Import', exact: true })

async function openImport(page: Page) {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to or do…' }).fill('import')
  await page.keyboard.press('Enter')
  await expect(dialogOf(page)).toBeVisible()
}

async function choose(page: Page, name: string, text: string) {
  const chosen = page.waitForEvent('filechooser')
  await dialogOf(page).getByRole('button', { name: 'Choose files' }).press('Enter')
  await (await chosen).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
}

/** Drags a file over the page, and drops it once the page takes it. */
async function drop(page: Page, name: string, text: string) {
  const dragged = (type: string) =>
    page.evaluate(
      ([type, name, text]) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([text], name))
        const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
        return !document.body.dispatchEvent(event)
      },
      [type, name, text] as const,
    )
  await dragged('dragenter')
  await expect.poll(() => page.evaluate(() => window.ondrop !== null)).toBe(true)
  expect(await dragged('dragover')).toBe(true)
  await dragged('drop')
}

const row = (page: Page, name: RegExp) => dialogOf(page).getByRole('row', { name })

test('A table that is dropped is shown line by line, corrected and added once', async ({ page, user }) => {
  const text =
    'Title,Due,Priority,Project,Where\nMow the lawn,3/4/2027,high,House,Lisbon\nPay the rent,4/4/2027,,House,\nSwim,someday soon,low,,\n'
  await openDashboard(page)
  await drop(page, 'tasks.csv', text)
  const dialog = dialogOf(page)
  await expect(
    row(page, /^Row 2 Mow the lawn Where was left out: Lisbon\. Task HIGH Due .*Apr.* #House$/),
  ).toBeVisible()
  await expect(row(page, /^Row 4 Swim This is not a day .* LOW$/)).toBeVisible()

  await test.step('It is corrected before anything is added', async () => {
    await dialog.getByLabel('Days such as 3/4/2026').selectOption('The month comes first: March 4')
    await expect(row(page, /^Row 2 .* Mar/)).toBeVisible()
    await dialog.getByText('Tags of projects and lists').click()
    await dialog.getByLabel('House (2)').fill('home')
    await dialog.getByText('Priorities').click()
    await dialog.getByLabel('High becomes').selectOption('Low')
    await expect(row(page, /^Row 2 .* LOW Due .* #home$/)).toBeVisible()
    await dialog.getByLabel('Lines with these words').fill('lisbon')
    await expect(dialog.getByRole('row')).toHaveCount(2)
    expect(await user.list('getLatestTasks')).toEqual([])
  })
  await dialog.getByRole('button', { name: 'Import 3' }).press('Enter')
  await expect(dialog.getByText('3 added, 0 already there, 0 restored.')).toBeVisible()
  expect(await user.list('getLatestTasks')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        title: 'Mow the lawn #home',
        dueDate: '2027-03-04',
        body: '',
        priority: 'low',
      }),
      expect.objectContaining({ title: 'Swim', dueDate: null, body: 'Due: someday soon' }),
    ]),
  )
  await test.step('A file that cannot be read gets a sentence, and the same file adds nothing', async () => {
    await dialog.getByRole('button', { name: 'Import another file' }).press('Enter')
    await choose(page, 'bad.csv', 'Title,Notes\nSwim,"never closed\n')
    await expect(dialog.getByRole('alert')).toHaveText(
      'A quotation mark is never closed. It begins in row 2, column 2 of bad.csv.',
    )
    await choose(page, 'tasks.csv', text)
    await dialog.getByRole('button', { name: 'Import 3' }).press('Enter')
    await expect(dialog.getByText('0 added, 3 already there, 0 restored.')).toBeVisible()
  })
  await dialog.getByRole('button', { name: 'Close' }).last().press('Enter')
  await page.keyboard.press('2')
  await expect(card(page, 'Mow the lawn #home')).toBeVisible()
  await test.step('A list with lists inside that is pasted into the quick line is shown like a file', async () => {
    await page.keyboard.press('1')
    await pasteLines(page, '- Garden\n  - [ ] Sow\n  - [x] Rake')
    await expect(row(page, /^Row 1 Garden Task/)).toBeVisible()
    await expect(row(page, /^Row 3 Rake Checkbox of a task$/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
    await expect(dialog).toBeHidden()
  })
})

test('Before their parts are there, a dropped file does not replace the page, and Escape ends an import', async ({
  page,
}) => {
  const rest = await holdFile(page, 'rest')
  await openDashboard(page)
  const { defaultPrevented, dropEffect } = await page.evaluate(() => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([''], 'tasks.csv'))
    const event = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true })
    document.body.dispatchEvent(event)
    return { defaultPrevented: event.defaultPrevented, dropEffect: dataTransfer.dropEffect }
  })
  expect([defaultPrevented, dropEffect]).toEqual([true, 'none'])
  rest.arrive()
  const importing = await holdFile(page, 'importing')
  const account = page.getByRole('button', { name: 'Account', exact: true })
  await account.click()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(account).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const loaded = page.waitForResponse(/assets\/importing-.*\.js/)
  importing.arrive()
  await loaded
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Account' })).toBeVisible()
  await expect(dialogOf(page)).toHaveCount(0)
})

test('A cancelled import goes on after a reload and is undone', async ({ page, user }) => {
  const text = `Title\n${Array.from({ length: 450 }, (_, index) => `Task ${index}\n`).join('')}`
  await openDashboard(page)
  await openImport(page)
  const dialog = dialogOf(page)
  await choose(page, 'tasks.csv', text)
  let calls = 0
  // The second call gets no answer.
  await page.route(`**${apiBase}/import`, (route) =>
    route.request().method() === 'POST' && calls++ === 1 ? undefined : route.continue(),
  )
  await dialog.getByRole('button', { name: 'Import 450' }).press('Enter')
  await expect(dialog.getByRole('progressbar', { name: 'Import' })).toHaveAttribute('value', '200')
  await dialog.getByRole('button', { name: 'Cancel the import' }).press('Enter')
  await expect(dialog.getByText('200 added, 0 already there, 0 restored.')).toBeVisible()

  await test.step('The same file goes on as the same import', async () => {
    await openDashboard(page)
    await openImport(page)
    await expect(dialog).toContainText('did not end. The same file goes on where it stopped.')
    await choose(page, 'tasks.csv', text)
    await dialog.getByRole('button', { name: 'Import 450' }).press('Enter')
    await expect(dialog.getByText('450 added, 0 already there, 0 restored.')).toBeVisible()
  })
  const [first] = await user.list('getLatestTasks')
  if (first) await user.edit(first, { title: 'Changed since' })
  await dialog.getByRole('button', { name: 'Undo the import' }).press('Enter')
  await expect(dialog.getByText('449 taken back. One that was changed since stays as it is.')).toBeVisible()
  expect(await user.titles()).toEqual(['Changed since'])
})

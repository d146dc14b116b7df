import { force } from './calls.ts'
import {
  card,
  cards,
  deleteButton,
  openDashboard,
  panelTitle,
  sidebar,
  sidebarButton,
  undoBar,
} from './dashboard-page.ts'
import { day, expect } from './fixtures.ts'
import { editor, notePane, notePath, notesList, notesTest as test } from './notes-page.ts'

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length

test('A printed view has all its tasks, also folded ones, and nothing floats', async ({ page, user }) => {
  for (let index = 1; index <= 8; index++) await user.add({ title: `Overdue ${index}`, dueDate: day(-index) })
  for (let index = 1; index <= 11; index++) await user.add({ title: `Today ${index}` })
  await user.add({ title: 'Today 12', body: `The fern first.\n${'- [ ] Tent\n'.repeat(6)}` })
  await openDashboard(page)
  await deleteButton(page, 'Today 11').click()
  await expect(undoBar(page)).toBeVisible()
  await expect(cards(page)).toHaveCount(14)
  await sidebarButton(page, 'Add Task').click()
  await page.emulateMedia({ media: 'print' })
  await expect(cards(page)).toHaveCount(19)
  await expect(card(page, 'Today 12').getByText('0 of 6')).toBeVisible()
  await expect(panelTitle(page)).toBeVisible()
  await expect(card(page, 'Today 12').getByText('The fern first.')).toBeVisible()
  for (const gone of [undoBar(page), sidebar(page), page.getByRole('banner')]) await expect(gone).toBeHidden()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button')).toHaveText(['0 of 6'])
  await expect(cards(page).getByRole('heading').first()).toHaveCSS('color', 'rgb(22, 34, 43)')
  await expect(page.locator('.toast-layer:visible')).toHaveCount(0)
  // Twenty lines of text and their spaces fit on one page.
  expect(pagesOf(await page.pdf({ format: 'A4' }))).toBe(1)
  await page.emulateMedia({ media: 'screen' })
  await expect(cards(page)).toHaveCount(14)
  await page.emulateMedia({ media: 'print' })
  await page.goto('/dashboard?list=upcoming')
  for (const line of ['Overdue8', 'Today11'])
    await expect(page.getByText(line, { exact: true })).toBeVisible()
})

test('A list of several pages is printed whole, or says that it goes on', async ({ page, user, notes }) => {
  await Promise.all(Array.from({ length: 120 }, (_, index) => user.add({ title: `Task ${index}` })))
  await page.addInitScript(() => {
    window.print = () =>
      document.body.setAttribute('data-printed', String(document.querySelectorAll('article').length))
  })
  await force(page, 'GET /changes', { status: 404 })
  await page.goto('/dashboard?list=latest')
  await expect(cards(page)).toHaveCount(50)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText('The list goes on.')).toBeVisible()
  await page.emulateMedia({ media: 'screen' })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/getLatestTasks?*cursor=*', (route) => released.then(() => route.continue()))
  await page.keyboard.press('Control+p')
  await expect(page.getByText('Loading the whole list to print it …')).toBeVisible()
  release()
  await expect(page.locator('body')).toHaveAttribute('data-printed', '120')

  await Promise.all(Array.from({ length: 51 }, (_, index) => notes.add(`Note ${index}`)))
  await page.unrouteAll()
  await page.emulateMedia({ media: 'print' })
  await page.goto('/dashboard?list=latest')
  await expect(cards(page)).toHaveCount(120)
  await page.goto('/dashboard/notes')
  await expect(notesList(page).getByRole('listitem')).toHaveCount(51)
  await expect(page.getByText('The list goes on.')).toHaveCount(0)
})

test('A printed note is whole, in its reading view, without the frame', async ({ page, notes }) => {
  const rows = Array.from({ length: 400 }, (_, index) => `- [ ] row ${index + 1} **bold**`)
  await notes.add('Another note')
  const { _id: id } = await notes.add(`Rows\n\n${rows.join('\n')}`)
  await page.goto(notePath(id))
  await expect(editor(page)).toContainText('row 1')
  await test.step('The printed view is rendered when the browser asks for it', async () => {
    // The browser takes the page as it is when the event has been handled.
    const printed = await page.evaluate(async () => {
      window.dispatchEvent(new Event('beforeprint'))
      await Promise.resolve()
      return document.querySelector('.print-only')?.textContent
    })
    expect(printed).toContain('row 400')
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await expect(page.locator('.print-only')).toHaveCount(0)
  })
  await page.emulateMedia({ media: 'print' })
  const items = notePane(page).getByRole('listitem')
  await expect(items).toHaveCount(400)
  await expect(items.last()).toHaveText('row 400 bold')
  await expect(items.last()).toBeVisible()
  await expect(notesList(page)).toBeHidden()
  await expect(notePane(page).getByText('Saved', { exact: true })).toBeHidden()
  await expect(editor(page)).toBeHidden()
  expect(pagesOf(await page.pdf({ format: 'A4' }))).toBeGreaterThan(5)
  await page.emulateMedia({ media: 'screen' })
  await expect(items).toHaveCount(0)
  await expect(editor(page)).toBeVisible()
})

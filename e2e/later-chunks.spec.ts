import { card, moveButton, openDashboard, panelTitle, sidebar } from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import { notesOf } from './notes-page.ts'

test('Without a connection, notes that were not opened before say so, and the rest of the dashboard works', async ({
  page,
  user,
}) => {
  await user.add({ title: 'Water the plants' })
  await page.route('**/assets/notes-panel-*', (route) => route.abort('internetdisconnected'))
  await openDashboard(page)
  await page.keyboard.press('6')
  const tryAgain = page.getByRole('button', { name: 'Try again' })
  await expect(page.getByRole('main')).toContainText('This part of the page could not be loaded.')
  await expect(panelTitle(page)).toHaveText('Notes')
  await tryAgain.click()
  await expect(tryAgain).toBeVisible()
  await page.keyboard.press('1')
  await expect(card(page, 'Water the plants')).toBeVisible()

  await page.keyboard.press('6')
  await expect(tryAgain).toBeVisible()
  await page.unrouteAll()
  await tryAgain.click()
  await expect(page.getByRole('button', { name: 'Write a note' })).toBeVisible()
  await expect(page.locator('.notes-list-head')).toHaveCSS('display', 'flex')
  await expect(sidebar(page).getByRole('button', { name: 'Notes' })).toHaveAttribute('aria-current', 'true')
})

test('A dialog whose parts could not be loaded has its styles when it is opened again', async ({
  page,
  user,
}) => {
  await user.add({ title: 'Water the plants' })
  await page.route('**/assets/planning-dialogs-*', (route) => route.abort('internetdisconnected'))
  await openDashboard(page)
  await moveButton(page, 'Water the plants').click()
  await expect(page.getByRole('dialog', { name: 'Not loaded' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.unrouteAll()
  await moveButton(page, 'Water the plants').click()
  await expect(page.getByRole('dialog', { name: 'Move' })).toBeVisible()
  await expect(page.locator('.day-choice')).toHaveCSS('display', 'grid')
})

test('Without the part that shows the notes of a search, the tasks are shown, and the notes can be loaded again', async ({
  page,
  user,
  server,
}) => {
  await user.add({ title: 'Water the plants' })
  await notesOf(server, user).add('Water butt')
  await page.route('**/assets/found-notes-*', (route) => route.abort('internetdisconnected'))
  await page.goto('/dashboard?search=water')
  await expect(card(page, 'Water the plants')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText(
    'Notes were found. This part of the page could not be loaded.',
  )
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  const note = page.getByRole('link', { name: 'Water butt' })
  await expect(note).toBeVisible()
  await expect(note).toHaveCSS('display', 'block')
  await expect(card(page, 'Water the plants')).toBeVisible()
})

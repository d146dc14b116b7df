import { force, hold, intercept, recordCalls, serverError, settle } from './calls.ts'
import {
  card,
  cards,
  chip,
  deleteButton,
  editButton,
  editDialog,
  fillTask,
  openDashboard,
  openList,
  panelTitle,
  quickLine,
  ring,
  sidebar,
  sidebarButton,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { day, expect, expectToasts } from './fixtures.ts'
import { editor, notesTest as test } from './notes-page.ts'

type Page = Parameters<typeof openDashboard>[0]
const box = (page: Page) => page.getByRole('searchbox', { name: 'Search', exact: true })
const marks = (page: Page) => page.locator('mark').allTextContents()

test('Slash opens the search, which finds tasks during typing and marks words', async ({ page, user }) => {
  await user.add({ title: 'Buy crème fraîche', body: 'at the market', dueDate: day(30) })
  for (const title of ['Creme the cake', 'Unrelated']) await user.add({ title })
  await openDashboard(page)
  await ring(page, 'Creme the cake').click()
  await expect(undoBar(page)).toContainText('Completed')
  // Until its card has left, it is shown as it was.
  await expect(card(page, 'Creme the cake')).toHaveCount(0)
  await page.keyboard.press('/')
  await expect(box(page)).toBeFocused()
  await page.keyboard.type('CREM')
  await expect(page).toHaveURL('/dashboard?search=CREM')
  await expect(page.locator('mark')).toHaveCount(2)
  await expect.poll(() => titlesOf(page)).toEqual(['Buy crème fraîche', 'Creme the cake'])
  await expect.poll(() => marks(page)).toEqual(['crèm', 'Crem'])
  await expect(ring(page, 'Creme the cake')).toBeChecked()
  await page.keyboard.type(' ark')
  await expect(cards(page)).toHaveCount(1)
  await expect(page.locator('mark')).toHaveCount(2)
  await expect.poll(() => marks(page)).toEqual(['crèm', 'ark'])
  await expect(box(page)).toHaveValue('CREM ark')
})

test('A search is one history entry, survives a reload, and Escape leaves it', async ({ page, user }) => {
  await user.add({ title: 'Water the plants', dueDate: day(30) })
  await openDashboard(page)
  await page.keyboard.press('2')
  await expect(panelTitle(page)).toHaveText('Recent')
  await page.keyboard.press('/')
  await page.keyboard.type('w')
  await expect(page).toHaveURL('/dashboard?list=latest&search=w')
  await page.keyboard.type('ater')
  await expect(page).toHaveURL('/dashboard?list=latest&search=water')
  await page.reload()
  await expect(card(page, 'Water the plants')).toBeVisible()
  await expect(box(page)).toHaveValue('water')
  await expect(sidebarButton(page, 'Latest')).not.toHaveAttribute('aria-current', 'true')
  await page.goBack()
  await expect(panelTitle(page)).toHaveText('Recent')
  await expect(box(page)).toHaveValue('')
  await page.goForward()
  await expect(panelTitle(page)).toHaveText('Search results')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/dashboard?list=latest')
  await expect(box(page)).toHaveValue('')
  await page.goBack()
  await openList(page, 'Latest')
  await test.step('The search works by keyboard: from the field to the first task and with Escape back to the list', async () => {
    await openDashboard(page)
    await page.keyboard.press('/')
    await page.keyboard.type('wat')
    await expect(panelTitle(page)).toHaveText('Search results')
    await expect(card(page, 'Water the plants').locator('mark')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(card(page, 'Water the plants')).toBeFocused()
    await page.keyboard.press('x')
    await expect(ring(page, 'Water the plants')).toBeChecked()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL('/dashboard')
    await expect(panelTitle(page)).toHaveText("Today's Tasks")
  })
  await test.step('A list that is chosen before the pause in typing is over stays, and Back leads to the search', async () => {
    await openDashboard(page)
    await box(page).focus()
    await page.evaluate(async () => {
      const field = document.activeElement as HTMLInputElement
      field.value = 'water'
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      const pause = new Promise((over) => setTimeout(over, 200))
      const latest = document.querySelector<HTMLElement>('[aria-label=Sidebar] [data-key="2"]')
      latest?.focus()
      latest?.click()
      await pause
    })
    await expect(page).toHaveURL('/dashboard?list=latest')
    await expect(panelTitle(page)).toHaveText('Recent')
    await page.goBack()
    await expect(page).toHaveURL('/dashboard?search=water')
    await expect(panelTitle(page)).toHaveText('Search results')
  })
})

test('Typing a search scrolls nothing, and Back returns to where the reader was', async ({ page, user }) => {
  await Promise.all(Array.from({ length: 30 }, (_, number) => user.add({ title: `task ${number}` })))
  await openDashboard(page, 30)
  await page.evaluate(() => window.scrollTo(0, 600))
  for (const leave of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
    await page.keyboard.press('/')
    await page.keyboard.type('task 2')
    await expect(panelTitle(page)).toHaveText('Search results')
    await leave()
    await expect(panelTitle(page)).toHaveText("Today's Tasks")
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(600)
  }

  await test.step('Back before the pause in typing is over stays in the view that it leads to', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('task 2')
    await expect(page).toHaveURL('/dashboard?search=task+2')
    await page.evaluate(async () => {
      const field = document.activeElement as HTMLInputElement
      field.value = 'task 29'
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      history.back()
      await new Promise((over) => setTimeout(over, 200))
    })
    await expect(page).toHaveURL('/dashboard')
    await expect(panelTitle(page)).toHaveText("Today's Tasks")
    await expect(box(page)).toHaveValue('')
  })
})

test('A found task can be changed, and one that no longer matches leaves', async ({ page, user }) => {
  for (const title of ['Water one', 'Water two', 'Water three']) await user.add({ title })
  await page.goto('/dashboard?search=water')
  await expect(cards(page)).toHaveCount(3)
  const calls = recordCalls(page)
  await ring(page, 'Water two').click()
  await expect(undoBar(page)).toContainText('Completed “Water two”')
  await expect(ring(page, 'Water two')).toBeChecked()
  expect(await titlesOf(page)).toEqual(['Water three', 'Water two', 'Water one'])
  await expect(card(page, 'Water two')).toHaveCSS('opacity', '1')
  await editButton(page, 'Water three').click()
  await fillTask(editDialog(page), { title: 'Dry' })
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(cards(page)).toHaveCount(2)
  // By its key: the card can still move while a pointer is pressed.
  await deleteButton(page, 'Water one').press('Enter')
  await expect(cards(page)).toHaveCount(1)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(cards(page)).toHaveCount(2)
  await settle(page, calls)
  expect(calls.filter(({ call }) => call.startsWith('GET'))).toEqual([])
})

test('A search follows the changes of other tabs and devices', async ({ page, context, user, notes }) => {
  await user.add({ title: 'Water one' })
  await page.goto('/dashboard?search=water')
  await expect(cards(page)).toHaveCount(1)
  const tab = await context.newPage()
  await openDashboard(tab)
  await user.add({ title: 'Water two' })
  await expect(cards(page)).toHaveCount(2)
  await deleteButton(tab, 'Water one').click()
  await expect(cards(page)).toHaveCount(1)
  expect(await titlesOf(page)).toEqual(['Water two'])
  await expectToasts(page, [])
  const [task] = await user.list('getLatestTasks')
  if (task) await user.remove(task)
  const { _id } = await notes.add('Water butt')
  await expect(foundNote(page, 'Water butt')).toBeVisible()
  await expect(page.getByText('1 note found', { exact: true })).toBeAttached()
  await expect(page.getByRole('heading', { level: 2 })).toHaveCount(0)
  await notes.add('Water bill')
  await expect(foundNote(page, 'Water bill')).toBeVisible()
  await notes.change(_id, { deleted: true })
  await expect(foundNote(page, 'Water butt')).toHaveCount(0)
})

test('The search says if nothing was typed, nothing was found, or it failed', async ({ page, user }) => {
  await user.add({ title: 'Water' })
  const stream = page.waitForResponse((response) => response.url().endsWith('/changes/stream'))
  await page.goto('/dashboard?search=')
  await expect(page.getByText('Type a word from a title or a body')).toBeVisible()
  await box(page).fill('<b>100%</b>')
  await expect(page.getByText('No task or note contains “<b>100%</b>”', { exact: true })).toBeVisible()
  // The page holds all tasks now.
  await stream
  await force(page, 'GET /search', serverError)
  await box(page).fill('wat')
  const failure = page.getByText(
    'Of notes that are not on this device, only titles and first lines were searched. The disk is on fire.',
  )
  await expect(failure).toBeVisible()
  await user.add({ title: 'Water the plants' })
  await expect(cards(page)).toHaveCount(2)
  await expect(failure).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(failure).toHaveCount(0)
  await expect(cards(page)).toHaveCount(2)
})

test('Tasks of the store are found before the answer, which may come late', async ({ page, user }) => {
  await user.add({ title: 'Renew the passport' })
  await openDashboard(page, 'Renew the passport')
  const release = await hold(page, 'GET /search')
  await box(page).fill('pasport')
  await expect(card(page, 'Renew the passport').locator('mark')).toHaveText('passport')
  await release()
  await expect(page.getByText('Results with one letter changed: passport')).toBeVisible()
  await expect(cards(page)).toHaveCount(1)
  await page.unrouteAll()
  await test.step('An answer that comes late does not replace a later one', async () => {
    for (const title of ['first', 'second']) await user.add({ title })
    await page.goto('/dashboard?search=')
    const calls = recordCalls(page)
    const held = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    await intercept(page, 'GET /search', async (route) => {
      if (route.request().url().includes('fir')) {
        held.resolve()
        await released.promise
      }
      // The page may have cancelled the call by now.
      await route.fallback().catch(() => {})
    })
    await box(page).fill('fir')
    await held.promise
    await box(page).fill('sec')
    await expect(card(page, 'second')).toBeVisible()
    released.resolve()
    await settle(page, calls)
    await expect(card(page, 'second')).toBeVisible()
    await expect(card(page, 'first')).toHaveCount(0)
    await page.unrouteAll()
  })
  await test.step('A word far down in a long body is shown', async () => {
    await user.add({
      title: 'Long',
      body: `${'line\n'.repeat(300)}before the Übergabe after${' and on'.repeat(200)}`,
    })
    await page.goto('/dashboard?search=ubergabe')
    await expect(card(page, 'Long').locator('mark')).toHaveText('Übergabe')
    await expect(card(page, 'Long').locator('mark')).toBeInViewport()
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect(card(page, 'Long')).toContainText('line line')
  })
})

test('Fifty tasks are found, then more on scrolling', async ({ page, user }) => {
  for (let number = 0; number < 60; number++) await user.add({ title: `Task ${number}` })
  await page.goto('/dashboard?search=task')
  await expect(page.getByText('50 tasks found')).toBeAttached()
  await page.mouse.wheel(0, 20_000)
  await expect(cards(page)).toHaveCount(60)
  await test.step('The focus stays on its card when the other hits are added', async () => {
    await page.goto('/dashboard?search=task')
    await expect(cards(page)).toHaveCount(50)
    await card(page, 'Task 20').focus()
    await expect(cards(page)).toHaveCount(60)
    await expect(card(page, 'Task 20')).toBeFocused()
  })
})

test('A tag leads to its place, which renames it everywhere at once', async ({ page, user, notes }) => {
  await user.add({ title: 'Paint #home', body: 'see https://example.org/#top and #1, C#x', dueDate: day(2) })
  await user.add({ title: 'Read', body: 'for #homework' })
  await user.add({ title: 'Sweep', body: 'the yard “#Home”' })
  const { _id: plans } = await notes.add('Plans\n\nfor #home and `#home`')
  await page.goto('/dashboard?list=latest')
  await expect(cards(page).getByRole('link', { name: /^#/ })).toHaveText(['#Home', '#homework', '#home'])
  await cards(page).getByRole('link', { name: '#home', exact: true }).click()
  await expect(page).toHaveURL('/dashboard?tag=home')
  await expect(editDialog(page)).toBeHidden()
  await expect(panelTitle(page)).toHaveText('#home · 2 open')
  expect(await titlesOf(page)).toEqual(['Sweep', 'Paint #home'])
  await expect(foundNote(page, 'Plans')).toBeVisible()
  await quickLine(page).fill('Mop tomorrow')
  await expect(chip(page, 'Due tomorrow')).toBeVisible()
  await quickLine(page).press('Enter')
  await expect(card(page, 'Mop #home')).toBeVisible()
  expect(await titlesOf(page)).toEqual(['Sweep', 'Mop #home', 'Paint #home'])
  await ring(page, 'Sweep').check()
  await expect(panelTitle(page)).toHaveText('#home · 2 open')
  // The tags in use are in the sidebar too.
  const tags = sidebar(page).getByRole('navigation', { name: 'Tags' }).getByRole('link')
  await expect(tags).toHaveText(['#home', '#homework'])
  await expect(tags.first()).toHaveAttribute('aria-current', 'true')

  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename the tag' })
  await expect(dialog).toContainText('#home is renamed in 3 tasks and in the texts of all notes.')
  await dialog.getByLabel('Tag').fill('#1')
  await dialog.getByLabel('Tag').press('Enter')
  await expect(dialog).toContainText('Tag is one word')
  await dialog.getByLabel('Tag').fill('#house/keeping')
  await dialog.getByLabel('Tag').press('Enter')
  await expect(page).toHaveURL('/dashboard?tag=house%2Fkeeping')
  await expect(panelTitle(page)).toHaveText('#house/keeping · 2 open')
  await expect(undoBar(page)).toContainText('Changed 4 items by renaming a tag to #house/keeping')
  await expect(page.getByRole('main')).toBeFocused()
  const text = async () => (await notes.get(plans)).text
  await expect.poll(text).toBe('Plans\n\nfor #house/keeping and `#home`')
  await page.reload()
  await expect(panelTitle(page)).toHaveText('#house/keeping · 2 open')
  await page.getByRole('button', { name: 'Done 1' }).click()
  await expect(card(page, 'Sweep')).toContainText('“#house/keeping”')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(panelTitle(page)).toHaveText('#home · 2 open')
  await expect(undoBar(page)).toContainText('4 items have their earlier tag again')
  await expect.poll(text).toBe('Plans\n\nfor #home and `#home`')
  await expect(tags).toHaveText(['#home', '#homework'])
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('dialog', { name: 'Remove the tag' }).getByRole('button', { name: 'Remove' }).click()
  await expect(panelTitle(page)).toHaveText('#home · 0 open')
  await expect.poll(text).toBe('Plans\n\nfor home and `#home`')
  await tags.last().click()
  await expect(card(page, 'Read')).toBeVisible()
  // The cards of another place leave no gaps, also under the pointer.
  await card(page, 'Read').hover()
  await page.goBack()
  await expect(panelTitle(page)).toHaveText('#home · 0 open')
  expect(await page.locator('[data-gap]').count()).toBe(0)
})

const foundNote = (page: Page, title: string) =>
  page.getByRole('main').getByRole('link', { name: new RegExp(`^${title}`) })

test('A search finds notes too, and opens them where the words are', async ({ page, user, notes }) => {
  await user.add({ title: 'Water the plants' })
  const { _id } = await notes.add(`Garden\n\n${'Dig.\n\n'.repeat(200)}the wäter butt leaks`)
  await notes.add('Unrelated')
  await page.goto('/dashboard?search=water')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Tasks', 'Notes'])
  await expect(foundNote(page, 'Garden').locator('mark')).toHaveText('wäter')
  await expect(page.getByText('1 task and 1 note found')).toBeAttached()
  await foundNote(page, 'Garden').click()
  await expect(page).toHaveURL(`/dashboard/notes/${_id}`)
  await expect(editor(page).getByText('wäter', { exact: true })).toBeInViewport()
  await page.goBack()
  await expect(foundNote(page, 'Garden')).toBeVisible()
  await expect(box(page)).toHaveValue('water')
  await test.step('The arrow keys lead from the search field over the tasks to the notes, and Enter opens one', async () => {
    await box(page).press('ArrowDown')
    await expect(card(page, 'Water the plants')).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(foundNote(page, 'Garden')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/dashboard/notes/${_id}`)
  })
})

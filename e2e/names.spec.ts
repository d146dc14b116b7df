import type { Page } from '@playwright/test'
import { settle } from './calls.ts'
import {
  addDialog,
  card,
  cards,
  chip,
  editButton,
  editDialog,
  moveButton,
  openDashboard,
  panelTitle,
  quickLine,
  ring,
  undoBar,
} from './dashboard-page.ts'
import { day, expect, signedInTest as test } from './fixtures.ts'
import { editor, notesOf } from './notes-page.ts'

/** The roles of elements that a person presses, chooses or types into. The options of a select belong to it. */
const controlRoles = new Set(
  'Date button checkbox combobox link menuitem radio searchbox slider spinbutton switch tab textbox'.split(
    ' ',
  ),
)

/** The accessible names of the controls that are exposed, as Chromium reports them to a screen reader. */
async function controlNames(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  return nodes
    .filter(({ ignored, role }) => !ignored && controlRoles.has(role?.value))
    .map(({ name }) => String(name?.value ?? ''))
}

/** Equal tags and equal links lead to the same place, so their names may repeat. */
const mayRepeat = (name: string) => /^(#|https?:)/.test(name)

/** No two controls share a name, none is without one, and the specified ones have theirs. */
async function expectDistinctNames(page: Page, specified: string[]) {
  let names: string[] = []
  // The controls of the screen before may still be there.
  await expect
    .poll(async () => {
      names = await controlNames(page)
      return names
    })
    .toEqual(expect.arrayContaining(specified))
  names = names.filter((name) => !mayRepeat(name))
  const repeated = names.filter((name, index) => names.indexOf(name) !== index)
  expect(repeated, `at ${page.viewportSize()?.width} px, of ${names.join(' | ')}`).toEqual([])
  expect(names).not.toContain('')
}

const frame = ['Add Task', 'Today', 'Latest', 'Priority', 'Notes', 'Logout']
const frameOfPhone = ['Open menu', 'Logout']
const widths = [1280, 800, 380]

/** The same at each width, in what is on show now; a dialog makes the frame of the page inert. */
async function expectDistinctNamesAtAllWidths(page: Page, specified: string[], isDialog = false) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    // In the second frame everything is laid out anew.
    await settle(page, [])
    const around = width < 768 ? frameOfPhone : frame
    await expectDistinctNames(page, isDialog ? specified : [...around, ...specified])
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

/** Waits until it has faded out: until then the keys of the dashboard do nothing. */
async function closeDialog(page: Page) {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}
const form = ['Title', 'Body', 'Due Date', 'Priority', 'Close', 'Cancel']
const cardOf = (title: string) => [`Complete ${title}`, `Edit ${title}`, `Delete ${title}`]

test('No two controls of a screen share a name, at 1280, 800 and 380 px', async ({ page, server, user }) => {
  const task = await user.add({ title: 'Pay the rent #home', dueDate: day(-3), priority: 'high' })
  await user.add({
    ...{ title: 'Call Ann #home', dueDate: day(-2), priority: 'medium' },
    body: '- [ ] when\n- [ ] where\n#home',
  })
  for (let count = 0; count < 6; count++) await user.add({ title: `Old task ${count}`, dueDate: day(-1) })
  await user.add({ title: 'Water the plants', body: 'See https://example.org and https://example.org' })
  await user.add({ title: 'Book a table', dueDate: day(1) })
  await user.remove(await user.add({ title: 'Old news' }))
  await notesOf(server, user).add('Ferry #home\n- [ ] tickets')
  await openDashboard(page, 'Call Ann #home')

  await test.step('the lists', async () => {
    await expectDistinctNamesAtAllWidths(page, [
      'Search',
      'Quick add',
      'Move all to today',
      ...cardOf(task.title),
    ])
    for (const key of ['2', '3', '4', '0']) {
      await page.keyboard.press(key)
      await expect(cards(page).first()).toBeVisible()
      await expectDistinctNamesAtAllWidths(page, key === '3' ? ['High', 'Medium', 'Low'] : [])
    }
    await page.keyboard.press('1')
  })

  await test.step('a new task, the undo bar and the list Done', async () => {
    await quickLine(page).fill('Buy milk tomorrow p1')
    await expect(chip(page, 'Due tomorrow')).toBeVisible()
    await expectDistinctNamesAtAllWidths(page, [
      'Quick add',
      'Due tomorrow, remove',
      'Priority: high, remove',
    ])
    await quickLine(page).fill('')
    await quickLine(page).blur()
    await ring(page, 'Water the plants').click()
    await expect(undoBar(page)).toContainText('Completed')
    await expectDistinctNamesAtAllWidths(page, ['Undo'])
    await page.keyboard.press('5')
    await expect(panelTitle(page)).toHaveText('Done')
    await expect(card(page, 'Water the plants')).toBeVisible()
    await expectDistinctNamesAtAllWidths(page, cardOf('Water the plants'))
    await page.keyboard.press('1')
  })

  await test.step('the search', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('home')
    await expect(cards(page)).toHaveCount(2)
    await page.keyboard.press('Enter')
    await expectDistinctNamesAtAllWidths(page, ['Search', ...cardOf(task.title)])
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL('/dashboard')
  })

  await test.step('the dialogs', async () => {
    await page.keyboard.press('n')
    await expect(addDialog(page)).toBeVisible()
    await expectDistinctNamesAtAllWidths(
      page,
      [...form, 'Add Task', 'Due today', 'Due tomorrow', 'Due next week'],
      true,
    )
    await addDialog(page).getByLabel('Title', { exact: true }).fill('Half a thought')
    await closeDialog(page)
    await page.keyboard.press('n')
    await expect(addDialog(page).getByRole('button', { name: 'Restore' })).toBeVisible()
    await expectDistinctNamesAtAllWidths(page, [...form, 'Add Task'], true)
    await closeDialog(page)

    await editButton(page, task.title).click()
    await expect(editDialog(page)).toBeVisible()
    await expectDistinctNamesAtAllWidths(page, [...form, 'Save'], true)
    await editDialog(page).getByLabel('Title', { exact: true }).fill('Pay the rent at once')
    await user.edit(task, { title: 'Pay the rent today' })
    await editDialog(page).getByRole('button', { name: 'Save' }).click()
    await expect(editDialog(page).getByRole('group').first()).toBeVisible()
    await expectDistinctNamesAtAllWidths(page, [...form, 'Save'], true)
    await closeDialog(page)

    await moveButton(page, 'Call Ann #home').click()
    await expect(page.getByRole('dialog', { name: 'Move' })).toBeVisible()
    await expectDistinctNamesAtAllWidths(page, ['Move to today', 'Close'], true)
    await closeDialog(page)
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Review overdue tasks' })).toContainText('1 of')
    await page.keyboard.type('x\n')
    await expect(page.getByRole('dialog')).toContainText('2 of')
    await expectDistinctNamesAtAllWidths(page, ['Move to today', 'Complete', 'Delete', 'Undo', 'Close'], true)
    await closeDialog(page)
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
    await expectDistinctNamesAtAllWidths(page, ['Single-key shortcuts', 'Close'], true)
    await closeDialog(page)
    await page.getByRole('button', { name: 'Account', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Account' })).toBeVisible()
    await expectDistinctNamesAtAllWidths(page, ['Theme', 'First day of the week', 'Close'], true)
    await closeDialog(page)
    await page.getByRole('button', { name: 'Logout', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Log out and discard?' })).toBeVisible()
    await expectDistinctNamesAtAllWidths(page, ['Stay', 'Log out and discard', 'Close'], true)
    await closeDialog(page)
    await page.keyboard.press('0')
    await deleteForGood(page).click()
    await expect(page.getByRole('dialog', { name: 'Delete for good?' })).toBeVisible()
    await expectDistinctNamesAtAllWidths(page, ['Cancel', 'Close'], true)
    await closeDialog(page)
  })

  await test.step('the notes', async () => {
    await page.keyboard.press('6')
    await expect(page.getByRole('link', { name: /^Ferry/ })).toBeVisible()
    await expectDistinctNamesAtAllWidths(page, ['Write a note'])
    await page.getByRole('link', { name: /^Ferry/ }).click()
    await expect(editor(page)).toBeVisible()
    await expectDistinctNamesAtAllWidths(page, ['More', 'Heading'])
  })

  await test.step('the drawer', async () => {
    await page.setViewportSize({ width: 380, height: 800 })
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(page.getByRole('button', { name: 'Close menu' })).toBeVisible()
    await expectDistinctNames(page, ['Add Task', 'Today', 'Latest', 'Priority', 'Upcoming', 'Done', 'Notes'])
  })
})

const deleteForGood = (page: Page) => page.getByRole('button', { name: 'Delete all for good', exact: true })

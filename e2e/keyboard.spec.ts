import type { Locator, Page } from '@playwright/test'
import { recordCalls, settle } from './calls.ts'
import {
  addDialog,
  card,
  cards,
  deleteButton,
  editButton,
  editDialog,
  openDashboard,
  panelTitle,
  quickLine,
  sidebarButton,
} from './dashboard-page.ts'
import { expect, expectToasts, signedInTest as test, test as visitorTest } from './fixtures.ts'
import { newcomer } from './user.ts'

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible()
  for (let stops = 0; stops < 60; stops++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}

async function pressFound(page: Page, target: Locator) {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

/** Fills in the focused field and those behind it, and submits their form. */
async function typeFields(page: Page, ...texts: string[]) {
  for (const [index, text] of texts.entries()) {
    await page.keyboard.type(text)
    await page.keyboard.press(index < texts.length - 1 ? 'Tab' : 'Enter')
  }
}

const navbarLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
const logout = (page: Page) => page.getByRole('button', { name: 'Logout' })

visitorTest('A keyboard signs up, logs in, adds, edits, deletes and logs out', async ({ page, alerts }) => {
  const person = newcomer()
  const { keyboard } = page
  await page.goto('/')

  await pressFound(page, navbarLink(page, 'Sign Up'))
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await typeFields(page, person.name, person.email, person.password)
  await expect(page).toHaveURL('/dashboard')
  await pressFound(page, logout(page))
  await expect(page).toHaveURL('/')

  await pressFound(page, navbarLink(page, 'Login'))
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
  await typeFields(page, person.email, person.password)
  await expect(page).toHaveURL('/dashboard')

  await pressFound(page, sidebarButton(page, 'Add Task'))
  await tabTo(page, addDialog(page).getByLabel('Title', { exact: true }))
  await keyboard.type('Water the plants')
  await tabTo(page, addDialog(page).getByLabel('Due Date', { exact: true }))
  await keyboard.type('01012020')
  await tabTo(page, addDialog(page).getByLabel('Priority', { exact: true }))
  await keyboard.type('High')
  await pressFound(page, addDialog(page).getByRole('button', { name: 'Add Task' }))
  await expect(card(page, 'Water the plants')).toBeVisible()
  await expect.poll(() => alerts).toEqual(['Task added successfully!'])
  await expect(addDialog(page)).toBeHidden()

  await pressFound(page, editButton(page, 'Water the plants'))
  await tabTo(page, editDialog(page).getByLabel('Title', { exact: true }))
  await keyboard.press('ControlOrMeta+a')
  await keyboard.type('Feed the cat')
  await keyboard.press('Enter')
  await expect(card(page, 'Feed the cat')).toBeVisible()
  await expect(editDialog(page)).toBeHidden()

  await pressFound(page, deleteButton(page, 'Feed the cat'))
  await expect(cards(page)).toHaveCount(0)
  await pressFound(page, logout(page))
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
})

test('The keys open lists and dialogs, and do nothing while a person types', async ({ page }) => {
  await openDashboard(page)
  await expectToasts(page, ['info: No tasks for today'])
  const dialogs = page.getByRole('dialog')
  const title = addDialog(page).getByLabel('Title', { exact: true })

  await test.step('The keys do nothing while typing, in a dialog or with a modifier held', async () => {
    await page.keyboard.press('Control+2')
    await page.keyboard.press('Alt+3')
    await sidebarButton(page, 'Add Task').click()
    const calls = recordCalls(page)
    await title.focus()
    await page.keyboard.type('n123?')
    await expect(title).toHaveValue('n123?')
    await addDialog(page).getByRole('button', { name: 'Cancel' }).focus()
    await page.keyboard.press('2')
    await page.keyboard.press('?')
    await expect(dialogs).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(panelTitle(page)).toHaveText("Today's Tasks")
    expect(calls).toEqual([])
    await expect(dialogs).toHaveCount(0)
  })

  await test.step('n opens Add Task, 1, 2 and 3 choose the lists, and ? shows the keys', async () => {
    for (const [key, title] of [
      ['3', 'Mark the urgent'],
      ['2', 'Recent'],
      ['1', "Today's Tasks"],
    ] as const) {
      await page.keyboard.press(key)
      await expect(panelTitle(page)).toHaveText(title)
    }
    await page.keyboard.press('n')
    await expect(addDialog(page)).toBeVisible()
    await expect(title).toHaveValue('')
    await page.keyboard.press('Escape')
    await expect(addDialog(page)).toBeHidden()
    await page.keyboard.press('?')
    await expect(dialogs).toContainText('Priority')
    await page.keyboard.press('Escape')
    await expect(dialogs).toHaveCount(0)
  })

  await test.step('A key held down types nothing into the field that it leads to, and a new press does', async () => {
    for (const [key, name] of Object.entries({ q: 'Quick add', '/': 'Search', n: 'Title' }))
      await test.step(key, async () => {
        const field = page.getByRole(key === '/' ? 'searchbox' : 'textbox', { name, exact: true })
        await page.keyboard.down(key)
        await expect(field).toBeFocused()
        for (let repeats = 0; repeats < 3; repeats++) await page.keyboard.down(key)
        await page.keyboard.up(key)
        await expect(field).toHaveValue('')
        await page.keyboard.press(key)
        await expect(field).toHaveValue(key)
        await field.fill('')
        await field.blur()
      })
  })
})

test('A dialog that was closed can be opened again, and gives its keys back, at once', async ({ page }) => {
  await openDashboard(page)
  const title = addDialog(page).getByLabel('Title', { exact: true })

  await test.step('A key right after Escape has closed a dialog acts', async () => {
    for (let round = 0; round < 10; round++) {
      await page.keyboard.press('n')
      await expect(addDialog(page)).toBeVisible()
      // Without a pause: the browser reports the closing of a dialog later.
      await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('q')])
      await expect(quickLine(page)).toBeFocused()
      await quickLine(page).blur()
    }
  })

  await test.step('A dialog that is opened again right after Escape stays open', async () => {
    await expect(addDialog(page)).toBeHidden()
    for (let round = 0; round < 10; round++) {
      await page.keyboard.press('n')
      await expect(addDialog(page)).toBeVisible()
      await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('n')])
      // Two frames later the browser has reported the closing.
      await settle(page, [])
      await expect(addDialog(page)).toBeVisible()
      await expect(title).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(addDialog(page)).toBeHidden()
    }
  })

  await test.step('A dialog that the browser closes without a cancel event can be opened again', async () => {
    await page.keyboard.press('n')
    // As Chromium does for an Escape without a key or a click before it.
    await addDialog(page).evaluate((dialog: HTMLDialogElement) => dialog.close())
    await expect(addDialog(page)).toBeHidden()
    await page.keyboard.press('n')
    await expect(addDialog(page)).toBeVisible()
  })
})

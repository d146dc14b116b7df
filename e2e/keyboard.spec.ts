import type { Locator, Page } from '@playwright/test'
import { recordCalls } from './calls.ts'
import {
  addDialog,
  card,
  cards,
  deleteButton,
  editButton,
  editDialog,
  openDashboard,
  panelTitle,
  sidebarButton,
} from './dashboard-page.ts'
import { expect, signedInTest, test } from './fixtures.ts'
import { newcomer } from './user.ts'

/** Presses Tab until the focus is there, as somebody without a mouse would. */
async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible()
  for (let stops = 0; stops < 60; stops++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(target).toBeFocused()
}

const navbarLink = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
const logout = (page: Page) => page.getByRole('button', { name: 'Logout' })

test('A keyboard alone signs up, logs in, adds, edits, deletes and logs out', async ({ page, alerts }) => {
  const person = newcomer()
  const { keyboard } = page
  await page.goto('/')

  await tabTo(page, navbarLink(page, 'Sign Up'))
  await keyboard.press('Enter')
  await tabTo(page, page.getByLabel('Name', { exact: true }))
  await keyboard.type(person.name)
  await keyboard.press('Tab')
  await keyboard.type(person.email)
  await keyboard.press('Tab')
  await keyboard.type(person.password)
  await keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')
  await tabTo(page, logout(page))
  await keyboard.press('Enter')
  await expect(page).toHaveURL('/')

  await tabTo(page, navbarLink(page, 'Login'))
  await keyboard.press('Enter')
  await tabTo(page, page.getByLabel('Email', { exact: true }))
  await keyboard.type(person.email)
  await keyboard.press('Tab')
  await keyboard.type(person.password)
  await keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')

  await tabTo(page, sidebarButton(page, 'Add Task'))
  await keyboard.press('Enter')
  await tabTo(page, addDialog(page).getByLabel('Title', { exact: true }))
  await keyboard.type('Water the plants')
  await tabTo(page, addDialog(page).getByLabel('Due Date', { exact: true }))
  await keyboard.type('01012020')
  await tabTo(page, addDialog(page).getByLabel('Priority', { exact: true }))
  await keyboard.type('High')
  await tabTo(page, addDialog(page).getByRole('button', { name: 'Add Task' }))
  await keyboard.press('Enter')
  await expect(card(page, 'Water the plants')).toBeVisible()
  expect(alerts).toEqual(['Task added successfully!'])
  await expect(addDialog(page)).toBeHidden()

  await tabTo(page, editButton(page, 'Water the plants'))
  await keyboard.press('Enter')
  await tabTo(page, editDialog(page).getByLabel('Title', { exact: true }))
  await keyboard.press('ControlOrMeta+a')
  await keyboard.type('Feed the cat')
  await keyboard.press('Enter')
  await expect(card(page, 'Feed the cat')).toBeVisible()
  await expect(editDialog(page)).toBeHidden()

  await tabTo(page, deleteButton(page, 'Feed the cat'))
  await keyboard.press('Enter')
  await expect(cards(page)).toHaveCount(0)
  await tabTo(page, logout(page))
  await keyboard.press('Enter')
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
})

for (const path of ['/', '/login', '/dashboard']) {
  signedInTest(`The first stop on ${path} is a link past the navigation`, async ({ page }) => {
    // Otherwise a valid token leads on from the public pages.
    if (path !== '/dashboard') await page.addInitScript(() => localStorage.clear())
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await expect(skip).toBeFocused()
    await expect(skip).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
  })
}

signedInTest('n opens Add Task, 1, 2 and 3 choose the lists, and ? shows the keys', async ({ page }) => {
  await openDashboard(page)
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
  await expect(addDialog(page).getByLabel('Title', { exact: true })).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(addDialog(page)).toBeHidden()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('Priority')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

signedInTest('The keys do nothing while typing, in a box or with a modifier held', async ({ page }) => {
  await openDashboard(page)
  await page.keyboard.press('Control+2')
  await page.keyboard.press('Alt+3')
  await sidebarButton(page, 'Add Task').click()
  const calls = recordCalls(page)
  await addDialog(page).getByLabel('Title', { exact: true }).focus()
  await page.keyboard.type('n123?')
  await expect(addDialog(page).getByLabel('Title', { exact: true })).toHaveValue('n123?')
  await addDialog(page).getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('2')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(panelTitle(page)).toHaveText("Today's Tasks")
  expect(calls).toEqual([])
})

signedInTest('Closing a box returns the focus to where it came from', async ({ page, user }) => {
  await user.add({ title: 'Water the plants' })
  await openDashboard(page)
  for (const [opener, dialog] of [
    [sidebarButton(page, 'Add Task'), addDialog(page)],
    [editButton(page, 'Water the plants'), editDialog(page)],
  ] as const) {
    await opener.focus()
    await page.keyboard.press('Enter')
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()
  }
})

signedInTest(
  'After a delete the focus is on the next task, and on the title after the last',
  async ({ page, user }) => {
    await user.add({ title: 'first' })
    await user.add({ title: 'second' })
    await openDashboard(page)
    await deleteButton(page, 'first').focus()
    await page.keyboard.press('Enter')
    await expect(deleteButton(page, 'second')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(panelTitle(page)).toBeFocused()
  },
)

signedInTest('The focus stays inside an open box', async ({ page }) => {
  await openDashboard(page)
  await sidebarButton(page, 'Add Task').click()
  for (let stops = 0; stops < 12; stops++) {
    await page.keyboard.press('Tab')
    const outside = await page.evaluate(() => {
      const active = document.activeElement
      return active !== document.body && active?.closest('dialog') === null
    })
    expect(outside).toBe(false)
  }
})

for (const path of ['/', '/login', '/dashboard']) {
  signedInTest(`Whatever has the focus on ${path} can be seen to have it`, async ({ page, user }) => {
    if (path === '/dashboard') await user.add({ title: 'Water the plants' })
    else await page.addInitScript(() => localStorage.clear())
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    if (path === '/dashboard') await expect(card(page, 'Water the plants')).toBeVisible()
    const invisible: string[] = []
    for (let stops = 0; stops < 20; stops++) {
      await page.keyboard.press('Tab')
      const name = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement
        if (element === document.body) return
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
        const isVisible = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
        return isVisible ? undefined : element.outerHTML.slice(0, 80)
      })
      if (name) invisible.push(name)
    }
    expect(invisible).toEqual([])
  })
}

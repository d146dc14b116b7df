import type { Page } from '@playwright/test'
import { force, recordCalls, serverError, settle, writesOf } from './calls.ts'
import {
  card,
  cards,
  deleteButton,
  openDashboard,
  panelTitle,
  sidebarButton,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { openFollowing, otherDevice } from './devices.ts'
import { expect } from './fixtures.ts'
import { notePane, notePath, notesTest as test, tool } from './notes-page.ts'
import type { User } from './user.ts'

const restoreButton = (page: Page, title: string) =>
  page.getByRole('button', { name: `Restore ${title}`, exact: true })
const purgeButton = (page: Page, title: string) =>
  page.getByRole('button', { name: `Delete ${title} for good`, exact: true })
const question = (page: Page) => page.getByRole('dialog', { name: 'Delete for good?' })
const confirm = (page: Page) => question(page).getByRole('button', { name: 'Delete for good' })

/** Adds and deletes tasks through the API, the first one first. */
async function addDeleted(user: User, ...titles: string[]) {
  for (const title of titles) await user.remove(await user.add({ title }))
}

test('A deleted task says how long it is kept, and comes back by Restore', async ({ page, user }) => {
  await user.add({ title: 'Water the plants' })
  await openDashboard(page)
  await deleteButton(page, 'Water the plants').click()
  await expect(cards(page)).toHaveCount(0)
  await page.keyboard.press('0')
  await expect(card(page, 'Water the plants')).toContainText(/Deleted .*, gone in 30 days/)
  const calls = recordCalls(page)
  await restoreButton(page, 'Water the plants').click()
  await expect(cards(page)).toHaveCount(0)
  await expect.poll(() => writesOf(calls)).toEqual(['POST /changes'])
  await expect(undoBar(page)).toContainText('Restored “Water the plants”')
  await sidebarButton(page, 'Today').click()
  await expect(card(page, 'Water the plants')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(cards(page)).toHaveCount(0)
  await page.keyboard.press('0')
  await expect(card(page, 'Water the plants')).toContainText(/Deleted .*, gone in 30 days/)
})

test('A task is deleted for good after a question, and on all devices', async ({ page, context, user }) => {
  await addDeleted(user, 'first', 'second')
  await page.goto('/dashboard?list=deleted')
  const other = await context.newPage()
  await other.goto('/dashboard?list=deleted')
  await expect(cards(other)).toHaveCount(2)
  await purgeButton(page, 'first').click()
  await expect(question(page)).toContainText('“first” will be gone')
  await question(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(question(page)).toBeHidden()
  await expect(cards(page)).toHaveCount(2)
  await purgeButton(page, 'first').click()
  await confirm(page).click()
  for (const each of [page, other]) {
    await expect(card(each, 'first')).toHaveCount(0)
    await expect(cards(each)).toHaveCount(1)
  }
  await page.reload()
  await expect(cards(page)).toHaveCount(1)
})

test('All items are deleted for good, except those deleted afterwards', async ({ page, user, notes }) => {
  const { _id: ferry } = await notes.add('Ferry')
  await notes.change(ferry, { deleted: true })
  await addDeleted(user, ...Array.from({ length: 60 }, (_, index) => `task ${index}`))
  await user.add({ title: 'open' })
  const { _id: bus } = await notes.add('Bus')
  await notes.change(bus, { deleted: true })
  await page.goto('/dashboard?list=deleted')
  await expect(cards(page).first()).toHaveAccessibleName('Bus')
  await page.getByRole('button', { name: 'Delete all for good' }).click()
  await expect(question(page)).toContainText('All recently deleted tasks and notes')
  await addDeleted(user, 'later')
  await expect(card(page, 'later')).toHaveCount(1)
  await confirm(page).click()
  await expect(cards(page)).toHaveCount(1)
  expect(await titlesOf(page)).toEqual(['later'])
  await page.reload()
  await expect(card(page, 'later')).toBeVisible()
  expect(await titlesOf(page)).toEqual(['later'])
  await page.keyboard.press('2')
  await expect(card(page, 'open')).toBeVisible()
  for (const id of [ferry, bus]) await expect(notes.get(id)).rejects.toThrow('404')
})

test('A keyboard deletes a note for good', async ({ page, browser, server, user, notes }) => {
  const { _id: id } = await notes.add('Bus')
  await notes.change(id, { deleted: true })
  const other = await otherDevice(browser, server, user)
  for (const device of [page, other]) await openFollowing(device, notePath(id))
  await tool(page, 'Delete the note for good').focus()
  await page.keyboard.press('Enter')
  await expect(question(page)).toContainText('“Bus” will be gone')
  await page.keyboard.press('Escape')
  await expect(tool(page, 'Delete the note for good')).toBeFocused()
  await page.keyboard.press('Enter')
  await confirm(page).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard?list=deleted')
  await expect(panelTitle(page)).toBeFocused()
  await expect(page.getByText('Nothing was deleted in the last 30 days')).toBeVisible()
  await expect(notePane(other)).toContainText('There is no such note.')
  await page.goto(notePath(id))
  await expect(notePane(page)).toContainText('There is no such note.')
  await other.context().close()
})

test('A deleted card is restored once, and says what failed', async ({ page, context, user }) => {
  await addDeleted(user, 'first', 'second', 'third')
  await page.goto('/dashboard?list=deleted')
  await expect(cards(page)).toHaveCount(3)
  await test.step('A double click on Restore restores one task', async () => {
    const calls = recordCalls(page)
    await restoreButton(page, 'third').dblclick()
    await expect(cards(page)).toHaveCount(2)
    await settle(page, calls)
    expect(calls.map(({ call }) => call)).toEqual(['POST /changes'])
  })
  await test.step('The second click of a double click that has closed the question restores nothing', async () => {
    const calls = recordCalls(page)
    await restoreButton(page, 'second').hover()
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    await settle(page, calls)
    expect(calls).toEqual([])
  })
  await test.step('The question is asked without a network, too', async () => {
    await context.setOffline(true)
    await purgeButton(page, 'first').click()
    await expect(question(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(question(page)).toBeHidden()
    await context.setOffline(false)
  })
  await test.step('A keyboard alone deletes a task for good, and the focus moves to the next card', async () => {
    await purgeButton(page, 'second').focus()
    await page.keyboard.press('Enter')
    await expect(question(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(purgeButton(page, 'second')).toBeFocused()
    await page.keyboard.press('Enter')
    await confirm(page).focus()
    await page.keyboard.press('Enter')
    await expect(cards(page)).toHaveCount(1)
    await expect(card(page, 'first')).toBeFocused()
  })
  await test.step('A failure is shown where it happened, and nothing is lost', async () => {
    await force(page, 'POST /items/purge', serverError)
    await force(page, 'POST /changes', serverError)
    await restoreButton(page, 'first').click()
    await expect(card(page, 'first')).toContainText('This task was not restored. The disk is on fire.')
    await purgeButton(page, 'first').click()
    await confirm(page).click()
    await expect(question(page).getByRole('alert')).toContainText('The disk is on fire.')
    await page.unrouteAll()
    await confirm(page).click()
    await expect(cards(page)).toHaveCount(0)
  })
})

import type { Page } from '@playwright/test'
import { force, serverError } from './calls.ts'
import { panelTitle } from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import {
  noteLink,
  notePane,
  notePath,
  notesList,
  notesOf,
  openFollowing,
  otherDevice,
  tool,
} from './notes-page.ts'
import type { Server } from './server.ts'
import type { User } from './user.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Delete for good?' })
const confirm = (page: Page) => question(page).getByRole('button', { name: 'Delete for good' })

/** Adds and deletes notes through the API, the first one first. Returns their ids. */
async function addDeleted(server: Server, user: User, ...texts: string[]): Promise<string[]> {
  const notes = notesOf(server, user)
  const ids: string[] = []
  for (const text of texts) {
    const { _id: id } = await notes.add(text)
    await notes.change(id, { deleted: true })
    ids.push(id)
  }
  return ids
}

test('A note is deleted for good after a question, by the keyboard alone, and then no device shows it', async ({
  page,
  browser,
  server,
  user,
}) => {
  const [, id] = (await addDeleted(server, user, 'Ferry\n8:40', 'Bus')) as [string, string]
  const other = await otherDevice(browser, server, user)
  for (const device of [page, other]) await openFollowing(device, `${notePath(id)}?deleted`)
  await tool(page, 'Delete the note for good').focus()
  await page.keyboard.press('Enter')
  await expect(question(page)).toContainText('“Bus” will be gone')
  await page.keyboard.press('Escape')
  await expect(tool(page, 'Delete the note for good')).toBeFocused()
  await page.keyboard.press('Enter')
  await confirm(page).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard/notes?deleted')
  await expect(panelTitle(page)).toBeFocused()
  for (const device of [page, other]) {
    await expect(noteLink(device, 'Bus')).toHaveCount(0)
    await expect(noteLink(device, 'Ferry')).toBeVisible()
  }
  await expect(notePane(other)).toContainText('There is no such note.')
  await page.goto(notePath(id))
  await expect(notePane(page)).toContainText('There is no such note.')
  await other.context().close()
})

test('Empty deletes all deleted notes for good, but no task and nothing that was deleted after the question', async ({
  page,
  server,
  user,
}) => {
  await user.remove(await user.add({ title: 'task' }))
  await notesOf(server, user).add('kept')
  await addDeleted(server, user, 'Ferry', 'Bus')
  await openFollowing(page, '/dashboard/notes?deleted')
  await page.getByRole('button', { name: 'Empty' }).click()
  await expect(question(page)).toContainText('All recently deleted notes')
  await addDeleted(server, user, 'later')
  await expect(noteLink(page, 'later')).toHaveCount(1)
  await confirm(page).click()
  await expect(notesList(page).getByRole('listitem')).toHaveText([/^later/])
  await page.reload()
  await expect(notesList(page).getByRole('listitem')).toHaveText([/^later/])
  await page.goto('/dashboard/notes')
  await expect(noteLink(page, 'kept')).toBeVisible()
  await page.goto('/dashboard?list=deleted')
  await expect(page.getByRole('heading', { name: 'task' })).toBeVisible()
})

test('A failed deletion for good says so in the question, and nothing is lost', async ({
  page,
  server,
  user,
}) => {
  const [id] = (await addDeleted(server, user, 'Ferry')) as [string]
  await page.goto(`${notePath(id)}?deleted`)
  await force(page, 'POST /items/purge', serverError)
  await tool(page, 'Delete the note for good').click()
  await confirm(page).click()
  await expect(question(page).getByRole('alert')).toContainText('The disk is on fire.')
  await expect(noteLink(page, 'Ferry')).toHaveCount(1)
  await page.unrouteAll()
  await confirm(page).click()
  await expect(page.getByText('Nothing was deleted in the last 30 days')).toBeVisible()
})

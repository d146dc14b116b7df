import { apiBase } from '#contract/limits.ts'
import { hold, requestOf } from './calls.ts'
import { undoBar } from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import { editor, notePane, notePath, notesOf, tool } from './notes-page.ts'
import type { Server } from './server.ts'
import type { User } from './user.ts'

/** Another session of the user: its saves are versions of their own. */
async function otherSession(server: Server, user: User) {
  const { email, password } = user
  const response = await fetch(`${server.address}${apiBase}/user/login`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0 (Android 16; Mobile; rv:153.0) Gecko/153.0 Firefox/153.0',
    },
    body: JSON.stringify({ email, password }),
  })
  const { token } = await response.json()
  return notesOf(server, { ...user, token })
}

test('The history lists versions by day, compares one with the note as it is now, and restores it, which can be undone', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Ferry\n8:40\nbring a coat')
  await (await otherSession(server, user)).write(id, 'Ferry\n9:40\nbring a coat')
  await page.goto(notePath(id))
  await tool(page, 'History').click()
  const versions = page.getByRole('region', { name: 'Today' }).getByRole('button')
  await expect(versions).toHaveCount(2)
  await expect(versions.first()).toContainText('Firefox on Android')
  await versions.last().click()
  await expect(notePane(page).locator('del')).toHaveText(['8:40'])
  await expect(notePane(page).locator('ins')).toHaveText(['9:40'])
  await tool(page, 'Restore this version').click()
  await expect(undoBar(page)).toContainText('Restored “Ferry”')
  await expect(editor(page)).toContainText('8:40')
  await expect.poll(async () => (await notes.get(id)).text).toBe('Ferry\n8:40\nbring a coat')
  await undoBar(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(undoBar(page)).toContainText('“Ferry” has its newer text again')
  await expect(editor(page)).toContainText('9:40')
  await expect.poll(async () => (await notes.get(id)).text).toBe('Ferry\n9:40\nbring a coat')
})

test('A version is restored while the last words are being saved, which become a version too', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Ferry\n8:40')
  await (await otherSession(server, user)).write(id, 'Ferry\n9:40')
  await page.goto(notePath(id))
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  const release = await hold(page, 'POST /changes')
  const sent = requestOf(page, 'POST /changes')
  await page.keyboard.type(' at the quay')
  await sent
  await tool(page, 'History').click()
  await page.getByRole('region', { name: 'Today' }).getByRole('button').last().click()
  await tool(page, 'Restore this version').click()
  release()
  await expect(undoBar(page)).toContainText('Restored “Ferry”')
  await expect.poll(async () => (await notes.get(id)).text).toBe('Ferry\n8:40')
  await undoBar(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(editor(page)).toContainText('9:40 at the quay')
})

import type { Page } from '@playwright/test'
import { force, intercept } from './calls.ts'
import { openDashboard } from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import { cutOff, draftsIn, editor, notePath, notesOf, state } from './notes-page.ts'
import { signIn } from './sign-in.ts'

test('A page that is closed before the note was saved has it saved when the dashboard is opened again', async ({
  page,
  context,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Ferry')
  await page.goto(notePath(id))
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  const restore = await cutOff(context)
  await page.keyboard.type(' at 8:40')
  await page.close()
  const next = await context.newPage()
  await restore()
  // Another view than the notes: drafts are sent from wherever the dashboard is opened.
  await openDashboard(next)
  await expect.poll(async () => (await notes.get(id)).text).toBe('Ferry at 8:40')
  await expect.poll(() => draftsIn(next)).toEqual([])
})

test('The draft of a closed tab is kept beside the draft of the same note in another tab, until both are saved', async ({
  page,
  context,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Title\n\nfirst\n\nlast')
  await page.goto(notePath(id))
  await force(page, 'POST /changes', 'dropped')
  await editor(page).getByText('first').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' of one')
  await state(page, /^Saved on this device/)
  const other = await context.newPage()
  await other.goto(notePath(id))
  await expect(editor(other)).toContainText('last')
  await force(other, 'POST /changes', 'dropped')
  const drafts = await draftsIn(other)
  // The other tab takes the draft over, and cannot save it either.
  await page.close()
  await expect.poll(() => draftsIn(other)).not.toEqual(drafts)
  await editor(other).getByText('last').click()
  await other.keyboard.press('End')
  await other.keyboard.type(' of two')
  await state(other, /^Saved on this device/)
  await expect.poll(() => draftsIn(other)).toHaveLength(2)
  await other.close()
  const next = await context.newPage()
  await openDashboard(next)
  await expect.poll(async () => (await notes.get(id)).text).toBe('Title\n\nfirst of one\n\nlast of two')
  await expect.poll(() => draftsIn(next)).toEqual([])
})

test('A page that is closed while a save is in progress loses and doubles nothing', async ({
  page,
  context,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Ferry')
  await page.goto(notePath(id))
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  // The server applies the save, but its answer does not arrive.
  const applied = Promise.withResolvers<void>()
  await intercept(page, 'POST /changes', async (route) => {
    await route.fetch()
    applied.resolve()
  })
  // At once: a pause between two letters would save the first of them.
  await page.keyboard.insertText(' at 8')
  await applied.promise
  await page.keyboard.type(':40')
  await page.close({ runBeforeUnload: false })
  expect((await notes.get(id)).text).toBe('Ferry at 8')
  const next = await context.newPage()
  await next.goto(notePath(id))
  await expect(editor(next)).toHaveText('Ferry at 8:40')
  await expect.poll(async () => (await notes.get(id)).text).toBe('Ferry at 8:40')
})

/** Makes every call of a page fail from now on, also those that it makes while it closes. */
const loseServer = (page: Page) =>
  page.evaluate(() => {
    window.fetch = () => Promise.reject(new TypeError('The server is away.'))
  })

test('The changes of two pages in one note without the server are saved after both have closed', async ({
  page,
  context,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Ferry\n\n')
  const other = await context.newPage()
  await signIn(other, server.address, user.token)
  await other.goto(notePath(id))
  await editor(other).click()
  await other.keyboard.press('ControlOrMeta+End')
  await loseServer(other)
  await other.keyboard.type('from the other page')
  await state(other, /^Saved on this device/)
  await page.goto(notePath(id))
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+Home')
  await loseServer(page)
  await page.keyboard.type('From this page: ')
  await state(page, /^Saved on this device/)
  await other.close()
  const owners = async () => new Set((await draftsIn(page)).map((key) => key.split(' ')[2])).size
  await expect.poll(owners).toBe(1)
  await page.keyboard.type('the ')
  await page.goto('about:blank')
  await (await context.newPage()).goto('/dashboard')
  await expect
    .poll(async () => (await notes.get(id)).text)
    .toBe('From this page: the Ferry\n\nfrom the other page')
})

import { hold, recordCalls } from './calls.ts'
import { sidebarButton, undoBar, unsentLine } from './dashboard-page.ts'
import { openFollowing } from './devices.ts'
import { expect } from './fixtures.ts'
import {
  cutOff,
  draftsIn,
  editor,
  enterNote,
  field,
  noteLink,
  notePane,
  notePath,
  state,
  notesTest as test,
  tool,
  writeNew,
} from './notes-page.ts'

test('A note says whether it is saved, or kept without the server', async ({ page, context, openNote }) => {
  const { stored } = await openNote('Ferry')
  await test.step('It says that it is being saved and is saved, and leaves no draft', async () => {
    const release = await hold(page, 'POST /changes')
    const calls = recordCalls(page)
    // At once: a pause between two letters would save the first of them.
    await page.keyboard.insertText(' at 8:40')
    await state(page, 'Saving')
    release()
    await state(page, 'Saved')
    await stored('Ferry at 8:40')
    expect(calls.map(({ call }) => call)).toEqual(['POST /changes'])
    await expect.poll(() => draftsIn(page)).toEqual([])
  })
  await test.step('It is saved at once when the note or the page is left', async () => {
    await page.keyboard.type('!')
    await sidebarButton(page, 'Today').click()
    await stored('Ferry at 8:40!')
    await page.goBack()
    await enterNote(page)
    await page.keyboard.type('!')
    await page.goto('/about')
    await stored('Ferry at 8:40!!')
    await page.goBack()
  })
  await enterNote(page)
  const restore = await cutOff(context)
  await page.keyboard.type(' one')
  await state(page, /^Saved on this device, not synced yet\./)
  await expect(notePane(page).getByRole('alert')).toHaveCount(0)
  await page.keyboard.type(' two')
  await notePane(page).getByRole('button', { name: 'Sync now' }).click()
  await state(page, /^Saved on this device/)
  expect((await draftsIn(page)).length).toBe(1)
  await restore()
  await stored('Ferry at 8:40!! one two')
  await state(page, 'Saved')
})

test('A new note is listed and brought back without a network', async ({ page, context, notes }) => {
  await writeNew(page)
  const reconnect = await cutOff(context)
  await page.keyboard.type('Groceries')
  await expect(noteLink(page, 'Groceries')).toHaveAttribute('aria-current', 'true')
  await state(page, /^Saved on this device/)
  await expect(unsentLine(page)).toContainText('1 change waiting to sync')
  await page.keyboard.press('Escape')
  await expect(noteLink(page, 'Groceries')).toBeFocused()
  await page.keyboard.press('1')
  await expect(page.getByRole('heading', { level: 1, name: "Today's Tasks" })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('groc')
  await page.getByRole('option', { name: 'Groceries' }).click()
  await expect(field(page)).toHaveText('Groceries')
  const id = page.url().split('/').at(-1) as string
  await tool(page, 'Delete the note').click()
  await expect(noteLink(page, 'Groceries')).toHaveCount(0)
  await undoBar(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page).toHaveURL(notePath(id))
  await expect(field(page)).toHaveText('Groceries')
  await reconnect()
  await expect
    .poll(() => notes.get(id).catch(() => undefined))
    .toMatchObject({ text: 'Groceries', deletedAt: null })
})

test('The lines of another device appear, and the caret stays', async ({ page, notes, openNote }) => {
  const { id, stored } = await openNote('Title\n\none 0\n\ntwo 0')
  await openFollowing(page, notePath(id))
  await enterNote(page)
  for (const line of [1, 2, 3]) {
    await page.keyboard.type(`\ntwo ${line}`)
    await expect.poll(async () => (await notes.get(id)).text).toContain(`two ${line}`)
    await notes.write(id, (await notes.get(id)).text.replace(`one ${line - 1}`, `$&\none ${line}`))
    await expect(editor(page)).toContainText(`one ${line}`)
  }
  await stored('Title\n\none 0\none 1\none 2\none 3\n\ntwo 0\ntwo 1\ntwo 2\ntwo 3')
  await state(page, 'Saved')
})

test('Where both wrote the same words, one version is chosen', async ({ page, context, notes, openNote }) => {
  const { id, stored } = await openNote('Title\nwhen?')
  const restore = await cutOff(context)
  await page.keyboard.type(' at nine')
  await state(page, /^Saved on this device/)
  await notes.write(id, 'Title\nwhen? at ten')
  await restore()
  await stored('Title\nwhen? at nine *(or the next line)*\nwhen? at ten *(or the line before)*')
  await expect(editor(page)).toContainText('when? at ten')
  await page.getByRole('button', { name: 'Use this one' }).last().click()
  await stored('Title\nwhen? at ten')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.getByRole('button', { name: 'Use this one' })).toHaveCount(2)
})

test('A note deleted elsewhere is restored or kept as a new one', async ({ page, notes, openNote }) => {
  const { id } = await openNote('Ferry')
  await openFollowing(page, notePath(id))
  await enterNote(page)
  await page.keyboard.type(' boat')
  await state(page, 'Saved')
  await notes.change(id, { deleted: true })
  await expect(page.getByText('This note was deleted elsewhere.')).toBeVisible()
  await page.keyboard.type(' at 8:40')
  await tool(page, 'Restore the note').click()
  await state(page, 'Saved')
  await expect.poll(() => notes.get(id)).toMatchObject({ text: 'Ferry boat at 8:40', deletedAt: null })
  await notes.change(id, { deleted: true })
  await tool(page, 'Keep as a new note').click()
  await expect(noteLink(page, 'Ferry boat at 8:40')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Only in this browser' })).toHaveCount(0)
  await state(page, 'Saved')
  expect(await notes.get(id)).toMatchObject({ deletedAt: expect.any(String) })
})

test('An emptied note is Untitled', async ({ page, openNote }) => {
  const { stored } = await openNote('Ferry\n8:40')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await expect(noteLink(page, 'Untitled')).toBeVisible()
  await stored('')
  await expect(page.locator('h1.note-heading')).toHaveText('Untitled')
})

test('Logout asks if a note is not saved, and discards it for good', async ({ page, context }) => {
  const logOut = page.getByRole('button', { name: 'Logout' })
  const question = page.getByRole('dialog', { name: 'Log out and discard?' })
  const stayWith = async (title: string) => {
    await logOut.click()
    await expect(question).toContainText(`“${title}”`)
    await question.getByRole('button', { name: 'Stay' }).click()
    await expect(question).toBeHidden()
  }
  await writeNew(page)
  const release = await hold(page, 'POST /changes')
  await page.keyboard.type('No answer')
  await stayWith('No answer')
  release()
  await state(page, 'Saved')

  await cutOff(context)
  await field(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Only here')
  await state(page, /^Saved on this device/)
  await stayWith('Only here')
  await expect(field(page)).toBeVisible()
  await logOut.click()
  await question.getByRole('button', { name: 'Log out and discard' }).click()
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
})

import { hold, recordCalls, requestOf } from './calls.ts'
import { sidebarButton, unsentLine } from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import {
  cutOff,
  draftsIn,
  editor,
  field,
  noteLink,
  notePane,
  notePath,
  notesOf,
  openFollowing,
  otherDevice,
  state,
  tool,
  writeButton,
} from './notes-page.ts'

test('A note is saved after a pause, says so, and no draft is left', async ({ page, server, user }) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Ferry')
  await page.goto(notePath(id))
  await editor(page).click()
  const release = await hold(page, 'POST /changes')
  const calls = recordCalls(page)
  await page.keyboard.press('ControlOrMeta+End')
  // At once: a pause between two letters would save the first of them.
  await page.keyboard.insertText(' at 8:40')
  await state(page, 'Saving')
  release()
  await state(page, 'Saved')
  expect((await notes.get(id)).text).toBe('Ferry at 8:40')
  expect(calls.map(({ call }) => call)).toEqual(['POST /changes'])
  await expect.poll(() => draftsIn(page)).toEqual([])
})

test('While the server is unreachable the page says without an alert that the note is kept, typing continues, and everything is saved when it is back', async ({
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
  await page.keyboard.type(' one')
  await state(page, /^Saved on this device, not synced yet\./)
  await expect(notePane(page).getByRole('alert')).toHaveCount(0)
  await page.keyboard.type(' two')
  await notePane(page).getByRole('button', { name: 'Sync now' }).click()
  await state(page, /^Saved on this device/)
  expect((await draftsIn(page)).length).toBe(1)
  await restore()
  await expect.poll(async () => (await notes.get(id)).text).toBe('Ferry one two')
  await state(page, 'Saved')
})

test('Leaving the page, or the note, saves at once', async ({ page, server, user }) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Ferry')
  await page.goto(notePath(id))
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('!')
  await sidebarButton(page, 'Today').click()
  await expect.poll(async () => (await notes.get(id)).text).toBe('Ferry!')
  await page.goBack()
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('!')
  await page.goto('/about')
  await expect.poll(async () => (await notes.get(id)).text).toBe('Ferry!!')
})

test('A new note that could not be saved is in its place in the list, also during the next attempt and after a reload', async ({
  page,
  context,
}) => {
  await page.goto('/dashboard/notes')
  await writeButton(page).click()
  await expect(editor(page)).toBeFocused()
  const restore = await cutOff(context)
  await page.keyboard.type('Only here')
  await state(page, /^Saved on this device/)
  await page.getByRole('button', { name: 'Notes', exact: true }).click()
  await expect(noteLink(page, 'Only here')).toBeVisible()
  await expect(unsentLine(page)).toContainText('1 change waiting to sync')
  // The page may try again by itself at any time.
  const sent = requestOf(page, 'POST /changes')
  const release = await hold(page, 'POST /changes')
  await restore()
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await sent
  await expect(noteLink(page, 'Only here')).toBeVisible()
  release()
  await page.reload()
  await expect(noteLink(page, 'Only here')).toHaveCount(1)
})

test('Two devices that write in one note at once lose no line of either', async ({
  page,
  browser,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Title\n\none 0\n\ntwo 0')
  const other = await otherDevice(browser, server, user)
  const devices = { one: page, two: other }
  for (const [name, device] of Object.entries(devices)) {
    await openFollowing(device, notePath(id))
    await editor(device).getByText(`${name} 0`).click()
    await device.keyboard.press('End')
  }
  const textUpTo = (last: number) => {
    const lines = (name: string) => Array.from({ length: last + 1 }, (_, line) => `${name} ${line}`)
    return ['Title', '', ...lines('one'), '', ...lines('two')].join('\n')
  }
  const expectSaved = async (text: string) => {
    await expect.poll(async () => (await notes.get(id)).text).toBe(text)
    for (const device of [page, other]) await state(device, 'Saved')
  }
  await test.step('They see the lines of both, and the caret stays', async () => {
    for (let line = 1; line <= 3; line++) {
      await page.keyboard.type(`\none ${line}`)
      await other.keyboard.type(`\ntwo ${line}`)
      await expect(editor(other)).toContainText(`one ${line}`)
      await expect(editor(page)).toContainText(`two ${line}`)
    }
    await expectSaved(textUpTo(3))
  })
  await test.step('They may type without a pause while their saves overlap', async () => {
    let saves = 0
    const write = async ([name, device]: [string, typeof page]) => {
      device.on('request', async (request) => {
        if (request.url().endsWith('/changes') && (await request.response())) saves++
      })
      for (let line = 4; line <= 30; line++) {
        await device.keyboard.type(`\n${name} ${line}`)
        // A page that may be closed saves at once, so that saves overlap with typing and with each other.
        if (line % 3 === 0) await device.evaluate(() => window.dispatchEvent(new Event('pagehide')))
      }
    }
    await Promise.all(Object.entries(devices).map(write))
    await expectSaved(textUpTo(30))
    // However long a save takes, each device saves its third line and, later, the rest.
    expect(saves).toBeGreaterThanOrEqual(4)
    // Both editors hold the same text: a further save has nothing to merge.
    await other.keyboard.type('!')
    await expect.poll(async () => (await notes.get(id)).text).toBe(`${textUpTo(30)}!`)
  })
  await other.context().close()
})

test('A note that is emptied stays as an empty one, titled Untitled, and its text is in the history', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Ferry\n8:40')
  await page.goto(notePath(id))
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.press('Delete')
  await expect(noteLink(page, 'Untitled')).toBeVisible()
  await expect.poll(() => notes.get(id)).toMatchObject({ text: '', deletedAt: null })
  await expect(page.locator('h1.note-heading')).toHaveText('Untitled')
  await page.reload()
  await editor(page).click()
  await page.keyboard.type('Bus')
  await expect(noteLink(page, 'Bus')).toBeVisible()
  await tool(page, 'History').click()
  await expect(page.locator('.history-version')).not.toHaveCount(0)
})

test('Where both wrote the same words of a line, both versions are kept and marked, and one is chosen', async ({
  page,
  context,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Title\nwhen?')
  await page.goto(notePath(id))
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  const restore = await cutOff(context)
  await page.keyboard.type(' at nine')
  await state(page, /^Saved on this device/)
  await notes.write(id, 'Title\nwhen? at ten')
  await restore()
  const text = () => notes.get(id).then((note) => note.text)
  await expect
    .poll(text)
    .toBe('Title\nwhen? at nine *(or the next line)*\nwhen? at ten *(or the line before)*')
  await expect(editor(page)).toContainText('when? at ten')
  await page.getByRole('button', { name: 'Use this one' }).last().click()
  await expect.poll(text).toBe('Title\nwhen? at ten')
  await page.keyboard.press('ControlOrMeta+z')
  await expect(page.getByRole('button', { name: 'Use this one' })).toHaveCount(2)
})

test('A note that is deleted elsewhere while it is written keeps its text, and is restored or kept as a new one', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Ferry')
  await openFollowing(page, notePath(id))
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
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

test('A note that is too long says so, stays in the browser and can be deleted', async ({ page }) => {
  await page.goto('/dashboard/notes')
  await writeButton(page).click()
  await expect(editor(page)).toBeFocused()
  await page.keyboard.insertText('Long\n')
  await page.keyboard.insertText('x'.repeat(100_001))
  await state(page, /^Not saved: The text must have at most 100,000 characters\./)
  expect((await draftsIn(page)).length).toBe(1)
  await tool(page, 'Delete the note').click()
  await expect(page).toHaveURL('/dashboard/notes')
  await expect(page.getByRole('region', { name: 'Only in this browser' })).toHaveCount(0)
  expect(await draftsIn(page)).toEqual([])
})

test('A save without an answer counts as failed after a while, and is sent again', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Ferry')
  await page.addInitScript(() => {
    AbortSignal.timeout = () => {
      const controller = new AbortController()
      Object.assign(window, { expire: () => controller.abort(new DOMException('', 'TimeoutError')) })
      return controller.signal
    }
  })
  await page.goto(notePath(id))
  await editor(page).click()
  // Neither an answer nor an error arrives.
  const release = await hold(page, 'POST /changes')
  const sent = requestOf(page, 'POST /changes')
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(' at 8:40')
  await sent
  await state(page, 'Saving')
  await page.evaluate(() => (window as unknown as { expire: () => void }).expire())
  await state(page, /^Saved on this device/)
  release()
  await expect.poll(async () => (await notes.get(id)).text).toBe('Ferry at 8:40')
  await state(page, 'Saved')
})

test('Text that is typed while a save is in progress is part of the deleted note', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Ferry')
  await page.goto(notePath(id))
  await editor(page).click()
  const release = await hold(page, 'POST /changes')
  const sent = requestOf(page, 'POST /changes')
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(' at 8')
  await sent
  await page.keyboard.type(':40')
  await tool(page, 'Delete the note').click()
  release()
  await expect(page).toHaveURL('/dashboard/notes')
  await expect.poll(() => draftsIn(page)).toEqual([])
  await expect
    .poll(() => notes.get(id))
    .toMatchObject({ text: 'Ferry at 8:40', deletedAt: expect.any(String) })
})

test('Logout asks first if a note is not saved, or its save gets no answer for a moment, and otherwise does not', async ({
  page,
  context,
}) => {
  const logOut = page.getByRole('button', { name: 'Logout' })
  const question = page.getByRole('dialog', { name: 'Log out and discard?' })
  await page.goto('/dashboard/notes')
  await writeButton(page).click()
  await expect(field(page)).toBeFocused()
  const release = await hold(page, 'POST /changes')
  await page.keyboard.type('No answer')
  await logOut.click()
  await expect(question).toContainText('“No answer”')
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(question).toBeHidden()
  release()
  await state(page, 'Saved')

  const restore = await cutOff(context)
  await field(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Only here')
  await state(page, /^Saved on this device/)
  await logOut.click()
  await expect(question).toContainText('“Only here”')
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(question).toBeHidden()
  await expect(field(page)).toBeVisible()
  await restore()
  await state(page, 'Saved')
  await logOut.click()
  await expect(page).toHaveURL('/')
  expect(await draftsIn(page)).toEqual([])
})

test('Logout waits for a save that is in progress, and does not ask', async ({ page, server, user }) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Ferry')
  await page.goto(notePath(id))
  await editor(page).click()
  const release = await hold(page, 'POST /changes')
  const sent = requestOf(page, 'POST /changes')
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(' at 8:40')
  await sent
  await page.getByRole('button', { name: 'Logout' }).click()
  release()
  await expect(page).toHaveURL('/')
})

test('Logging out and discarding removes an unsaved note from the browser for good', async ({
  page,
  context,
}) => {
  await page.goto('/dashboard/notes')
  await writeButton(page).click()
  await expect(field(page)).toBeFocused()
  await cutOff(context)
  await page.keyboard.type('Only here')
  await state(page, /^Saved on this device/)
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('button', { name: 'Log out and discard' }).click()
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
})

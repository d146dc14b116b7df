import type { Page } from '@playwright/test'
import { force, hold, intercept } from './calls.ts'
import { card, cards, sidebarButton, undoBar } from './dashboard-page.ts'
import { expect, signedInTest as test } from './fixtures.ts'
import { editor, field, notePane, notePath, notesOf, openFollowing, tool } from './notes-page.ts'
import type { User } from './user.ts'

const makeTask = (page: Page) => page.keyboard.press('ControlOrMeta+Shift+Enter')
/** Writes at once: with a pause between two letters they would be two changes. */
const write = (page: Page, text: string) => page.keyboard.insertText(text)
const undo = (page: Page) => page.keyboard.press('ControlOrMeta+z')
const redo = (page: Page) => page.keyboard.press('ControlOrMeta+Shift+Z')
const taskLink = (page: Page, title: string) => editor(page).getByRole('button', { name: title })
const titles = (user: User) => async () =>
  (await user.list('getLatestTasks')).map(({ title }) => title).sort()

/** Waits until the note is stored with this text and the tasks are these. */
async function expectStored(
  notes: ReturnType<typeof notesOf>,
  user: User,
  id: string,
  text: string | RegExp,
  tasks: string[],
) {
  await expect
    .poll(async () => (await notes.get(id)).text)
    .toMatch(text instanceof RegExp ? text : exactly(text))
  await expect.poll(titles(user)).toEqual(tasks)
}

const exactly = (text: string) => new RegExp(`^${text.replace(/[[\]().*+?\\]/g, '\\$&')}$`)

test('Undo takes back a line that became a task with its link, also after more was typed, and Redo brings back both', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Garden\n\n- [ ] Water the tomatoes\n- Sow beans')
  await page.goto(notePath(id))
  await editor(page).getByText('Water the tomatoes').click()
  await makeTask(page)
  await expect(taskLink(page, 'Water the tomatoes')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('\nMow')
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect(undoBar(page)).toContainText('“Water the tomatoes” was removed')
  await expectStored(notes, user, id, 'Garden\n\n- [ ] Water the tomatoes\n- Sow beans\n- Mow', [])
  await expect(taskLink(page, 'Water the tomatoes')).toHaveCount(0)
  await undoBar(page).getByRole('button', { name: 'Redo' }).click()
  await expect(taskLink(page, 'Water the tomatoes')).toBeVisible()
  await expectStored(notes, user, id, /- \[Water the tomatoes\]\(task:.{36}\)\n- Sow beans\n- Mow$/, [
    'Water the tomatoes',
  ])
})

test('Ctrl+Z in the editor undoes the task with its link in the order of typing, and Ctrl+Shift+Z redoes it', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Garden\n')
  await page.goto(notePath(id))
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await write(page, 'Water')
  await makeTask(page)
  await expect(taskLink(page, 'Water')).toBeVisible()
  await write(page, ' today')
  await undo(page)
  await expect(taskLink(page, 'Water')).toBeVisible()
  await expectStored(notes, user, id, /^Garden\n\[Water\]\(task:.{36}\)$/, ['Water'])
  await undo(page)
  await expectStored(notes, user, id, 'Garden\nWater', [])
  await redo(page)
  await expect(taskLink(page, 'Water')).toBeVisible()
  await expectStored(notes, user, id, /^Garden\n\[Water\]\(task:.{36}\)$/, ['Water'])
  await undo(page)
  await undo(page)
  await expectStored(notes, user, id, 'Garden\n', [])
})

test('Ctrl+Z pressed before the line has become a task undoes that', async ({ page, server, user }) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Garden\nWater')
  await page.goto(notePath(id))
  await editor(page).getByText('Water').click()
  const release = await hold(page, 'POST /changes')
  await makeTask(page)
  await undo(page)
  release()
  await expect(undoBar(page)).toContainText('“Water” was removed')
  await expectStored(notes, user, id, 'Garden\nWater', [])
  await expect(taskLink(page, 'Water')).toHaveCount(0)
})

test('Text that is typed after a task was undone is undone and redone in its place', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Garden\n')
  await page.goto(notePath(id))
  await editor(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await write(page, 'Water')
  await makeTask(page)
  await expect(taskLink(page, 'Water')).toBeVisible()
  await undo(page)
  await expectStored(notes, user, id, 'Garden\nWater', [])
  await expect(taskLink(page, 'Water')).toHaveCount(0)
  await write(page, ' now')
  await undo(page)
  await expect(editor(page)).not.toContainText('now')
  await redo(page)
  await expect(editor(page)).toContainText('Water now')
  await expectStored(notes, user, id, 'Garden\nWater now', [])
})

test('Lines made tasks in quick succession all become one task each, two with the same text too', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Garden\nWater\nSow\nSow')
  await page.goto(notePath(id))
  await editor(page).getByText('Water').click()
  const release = await hold(page, 'POST /changes')
  await makeTask(page)
  await makeTask(page)
  await page.keyboard.press('ArrowDown')
  await makeTask(page)
  await page.keyboard.press('ArrowDown')
  await makeTask(page)
  release()
  await expectStored(notes, user, id, /^Garden\n\[Water\].*\n\[Sow\].*\n\[Sow\]\(.{41}\)$/, [
    'Sow',
    'Sow',
    'Water',
  ])
  await expect(taskLink(page, 'Water')).toBeVisible()
  await expect(taskLink(page, 'Sow')).toHaveCount(2)
})

test('After a reload, Ctrl+Z in another list takes back the task and the link, whatever another device wrote meanwhile, also without a network', async ({
  page,
  server,
  user,
  context,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Garden\nWater')
  await page.goto(notePath(id))
  await editor(page).getByText('Water').click()
  await makeTask(page)
  await expect(taskLink(page, 'Water')).toBeVisible()
  await expectStored(notes, user, id, /^Garden\n\[Water\]\(task:.{36}\)$/, ['Water'])
  await page.reload()
  const { text } = await notes.get(id)
  await notes.write(id, `New first line\n${text}`)
  await sidebarButton(page, 'Today').click()
  await expect(card(page, 'Water')).toBeVisible()
  await undo(page)
  await expect(cards(page)).toHaveCount(0)
  await expectStored(notes, user, id, 'New first line\nGarden\nWater', [])
  await context.setOffline(true)
  await redo(page)
  await expect(card(page, 'Water')).toBeVisible()
  await undo(page)
  await expect(cards(page)).toHaveCount(0)
  await redo(page)
  await expect(card(page, 'Water')).toBeVisible()
  await context.setOffline(false)
  await expectStored(notes, user, id, /^New first line\nGarden\n\[Water\]\(task:.{36}\)$/, ['Water'])
})

test('A link to a deleted item says so in the text and in the reading view, and the line can become a task again', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: other } = await notes.add('Other')
  const { _id: id } = await notes.add(
    `Garden\n[Water](task:${crypto.randomUUID()})\n[Other](note:${other})\n- Sow`,
  )
  await openFollowing(page, notePath(id))
  await expect(editor(page)).toContainText('Water (not found)')
  await expect(taskLink(page, 'Other')).toBeVisible()
  await notes.change(other, { deleted: true })
  await expect(editor(page)).toContainText('Other (deleted)')
  await editor(page).getByText('Sow').click()
  await makeTask(page)
  await expect(taskLink(page, 'Sow')).toBeVisible()
  await sidebarButton(page, 'Today').click()
  await page.getByRole('button', { name: 'Delete Sow' }).click()
  await expect(cards(page)).toHaveCount(0)
  await page.goBack()
  await expect(editor(page)).toContainText('Sow (deleted)')
  await tool(page, 'Reading view').click()
  await expect(notePane(page)).toContainText('Water (not found)')
  await expect(notePane(page)).toContainText('Sow (deleted)')
  await expect(notePane(page).getByRole('button', { name: 'Sow' })).toHaveCount(0)
  await tool(page, 'Reading view').click()
  await editor(page).getByText('Sow (deleted)').click()
  await makeTask(page)
  await expect(taskLink(page, 'Sow')).toBeVisible()
  await expect.poll(titles(user)).toEqual(['Sow'])
  await makeTask(page)
  await expect(notePane(page).getByRole('alert')).toHaveText('The line is a task already.')
})

test('A task that is deleted or comes back while its note is open changes the link at once', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: task } = await user.add({ title: 'Water' })
  const { _id: id } = await notes.add(`Garden\n[Water](task:${task})\nend`)
  await page.goto(notePath(id))
  await expect(taskLink(page, 'Water')).toBeVisible()
  await sidebarButton(page, 'Today').click()
  await page.getByRole('button', { name: 'Delete Water' }).click()
  await expect(cards(page)).toHaveCount(0)
  await page.goBack()
  await expect(editor(page)).toContainText('Water (deleted)')
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect(taskLink(page, 'Water')).toBeVisible()
})

test('A line with a ticked box becomes a done task, and a line of code or of a table stays as it is and says why', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const text = 'Garden\n\n- [x] Sow\n\n```\nlet x\n```\n\n| Bed | Plant |\n|---|---|\n| one | beans |'
  const { _id: id } = await notes.add(text)
  await page.goto(notePath(id))
  for (const words of ['let x', 'beans']) {
    await editor(page).getByText(words).click()
    await makeTask(page)
    await expect(notePane(page).getByRole('alert')).toHaveText(
      'Only a line of text can become a task, not code or a row of a table.',
    )
  }
  await editor(page).getByText('Sow').click()
  await makeTask(page)
  await expect(notePane(page).getByRole('checkbox', { name: 'Complete Sow' })).toBeChecked()
  await expect.poll(async () => (await notes.get(id)).text).toContain('- [Sow](task:')
  expect((await notes.get(id)).text.replace(/\[Sow\]\(.*\)/, '[x] Sow')).toBe(text)
  await expect.poll(async () => (await user.list('getDoneTasks')).map(({ title }) => title)).toEqual(['Sow'])
})

test('Without a network a line becomes a task, which is undone and redone, and the server gets both after a reload', async ({
  page,
  server,
  user,
  context,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Garden\nWater\nSow')
  await page.goto(notePath(id))
  await editor(page).getByText('Water').click()
  await context.setOffline(true)
  // The server does not have the line as it is now.
  await page.keyboard.press('End')
  await write(page, ' the beans')
  await makeTask(page)
  await expect(taskLink(page, 'Water the beans')).toBeVisible()
  await undo(page)
  await expect(taskLink(page, 'Water the beans')).toHaveCount(0)
  await expect(editor(page)).toContainText('Water the beans')
  for (let press = 0; press < 5; press++) {
    await redo(page)
    await undo(page)
  }
  await redo(page)
  await expect(taskLink(page, 'Water the beans')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await makeTask(page)
  await expect(taskLink(page, 'Sow')).toBeVisible()
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect(undoBar(page)).toContainText('“Sow” was removed')
  await expect(taskLink(page, 'Sow')).toHaveCount(0)
  await context.setOffline(false)
  await page.reload()
  await expectStored(notes, user, id, /^Garden\n\[Water the beans\]\(task:.{36}\)\nSow$/, ['Water the beans'])
})

test('A line that the server rejects as a task is as it was, and says why, at once and after a wait', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Garden\nWater')
  await page.goto(notePath(id))
  await editor(page).getByText('Water').click()
  let [status, answers] = [413, 0]
  await intercept(page, 'POST /changes', async (route) => {
    if (route.request().postDataJSON().changes[0].kind === 'note') return await route.fallback()
    const json = { type: 'about:blank', title: 'Full', status, detail: 'No space is left.' }
    await route.fulfill({ status, json })
    answers++
  })
  await makeTask(page)
  await expect(notePane(page).getByRole('alert')).toHaveText(
    'The line was not made a task. No space is left.',
  )
  await expectStored(notes, user, id, 'Garden\nWater', [])
  status = 503
  answers = 0
  await makeTask(page)
  await expect(taskLink(page, 'Water')).toBeVisible()
  await expect.poll(() => answers).toBe(1)
  status = 413
  const decisions = page.getByRole('region', { name: 'Needs your decision' })
  await expect(decisions).toContainText('No space is left.')
  await decisions.getByRole('button', { name: 'Discard' }).click()
  await expectStored(notes, user, id, 'Garden\nWater', [])
  await page.unrouteAll()
  await editor(page).getByText('Water').click()
  await makeTask(page)
  await expectStored(notes, user, id, /^Garden\n\[Water\]\(task:.{36}\)$/, ['Water'])
  await expect(field(page)).toBeFocused()
  await force(page, 'POST /changes/:seq/undo', { status: 409, json: { detail: 'It was changed again.' } })
  await undo(page)
  await expect(undoBar(page)).toContainText('It was changed again.')
  await expect(taskLink(page, 'Water')).toBeVisible()
  await expectStored(notes, user, id, /^Garden\n\[Water\]\(task:.{36}\)$/, ['Water'])
})

test('A line that became a task and its undo are shown in another tab of the note, which keeps what was typed there', async ({
  page,
  server,
  user,
  context,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Garden\nWater\nSow')
  await openFollowing(page, notePath(id))
  const other = await context.newPage()
  await other.goto(notePath(id))
  await editor(other).getByText('Sow').click()
  await editor(page).getByText('Water').click()
  await makeTask(page)
  await expect(taskLink(other, 'Water')).toBeVisible()
  await write(other, ' beans')
  await expectStored(notes, user, id, /^Garden\n\[Water\]\(task:.{36}\)\n.* beans/, ['Water'])
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect(taskLink(other, 'Water')).toHaveCount(0)
  await expectStored(notes, user, id, /^Garden\nWater\n.* beans/, [])
})

test('The task of a line is taken back when its note was deleted for good meanwhile', async ({
  page,
  server,
  user,
}) => {
  const notes = notesOf(server, user)
  const { _id: id } = await notes.add('Garden\nWater')
  await page.goto(notePath(id))
  await editor(page).getByText('Water').click()
  await makeTask(page)
  await expectStored(notes, user, id, /^Garden\n\[Water\]\(task:.{36}\)$/, ['Water'])
  await sidebarButton(page, 'Today').click()
  await expect(card(page, 'Water')).toBeVisible()
  await notes.change(id, { deleted: true })
  const purged = await page.request.post(`${server.address}/api/v1/items/purge`, {
    headers: { Authorization: `Bearer ${user.token}` },
    data: { items: [id] },
  })
  expect(purged.status()).toBe(200)
  await undo(page)
  await expect(cards(page)).toHaveCount(0)
  await expect.poll(titles(user)).toEqual([])
})

test('The ring of a linked task completes it from the note and follows it, in place of a checkbox, and the head of the note counts', async ({
  page,
  server,
  user,
}) => {
  const task = await user.add({ title: 'Sign the lease' })
  const note = await notesOf(server, user).add(
    `Moving\n\n- [x] Ask Rui\n- [ ] Read the meters\n- [ ] [Sign](task:${task._id})`,
  )
  await openFollowing(page, notePath(note._id))
  const ring = notePane(page).getByRole('checkbox', { name: 'Complete Sign the lease', exact: true })
  await expect(notePane(page)).toContainText('1 of 3 done')
  // The ring is in place of the checkbox of its line.
  await expect(notePane(page).getByRole('checkbox')).toHaveCount(3)
  await ring.click()
  await expect(ring).toBeChecked()
  await expect(notePane(page)).toContainText('2 of 3 done')
  await expect.poll(titles(user)).toEqual([])
  await page.keyboard.press('Control+Home')
  await page.getByRole('button', { name: 'Reading view' }).click()
  await expect(ring).toBeChecked()
  await expect(notePane(page).getByRole('checkbox')).toHaveCount(3)
  await ring.click()
  await expect(ring).not.toBeChecked()
  await expect(notePane(page)).toContainText('1 of 3 done')
})

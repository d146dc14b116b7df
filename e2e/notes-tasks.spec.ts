import type { Page } from '@playwright/test'
import { hold } from './calls.ts'
import { card, cards, sidebarButton, undoBar } from './dashboard-page.ts'
import { openFollowing } from './devices.ts'
import { day, expect } from './fixtures.ts'
import { editor, notePane, notePath, notesTest as test, tool } from './notes-page.ts'
import type { User } from './user.ts'

const makeTask = (page: Page) => page.keyboard.press('ControlOrMeta+Shift+Enter')
/** Writes at once: with a pause between two letters they would be two changes. */
const write = (page: Page, text: string) => page.keyboard.insertText(text)
const undo = (page: Page) => page.keyboard.press('ControlOrMeta+z')
const redo = (page: Page) => page.keyboard.press('ControlOrMeta+Shift+Z')
const taskLink = (page: Page, title: string) => editor(page).getByRole('button', { name: title })
const expectTasks = (user: User, titles: string[]) =>
  expect.poll(async () => (await user.titles()).sort()).toEqual(titles)

test('One key makes a line a task, which Undo and Redo cover', async ({ page, user, openNote }) => {
  const { id, stored } = await openNote('Garden\n\n- [ ] Water the tomatoes\n- Sow beans')
  const [water, bar] = [taskLink(page, 'Water the tomatoes'), undoBar(page)]
  await editor(page).getByText('Water the tomatoes').click()
  await makeTask(page)
  await expect(bar).toContainText('Added “Water the tomatoes”')
  await expect(water).toBeVisible()
  await stored(/^Garden\n\n- \[Water the tomatoes\]\(task:[0-9a-f-]{36}\)\n- Sow beans$/)
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('\nMow')
  await bar.getByRole('button', { name: 'Undo' }).click()
  await expect(bar).toContainText('“Water the tomatoes” was removed')
  await stored('Garden\n\n- [ ] Water the tomatoes\n- Sow beans\n- Mow')
  await expect(water).toHaveCount(0)
  await expectTasks(user, [])
  await bar.getByRole('button', { name: 'Redo' }).click()
  await stored(/- \[Water the tomatoes\]\(task:.{36}\)\n- Sow beans\n- Mow$/)
  await water.click()
  const dialog = page.getByRole('dialog', { name: 'Edit Task' })
  await expect(dialog.getByLabel('Due Date', { exact: true })).toHaveValue(day(0))
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await sidebarButton(page, 'Today').click()
  await card(page, 'Water the tomatoes').getByRole('link', { name: 'Garden' }).click()
  await expect(page).toHaveURL(notePath(id))
})

test('Ctrl+Z in the editor undoes a task in the order of typing', async ({ page, user, openNote }) => {
  const { stored } = await openNote('Garden\n')
  const water = taskLink(page, 'Water')
  const linked = /^Garden\n\[Water\]\(task:.{36}\)$/
  const expectStored = async (text: string | RegExp) => {
    await stored(text)
    await expectTasks(user, text === linked ? ['Water'] : [])
  }
  await write(page, 'Water')
  await makeTask(page)
  await expect(water).toBeVisible()
  await write(page, ' today')
  // The typed word goes first.
  for (const [press, text] of [
    [undo, linked],
    [undo, 'Garden\nWater'],
    [redo, linked],
    [undo, 'Garden\nWater'],
  ] as const) {
    await press(page)
    await expect(water).toHaveCount(text === linked ? 1 : 0)
    await expectStored(text)
  }

  await test.step('Text that is typed after that is undone and redone in its place', async () => {
    await write(page, ' now')
    await undo(page)
    await expect(editor(page)).not.toContainText('now')
    await redo(page)
    await expect(editor(page)).toContainText('Water now')
    await expectStored('Garden\nWater now')
    await undo(page)
    await undo(page)
    await expectStored('Garden\n')
  })
  await test.step('It is undone before the line has become a task', async () => {
    await write(page, 'Water')
    await stored('Garden\nWater')
    const release = await hold(page, 'POST /changes')
    await makeTask(page)
    await undo(page)
    release()
    await expect(undoBar(page)).toContainText('“Water” was removed')
    await expectStored('Garden\nWater')
    await expect(water).toHaveCount(0)
  })
})

test('Lines made tasks in quick succession become one task each', async ({ page, user, openNote }) => {
  const { stored } = await openNote('Garden\nWater\nSow\nSow')
  await editor(page).getByText('Water').click()
  const release = await hold(page, 'POST /changes')
  await makeTask(page)
  await makeTask(page)
  await page.keyboard.press('ArrowDown')
  await makeTask(page)
  await page.keyboard.press('ArrowDown')
  await makeTask(page)
  release()
  await stored(/^Garden\n\[Water\].*\n\[Sow\].*\n\[Sow\]\(.{41}\)$/)
  await expectTasks(user, ['Sow', 'Sow', 'Water'])
  await expect(taskLink(page, 'Water')).toBeVisible()
  await expect(taskLink(page, 'Sow')).toHaveCount(2)
})

test('A link to a deleted item says so and can be a task again', async ({ page, user, notes, openNote }) => {
  const { _id: other } = await notes.add('Other')
  const { _id: task } = await user.add({ title: 'Sow' })
  const { id } = await openNote(
    `Garden\n[Water](task:${crypto.randomUUID()})\n[Other](note:${other})\n- [Sow](task:${task})\nend`,
  )
  await openFollowing(page, notePath(id))
  await expect(editor(page)).toContainText('Water (not found)')
  await expect(taskLink(page, 'Other')).toBeVisible()
  await notes.change(other, { deleted: true })
  await expect(editor(page)).toContainText('Other (deleted)')
  await expect(taskLink(page, 'Sow')).toBeVisible()
  const deleteSow = async () => {
    await sidebarButton(page, 'Today').click()
    await page.getByRole('button', { name: 'Delete Sow' }).click()
    await expect(cards(page)).toHaveCount(0)
    await page.goBack()
    await expect(editor(page)).toContainText('Sow (deleted)')
  }
  await deleteSow()
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect(taskLink(page, 'Sow')).toBeVisible()
  await deleteSow()
  await tool(page, 'Reading view').click()
  await expect(notePane(page)).toContainText('Water (not found)')
  await expect(notePane(page)).toContainText('Sow (deleted)')
  await expect(notePane(page).getByRole('button', { name: 'Sow' })).toHaveCount(0)
  await tool(page, 'Reading view').click()
  await editor(page).getByText('Sow (deleted)').click()
  await makeTask(page)
  await expect(taskLink(page, 'Sow')).toBeVisible()
  await expectTasks(user, ['Sow'])
  await makeTask(page)
  await expect(notePane(page).getByRole('alert')).toHaveText('The line is a task already.')
})

test('A line that cannot become a task stays as it is and says why', async ({ page, user, openNote }) => {
  const text = 'Garden\n\n- [x] Sow\n\n```\nlet x\n```\n\n| Bed | Plant |\n|---|---|\n| one | beans |'
  const note = await openNote(text)
  const alert = notePane(page).getByRole('alert')
  for (const words of ['let x', 'beans']) {
    await editor(page).getByText(words).click()
    await makeTask(page)
    await expect(alert).toHaveText('Only a line of text can become a task, not code or a row of a table.')
  }
  await note.stored(text)
  await editor(page).getByText('Sow').click()
  await makeTask(page)
  await expect(notePane(page).getByRole('checkbox', { name: 'Complete Sow' })).toBeChecked()
  await note.stored(/- \[Sow\]\(task:/)
  expect((await note.text()).replace(/\[Sow\]\(.*\)/, '[x] Sow')).toBe(text)
  await expect.poll(() => user.titles('getDoneTasks')).toEqual(['Sow'])
})

test('The ring of a linked task completes it from the note', async ({ page, user, openNote }) => {
  const task = await user.add({ title: 'Sign the lease' })
  const { id } = await openNote(
    `Moving\n\n- [x] Ask Rui\n- [ ] Read the meters\n- [ ] [Sign](task:${task._id})`,
  )
  await openFollowing(page, notePath(id))
  const pane = notePane(page)
  const ring = pane.getByRole('checkbox', { name: 'Complete Sign the lease', exact: true })
  await expect(pane).toContainText('1 of 3 done')
  // The ring is in place of the checkbox of its line.
  await expect(pane.getByRole('checkbox')).toHaveCount(3)
  await ring.click()
  await expect(ring).toBeChecked()
  await expect(pane).toContainText('2 of 3 done')
  await expectTasks(user, [])
  await page.keyboard.press('Control+Home')
  await tool(page, 'Reading view').click()
  await expect(ring).toBeChecked()
  await expect(pane.getByRole('checkbox')).toHaveCount(3)
  await ring.click()
  await expect(ring).not.toBeChecked()
  await expect(pane).toContainText('1 of 3 done')
})

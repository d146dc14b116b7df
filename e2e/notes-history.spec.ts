import { hold, requestOf } from './calls.ts'
import { undoBar } from './dashboard-page.ts'
import { expect } from './fixtures.ts'
import { editor, enterNote, notePane, notesTest as test, tool } from './notes-page.ts'

test('The history compares a version with the note, and restores it', async ({ page, notes, openNote }) => {
  const { id, stored } = await openNote('Ferry\n8:40\nbring a coat')
  await (await notes.otherSession()).write(id, 'Ferry\n9:40\nbring a coat')
  await expect(editor(page)).toContainText('9:40')
  const versions = page.getByRole('region', { name: 'Today' }).getByRole('button')
  const undo = () => undoBar(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await tool(page, 'History').click()
  await expect(versions).toHaveCount(2)
  await expect(versions.first()).toContainText('Firefox on Android')
  await versions.last().click()
  await expect(notePane(page).locator('del')).toHaveText(['8:40'])
  await expect(notePane(page).locator('ins')).toHaveText(['9:40'])
  await tool(page, 'Restore this version').click()
  await expect(undoBar(page)).toContainText('Restored “Ferry”')
  await expect(editor(page)).toContainText('8:40')
  await stored('Ferry\n8:40\nbring a coat')
  await undo()
  await expect(undoBar(page)).toContainText('“Ferry” has its newer text again')
  await expect(editor(page)).toContainText('9:40')
  await stored('Ferry\n9:40\nbring a coat')

  await test.step('Words that are being saved become a version too', async () => {
    await enterNote(page)
    const release = await hold(page, 'POST /changes')
    const sent = requestOf(page, 'POST /changes')
    await page.keyboard.type(' at the quay')
    await sent
    await tool(page, 'History').click()
    await versions.last().click()
    await tool(page, 'Restore this version').click()
    release()
    await expect(undoBar(page)).toContainText('Restored “Ferry”')
    await stored('Ferry\n8:40\nbring a coat')
    await undo()
    await expect(editor(page)).toContainText('bring a coat at the quay')
  })
})

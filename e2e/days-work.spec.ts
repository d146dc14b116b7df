import type { Page } from '@playwright/test'
import {
  badge,
  card,
  cards,
  chip,
  dateOf,
  openDashboard,
  panelTitle,
  quickLine,
  ring,
  undoBar,
} from './dashboard-page.ts'
import { day, expect } from './fixtures.ts'
import { editor, notePane, notesTest as test } from './notes-page.ts'

/** A keyboard that counts its keys. Typed text is counted separately. */
function countedKeys(page: Page) {
  let keys = 0
  return {
    async press(...names: string[]) {
      for (const name of names) {
        keys++
        await page.keyboard.press(name)
      }
    },
    type: (text: string) => page.keyboard.type(text),
    /** The number of keys since the last call of this function. */
    used() {
      const used = keys
      keys = 0
      return used
    },
  }
}

test('A day’s work takes few keys and no mouse', async ({ page, user, notes }) => {
  for (let count = 0; count < 25; count++)
    await user.add({ title: `task ${count}`, dueDate: day(-count - 1) })
  const keys = countedKeys(page)
  await openDashboard(page)
  await expect(page.getByRole('region', { name: 'Overdue' })).toBeVisible()

  await test.step('Adding a task with a day and a priority takes at most 3 keys beyond its text', async () => {
    await keys.press('q')
    await expect(quickLine(page)).toBeFocused()
    await keys.type('Call Ann tomorrow p1')
    await expect(chip(page, 'Due tomorrow')).toBeVisible()
    await keys.press('Enter')
    await expect(undoBar(page)).toContainText('Added “Call Ann”')
    expect(keys.used()).toBeLessThanOrEqual(3)
    // Leaves the line, as anyone does after the last task.
    await keys.press('Escape')
    await expect(quickLine(page)).not.toBeFocused()
    expect(keys.used()).toBe(1)
    await page.keyboard.press('4')
    await expect(dateOf(card(page, 'Call Ann'), 'Due')).toHaveAttribute('datetime', day(1))
    await expect(badge(card(page, 'Call Ann'))).toHaveText('HIGH')
    await page.keyboard.press('1')
  })

  await test.step('Moving 25 overdue tasks to today takes at most 3 keys, and undoing it takes 1', async () => {
    await expect(page.getByRole('region', { name: 'Overdue' })).toBeVisible()
    // From the first card, the button before it is Move all to today.
    await keys.press('ArrowDown', 'Shift+Tab')
    await expect(page.getByRole('button', { name: 'Move all to today' })).toBeFocused()
    await keys.press('Enter')
    await expect(undoBar(page)).toContainText('Moved 25 tasks to today')
    await expect(cards(page)).toHaveCount(25)
    expect(keys.used()).toBeLessThanOrEqual(3)
    await keys.press('ControlOrMeta+z')
    await expect(undoBar(page)).toContainText('25 tasks are due as before')
    expect(keys.used()).toBe(1)
    await keys.press('ControlOrMeta+Shift+z')
    await expect(cards(page)).toHaveCount(25)
    await expect(page.getByRole('region', { name: 'Overdue' })).toHaveCount(0)
    expect(keys.used()).toBe(1)
  })

  await test.step('Completing the focused task takes 1 key', async () => {
    await keys.press('ArrowDown')
    const focused = page.locator('[data-task]:focus')
    await expect(focused).toHaveCount(1)
    const title = (await focused.getByRole('heading').textContent()) ?? ''
    keys.used()
    await keys.press('x')
    await expect(undoBar(page)).toContainText(`Completed “${title}”`)
    await expect(ring(page, title)).toHaveCount(0)
    // The next card has the focus.
    await expect(focused).toHaveCount(1)
    expect(keys.used()).toBe(1)
  })

  await test.step('Finding a task takes 1 key beyond its text, and opening it 2 more', async () => {
    await keys.press('/')
    await keys.type('call')
    await expect(cards(page)).toHaveCount(1)
    expect(keys.used()).toBe(1)
    await keys.press('Enter', 'Enter')
    await expect(
      page.getByRole('dialog', { name: 'Edit Task' }).getByLabel('Title', { exact: true }),
    ).toHaveValue('Call Ann')
    expect(keys.used()).toBe(2)
    await keys.press('Escape', 'Escape')
    await expect(panelTitle(page)).toHaveText("Today's Tasks")
    expect(keys.used()).toBe(2)
  })

  await test.step('Writing a note takes 1 key beyond its text', async () => {
    await keys.press('w')
    await expect(editor(page)).toBeFocused()
    await keys.type('Ferry at 8:40')
    await expect(notePane(page).getByText('Saved', { exact: true })).toBeVisible()
    expect(keys.used()).toBe(1)
    await expect.poll(() => notes.list()).toMatchObject([{ title: 'Ferry at 8:40' }])
  })
})

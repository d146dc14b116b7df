import type { Page } from '@playwright/test'
import { recordCalls, settle } from './calls.ts'
import { card, openDashboard, panelTitle, titlesOf } from './dashboard-page.ts'
import { day, expect, signedInTest as test } from './fixtures.ts'
import { holdFile } from './notes-page.ts'

/** Everything over the list that a key opens, by the keys that open it. */
const openings: Record<string, string[]> = {
  'Add Task': ['n'],
  'Edit Task': ['e'],
  Move: ['m'],
  'Move of several': ['Shift+ArrowDown', 'm'],
  Priority: ['p'],
  'Priority of several': ['Shift+ArrowDown', 'p'],
  Tag: ['Shift+ArrowDown', 't'],
  Keys: ['?'],
  'The palette': ['ControlOrMeta+k'],
}

/** Has the letters of all keys that act on a list or a card, and spaces. */
const sentence = 'in 9 days next week squeeze jam for my picnic? tomorrow'

const overlay = (page: Page) => page.locator('dialog[open], [role=menu]:popover-open')

/** Types the sentence without a pause: no key waits until the page has handled the one before. */
async function typeFast(page: Page) {
  const session = await page.context().newCDPSession(page)
  await Promise.all(
    [...sentence].flatMap((text) => [
      session.send('Input.dispatchKeyEvent', { type: 'keyDown', key: text, text }),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', key: text }),
    ]),
  )
  await session.detach()
}

test('A sentence typed fast after a key that opens something changes nothing', async ({ page, user }) => {
  await user.add({ title: 'first', dueDate: day(-1) })
  await user.add({ title: 'second' })
  await openDashboard(page)
  const calls = recordCalls(page)
  for (const [name, keys] of Object.entries(openings))
    for (const isLate of [true, false])
      await test.step(`${name}, which ${isLate ? 'is loaded' : 'has loaded'}`, async () => {
        const held = isLate ? await holdFile(page, 'rest') : undefined
        if (isLate) await page.reload()
        await card(page, 'first').focus()
        for (const key of keys) await page.keyboard.press(key)
        await typeFast(page)
        held?.arrive()
        await expect(overlay(page)).toHaveCount(1)
        await page.keyboard.press('Escape')
        await expect(overlay(page)).toHaveCount(0)
        await page.unrouteAll()
        expect(await titlesOf(page)).toEqual(['first', 'second'])
        await expect(panelTitle(page)).toHaveText("Today's Tasks")
        const selected = keys[0] === 'Shift+ArrowDown' ? 2 : 0
        await expect(page.locator('[data-task][data-selected=true]')).toHaveCount(selected)
        if (selected > 0) await page.keyboard.press('Escape')
      })
  await test.step('The review', async () => {
    await page.getByRole('button', { name: 'Review', exact: true }).press('Enter')
    await typeFast(page)
    await expect(overlay(page)).toContainText('1 of 1')
    await page.keyboard.press('Escape')
  })
  await settle(page, calls)
  expect(calls.filter(({ call }) => !call.startsWith('GET'))).toEqual([])
})

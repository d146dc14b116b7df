import type { Page } from '@playwright/test'
import { recordCalls, settle } from './calls.ts'
import {
  addDialog,
  badge,
  card,
  cards,
  editButton,
  editDialog,
  openDashboard,
  openList,
  panelTitle,
  pressOn,
  priorityButton,
  quickLine,
  ring,
  sidebarButton,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { day, expect, signedInTest as test } from './fixtures.ts'

const focusedCard = (page: Page) => page.locator('article:focus')

async function addThree(page: Page, add: (task: { title: string }) => Promise<unknown>) {
  for (const title of ['one', 'two', 'three']) await add({ title })
  await openDashboard(page, 3)
  return titlesOf(page)
}

test('Keys move the focus from card to card, visibly, and act on that card', async ({ page, user }) => {
  const [first = '', second = '', third = ''] = await addThree(page, user.add)
  for (const [key, title] of [
    ['ArrowDown', first],
    ['j', second],
    ['ArrowDown', third],
    ['ArrowDown', third],
    ['k', second],
    ['End', third],
    ['Home', first],
    ['ArrowUp', first],
  ] as const) {
    await page.keyboard.press(key)
    await expect(card(page, title), key).toBeFocused()
    await expect(focusedCard(page)).toHaveCSS('outline-style', 'solid')
    // An outline outside of the card would be cut off by the list's entry.
    await expect(focusedCard(page)).toHaveCSS('outline-offset', '-2px')
  }
  await ring(page, second).focus()
  await page.keyboard.press('ArrowDown')
  await expect(card(page, third)).toBeFocused()
  await test.step('In a field, in a dialog and on the calendar the arrow keys move no card focus', async () => {
    await quickLine(page).focus()
    await page.keyboard.press('ArrowDown')
    await expect(quickLine(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await page.keyboard.press('n')
    await addDialog(page).getByRole('button', { name: 'Cancel' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect(addDialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Escape')
    const today = page.getByRole('grid').getByRole('button', { name: /^Today/ })
    await today.focus()
    await page.keyboard.press('ArrowUp')
    await expect(page.getByRole('grid').locator('button:focus')).toHaveCount(1)
    await expect(focusedCard(page)).toHaveCount(0)
  })
  await test.step('Delete held down deletes the focused card alone, moves to the next and can be undone', async () => {
    // No card has the focus: the key deletes none.
    await page.keyboard.press('Delete')
    await card(page, first).focus()
    const calls = recordCalls(page)
    for (let repeats = 0; repeats < 10; repeats++) await page.keyboard.down('Delete')
    await expect(card(page, second)).toBeFocused()
    for (let repeats = 0; repeats < 10; repeats++) await page.keyboard.down('Delete')
    await page.keyboard.up('Delete')
    await settle(page, calls)
    expect(calls).toHaveLength(1)
    await expect(undoBar(page)).toContainText(`Deleted “${first}”`)
    await page.keyboard.press('ControlOrMeta+z')
    await expect(card(page, first)).toBeVisible()
  })
  await test.step('Without cards the arrow keys do nothing', async () => {
    // The server has undone the deletion.
    await expect.poll(async () => (await user.list('getLatestTasks')).length).toBe(3)
    for (const task of await user.list('getLatestTasks')) await user.remove(task)
    await expect(page.getByText('No tasks for today', { exact: true }).first()).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expect(panelTitle(page)).toBeVisible()
    await expect(focusedCard(page)).toHaveCount(0)
  })
})

test('After a click elsewhere, the keys enter the cards and select all of them', async ({ page, user }) => {
  await addThree(page, user.add)
  for (const [key, from] of [
    ['ArrowDown', sidebarButton(page, 'Latest')],
    ['j', page.getByRole('button', { name: 'Go to the Next Month' })],
    ['k', panelTitle(page)],
  ] as const) {
    await from.click()
    await expect(panelTitle(page)).toHaveText('Recent')
    await expect(cards(page)).toHaveCount(3)
    await page.keyboard.press(key)
    await expect(cards(page).first()).toBeFocused()
  }
  await page.keyboard.press('3')
  await priorityButton(page, 'Low').click()
  await expect(cards(page)).toHaveCount(3)
  await page.keyboard.press('ArrowDown')
  await expect(cards(page).first()).toBeFocused()
  await openList(page, 'Today')
  await expect(cards(page)).toHaveCount(3)
  await page.keyboard.press('ControlOrMeta+a')
  await expect(page.getByText('3 selected')).toBeVisible()
})

test('The focus passes from group to group, and the focused card is in view', async ({ page, user }) => {
  for (let count = 1; count <= 3; count++)
    await user.add({ title: `late ${count}`, dueDate: day(-9 + count) })
  for (let count = 0; count < 12; count++) await user.add({ title: `task ${count}` })
  await openDashboard(page, 15)
  for (const title of await titlesOf(page)) {
    await page.keyboard.press('ArrowDown')
    await expect(card(page, title)).toBeFocused()
    await expect(card(page, title)).toBeInViewport({ ratio: 0.99 })
  }
  await page.keyboard.press('Home')
  await expect(card(page, 'late 3')).toBeInViewport({ ratio: 0.99 })
  // Half of a card is under the bar: the first one that can be read is the next.
  const [, , half = '', next = ''] = await titlesOf(page)
  await card(page, half).evaluate((element) => {
    const bar = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
    const { top, height } = element.getBoundingClientRect()
    window.scrollBy(0, top + height / 2 - bar)
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  })
  await page.keyboard.press('j')
  await expect(card(page, next)).toBeFocused()
})

test('In a list opened from far down in another, a key focuses the first card', async ({ page, user }) => {
  await Promise.all(Array.from({ length: 30 }, (_, number) => user.add({ title: `task ${number}` })))
  await openDashboard(page, 30)
  // The page has both lists then, and shows each at once.
  for (const [key, title] of [
    ['2', 'Recent'],
    ['1', "Today's Tasks"],
  ] as const) {
    await page.keyboard.press(key)
    await expect(panelTitle(page)).toHaveText(title)
    await expect(cards(page)).toHaveCount(30)
  }
  await page.evaluate(() => window.scrollTo(0, 300))
  await page.evaluate(async () => {
    for (const key of ['2', 'j']) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      // React renders the list in a microtask.
      await Promise.resolve()
    }
  })
  await expect(panelTitle(page)).toHaveText('Recent')
  await expect(cards(page)).toHaveCount(30)
  await expect(cards(page).first()).toBeFocused()
})

test('Held down, the arrow key continues in the next page of the list', async ({ page, user }) => {
  for (let count = 0; count < 60; count++) await user.add({ title: `task ${count}` })
  await openDashboard(page, 50)
  await page.keyboard.press('ArrowDown')
  await expect(cards(page).first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(cards(page)).toHaveCount(60)
  await expect(cards(page).nth(49)).toBeFocused()
  for (let repeats = 0; repeats < 20; repeats++) await page.keyboard.down('ArrowDown')
  await page.keyboard.up('ArrowDown')
  await expect(cards(page).last()).toBeFocused()
})

test('Enter, e and p on a card open Edit or its priorities and return the focus', async ({ page, user }) => {
  const [first = '', second = ''] = await addThree(page, user.add)
  const calls = recordCalls(page)
  await page.keyboard.press('ArrowDown')
  for (const key of ['Enter', 'e']) {
    // Held down: the repeats reach the dialog.
    for (let repeats = 0; repeats < 10; repeats++) await page.keyboard.down(key)
    await page.keyboard.up(key)
    await expect(editDialog(page)).toBeVisible()
    await settle(page, calls)
    expect(calls).toEqual([])
    await page.keyboard.press('Escape')
    await expect(editDialog(page)).toBeHidden()
    await expect(card(page, first)).toBeFocused()
  }
  await test.step('Enter on a button of a card presses that button', async () => {
    await editButton(page, first).focus()
    await page.keyboard.press('Enter')
    await expect(editDialog(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(editDialog(page)).toBeHidden()
    await ring(page, first).focus()
    await page.keyboard.press('Enter')
    await expect(editDialog(page)).toBeHidden()
  })
  await test.step('p opens the three priorities, as a press on the badge does, and a number chooses one', async () => {
    const menu = (title: string) => page.getByRole('menu', { name: `Priority of ${title}` })
    const choice = (name: string) => page.getByRole('menuitemradio', { name })
    await pressOn(page, first, 'p')
    await expect(choice('Low')).toBeFocused()
    await expect(choice('Low')).toBeChecked()
    await page.keyboard.press('1')
    await expect(badge(card(page, first))).toHaveText('HIGH')
    await expect(card(page, first)).toBeFocused()
    await expect(panelTitle(page)).toHaveText("Today's Tasks")
    await expect(undoBar(page)).toContainText(`Changed “${first}”`)

    await badge(card(page, second)).click()
    await expect(menu(second)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(menu(second)).toBeHidden()
    await badge(card(page, second)).click()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect(badge(card(page, second))).toHaveText('MEDIUM')
    await page.keyboard.press('1')
    await expect(badge(card(page, second))).toHaveText('MEDIUM')
  })
})

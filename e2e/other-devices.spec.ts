import { intercept, recordCalls } from './calls.ts'
import {
  card,
  cards,
  editButton,
  editDialog,
  fillTask,
  panelTitle,
  ring,
  titlesOf,
} from './dashboard-page.ts'
import { openFollowing } from './devices.ts'
import { expect, expectToasts, signedInTest as test } from './fixtures.ts'

test('Changes of another device appear by themselves and disturb nothing', async ({ page, user, alerts }) => {
  await user.add({ title: 'first' })
  await openFollowing(page)
  await expect(card(page, 'first')).toBeVisible()
  const calls = recordCalls(page)
  await test.step('A key that is meant for a card acts on no other one after another device has removed the card', async () => {
    const gone = await user.add({ title: 'Feed the cat', priority: 'high' })
    await expect(card(page, gone.title)).toBeVisible()
    await page.keyboard.press('j')
    await expect(card(page, gone.title)).toBeFocused()
    await user.remove(gone)
    await expect(card(page, gone.title)).toHaveCount(0)
    await expect(panelTitle(page)).toBeFocused()
    await page.keyboard.press('x')
    await page.keyboard.press('Delete')
    await expect(cards(page)).toHaveCount(1)
    await page.keyboard.press('j')
    await expect(card(page, 'first')).toBeFocused()
    expect(calls).toEqual([])
  })
  await test.step('An open edit box keeps the typed text while its task changes elsewhere, and the focus stays', async () => {
    const task = await user.add({ title: 'Paint' })
    await editButton(page, 'Paint').click()
    await fillTask(editDialog(page), { title: 'Paint the mark' })
    await user.edit(task, { title: 'Paint elsewhere' })
    await expect(page.locator('article', { hasText: 'Paint elsewhere' })).toBeAttached()
    const title = editDialog(page).getByLabel('Title', { exact: true })
    await expect(title).toHaveValue('Paint the mark')
    await expect(title).toBeFocused()
    await user.remove(task)
    await expect(page.locator('article')).toHaveCount(1)
    await expect(title).toHaveValue('Paint the mark')
    expect(alerts).toEqual([])
    await expectToasts(page, [])
    await editDialog(page).getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText(/Failed to update task/).first()).toBeVisible()
  })
})

test('Changes of another device to a long list move neither focus nor page', async ({ page, user }) => {
  const tasks = []
  for (let number = 100; number < 170; number++)
    tasks.push(await user.add({ title: `Task ${number}`, priority: 'medium' }))
  await page.setViewportSize({ width: 1280, height: 400 })
  await openFollowing(page)
  await expect(cards(page)).toHaveCount(50)
  const kept = editButton(page, 'Task 106')
  await kept.focus()
  await kept.scrollIntoViewIfNeeded()
  const top = () => card(page, 'Task 106').evaluate((element) => element.getBoundingClientRect().top)
  const before = await top()
  const expectInPlace = async () => {
    await expect(kept).toBeFocused()
    // Browsers scroll by whole pixels, and heights of cards are not.
    await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThanOrEqual(1)
  }
  const above = await user.add({ title: 'above', priority: 'high' })
  await expect(card(page, 'above')).toBeAttached()
  await expectInPlace()
  await user.remove(above)
  await expect(card(page, 'above')).toHaveCount(0)
  await expectInPlace()

  const [moved, , removed] = tasks as [(typeof tasks)[0], unknown, (typeof tasks)[0]]
  const last = tasks[49] as (typeof tasks)[0]
  await user.add({ title: 'before', priority: 'high' })
  await user.add({ title: 'behind', priority: 'low' })
  await user.edit(moved, { title: 'moved behind', priority: 'low' })
  await user.remove(removed)
  await user.edit(last, { title: 'last of the page' })
  await expect(card(page, 'before')).toBeAttached()
  await expect(card(page, 'last of the page')).toBeAttached()
  await expect(cards(page)).toHaveCount(50)
  await cards(page).last().scrollIntoViewIfNeeded()
  await expect(cards(page)).toHaveCount(71)
  const shown = await titlesOf(page)
  await page.setViewportSize({ width: 1280, height: 20_000 })
  await page.reload()
  await expect(cards(page)).toHaveCount(71)
  expect(await titlesOf(page)).toEqual(shown)
})

test('A card whose task another device reopens before it has gone is visible', async ({ page, user }) => {
  const task = await user.add({ title: 'reopened' })
  await openFollowing(page)
  await intercept(page, 'POST /changes', async (route) => {
    const response = await route.fetch()
    await user.change(task, { done: false })
    await route.fulfill({ response })
  })
  await ring(page, 'reopened').click()
  await expect(ring(page, 'reopened')).not.toBeChecked()
  const animations = () =>
    page.locator('li', { has: card(page, 'reopened') }).evaluate((element) => element.getAnimations().length)
  await expect.poll(animations).toBe(0)
})

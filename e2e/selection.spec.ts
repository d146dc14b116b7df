import type { Locator, Page } from '@playwright/test'
import { recordCalls, settle } from './calls.ts'
import {
  badge,
  card,
  cards,
  editDialog,
  moveButton,
  openDashboard,
  panelTitle,
  pressOn,
  quickLine,
  ring,
  titlesOf,
  undoBar,
} from './dashboard-page.ts'
import { day, nextMonday } from './days.ts'
import { expect, moving, phone, signedInTest as test } from './fixtures.ts'
import { holdFile } from './notes-page.ts'
import type { User } from './user.ts'

test.use(moving)

const bar = (page: Page) => page.getByRole('region', { name: 'Selection' })
const barButton = (page: Page, name: string) => bar(page).getByRole('button', { name })
const selected = (page: Page) => page.locator('article[data-selected=true]')
const changesIn = (calls: { call: string; body: unknown }[]) =>
  calls
    .filter(({ call }) => call === 'POST /changes')
    .map(({ body }) => (body as { changes: { group: string; set: object }[] }).changes)

const clickTitle = (card: Locator, modifier: 'ControlOrMeta' | 'Shift') =>
  card.getByRole('heading').click({ modifiers: [modifier] })

async function addTasks(page: Page, { add }: User, count: number) {
  for (let index = 0; index < count; index++) await add({ title: `task ${index}`, dueDate: day(0) })
  await openDashboard(page, count)
  return titlesOf(page)
}

test('Keys select a range, change it as one group, and one undo takes it back', async ({ page, user }) => {
  const titles = await addTasks(page, user, 5)
  const [, , third = '', fourth = ''] = titles
  const calls = recordCalls(page)
  const { keyboard } = page
  for (const key of ['j', 'Shift+ArrowDown', 'Shift+J', 'Shift+ArrowDown', 'Shift+ArrowUp'])
    await keyboard.press(key)
  await expect(card(page, third)).toBeFocused()
  await expect(selected(page)).toHaveCount(3)
  await expect(card(page, third)).toHaveAccessibleDescription('Selected')
  await expect(page.getByRole('status').filter({ hasText: '3 tasks selected' })).toHaveCount(1)
  await keyboard.press('x')
  await expect(undoBar(page)).toContainText('Completed 3 tasks')
  await expect(bar(page)).toHaveCount(0)
  await expect(card(page, fourth)).toBeFocused()
  await settle(page, calls)
  const [changes = [], ...others] = changesIn(calls)
  expect(others).toEqual([])
  expect(changes.map(({ set }) => set)).toEqual([{ done: true }, { done: true }, { done: true }])
  expect(new Set(changes.map(({ group }) => group)).size).toBe(1)
  await keyboard.press('ControlOrMeta+z')
  await expect(cards(page)).toHaveCount(5)
  expect(await titlesOf(page)).toEqual(titles)

  await keyboard.press('ControlOrMeta+a')
  await expect(selected(page)).toHaveCount(5)
  await keyboard.press('Escape')
  await expect(bar(page)).toHaveCount(0)
  for (const key of ['s', 'k', 's', 'p', '1']) await keyboard.press(key)
  await expect(undoBar(page)).toContainText('Changed 2 tasks to high')
  await expect(page.locator('[data-priority=high]')).toHaveCount(2)

  // The press that opens the dialog chooses nothing in it, where the same key means tomorrow.
  for (const key of ['Home', 's', 'j', 's', 'm']) await keyboard.press(key)
  await expect(page.getByRole('dialog', { name: 'Move' })).toContainText('2 tasks')
  for (const key of ['w', 'Enter']) await keyboard.press(key)
  const nextWeek = async () =>
    (await user.list('getLatestTasks')).filter(({ dueDate }) => dueDate === nextMonday())
  await expect.poll(nextWeek).toHaveLength(2)
})

test('Keys before the tools of a selection have loaded change its tasks', async ({ page, user }) => {
  for (const title of ['one', 'two']) await user.add({ title, dueDate: day(0) })
  for (const [keys, priority] of [
    [['j', 'Shift+J', 'p', '2'], 'medium'],
    [['j', 's', 'j', 's', 'p', '1'], 'high'],
  ] as const) {
    const { arrive } = await holdFile(page, 'rest')
    await openDashboard(page, 2)
    // Alone, the number opens a view.
    for (const key of keys) await page.keyboard.press(key)
    arrive()
    await expect(undoBar(page)).toContainText(`Changed 2 tasks to ${priority}`)
    await expect(panelTitle(page)).toHaveText("Today's Tasks")
    await page.unrouteAll()
  }
})

test('Keys that come before the tools of a selection are not typed into a field, and a dialog over it gets its keys once', async ({
  page,
  user,
}) => {
  for (const title of ['one', 'two']) await user.add({ title, dueDate: day(0) })
  const select = async (...keys: string[]) => {
    const { arrive } = await holdFile(page, 'rest')
    await openDashboard(page, 2)
    for (const key of ['j', 's', ...keys]) await page.keyboard.press(key)
    return arrive
  }
  await test.step('A dialog', async () => {
    const arrive = await select()
    await moveButton(page, 'two').click()
    await page.keyboard.type('friday')
    arrive()
    await expect(page.getByRole('dialog', { name: 'Move' }).locator('input').first()).toHaveValue('friday')
    await page.unrouteAll()
  })
  const arrive = await select('x')
  await quickLine(page).click()
  await page.keyboard.type('milk')
  arrive()
  await expect(undoBar(page)).toContainText('Completed “')
  await expect(quickLine(page)).toHaveValue('milk')
})

test('With folded tasks, Ctrl+A says how many there are, and selects all', async ({ page, user }) => {
  for (let days = 1; days <= 5; days++) await user.add({ title: `late ${days}`, dueDate: day(-days) })
  await user.add({ title: 'due' })
  await openDashboard(page, 4)
  const all = barButton(page, 'Select all 6')
  await page.keyboard.press('j')
  await page.keyboard.press('ControlOrMeta+a')
  await expect(bar(page)).toContainText('4 selected · all 6')
  await page.keyboard.press('s')
  await expect(all).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+a')
  await all.click()
  await expect(selected(page)).toHaveCount(6)
  await expect(all).toHaveCount(0)
  await page.keyboard.press('x')
  await expect(undoBar(page)).toContainText('Completed 6 tasks')
})

test('Ctrl- and Shift-click select cards, which the bar moves, tags and deletes', async ({ page, user }) => {
  const [first = '', second = '', third = ''] = await addTasks(page, user, 5)
  // Loads the code for the pointer.
  await page.keyboard.press('j')
  await page.keyboard.press('s')
  await expect(bar(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await clickTitle(card(page, first), 'ControlOrMeta')
  await clickTitle(card(page, third), 'Shift')
  await clickTitle(card(page, second), 'ControlOrMeta')
  await expect(editDialog(page)).toBeHidden()
  await expect(selected(page)).toHaveCount(2)
  await barButton(page, 'Tag 2 tasks').click()
  const tagging = page.getByRole('dialog', { name: 'Tag 2 tasks' })
  await expect(tagging.getByLabel('Tag', { exact: true })).toBeFocused()
  await page.keyboard.type('home')
  await page.keyboard.press('Enter')
  await expect(tagging).toBeHidden()
  await expect(undoBar(page)).toContainText('Changed 2 tasks by adding #home')
  await expect(card(page, `${third} #home`)).toBeVisible()

  await clickTitle(card(page, second), 'ControlOrMeta')
  await clickTitle(card(page, `${first} #home`), 'Shift')
  await barButton(page, 'Move 2 tasks').click()
  await page.getByRole('button', { name: 'Move to tomorrow' }).click()
  await expect(undoBar(page)).toContainText('Moved 2 tasks to ')
  await expect(cards(page)).toHaveCount(3)
  await expect(panelTitle(page)).toBeFocused()

  await clickTitle(cards(page).first(), 'ControlOrMeta')
  await clickTitle(cards(page).last(), 'Shift')
  await barButton(page, 'Delete 3 tasks').click()
  await expect(undoBar(page)).toContainText('Deleted 3 tasks')
  await expect(cards(page)).toHaveCount(0)
  await undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await expect(cards(page)).toHaveCount(3)
})

const phoneTest = test.extend(phone)

/** One finger along these points, after a moment at the first of them if it is a long press. */
async function touch(page: Page, points: { x: number; y: number }[], isLong?: () => Promise<unknown>) {
  const client = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: typeof points) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints })
  const [start, ...path] = points
  if (start) await send('touchStart', [start])
  await isLong?.()
  for (const point of path) await send('touchMove', [point])
  await send('touchEnd', [])
}

/** Loads the code that follows the finger. */
async function loadTools(page: Page) {
  for (const key of ['j', 's']) await page.keyboard.press(key)
  await expect(bar(page)).toBeVisible()
  await expect(selected(page)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(bar(page)).toHaveCount(0)
  await expect(selected(page)).toHaveCount(0)
}

async function middleOf(page: Page, title: string) {
  const box = await card(page, title).boundingBox()
  return { x: 190, y: (box?.y ?? 0) + 18 }
}

phoneTest('A swipe to the right completes, one to the left moves, others nothing', async ({ page, user }) => {
  const [first = '', second = '', third = ''] = await addTasks(page, user, 12)
  await loadTools(page)
  const { x, y } = await middleOf(page, first)
  const along = (y: number, ...steps: number[]) => steps.map((step) => ({ x: x + step, y }))
  await expect(card(page, first)).toHaveCSS('touch-action', 'pan-y pinch-zoom')

  // None of these completes the third task: the bar would count it with the second.
  const other = await middleOf(page, third)
  await touch(page, along(other.y, -170, -90, 0, 100))
  await touch(page, along(other.y, 0, 40, 160, 60))
  await touch(page, along(other.y, 0, 5, 60, 100))
  await touch(page, along((await middleOf(page, second)).y, 0, 40, 100, 160))
  await expect(undoBar(page)).toContainText(`Completed “${second}”`)
  // A card above the one that has gone: those below come up when its gap closes.
  await touch(page, along(y, 0, -40, -100, -160))
  const dialog = page.getByRole('dialog', { name: 'Move' })
  await expect(dialog).toContainText(first)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await touch(
    page,
    [0, 40, 120, 300].map((step) => ({ x: x + step / 3, y: y + 400 - step })),
  )
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(50)
  await expect(ring(page, first)).not.toBeChecked()
  await expect(page.locator('[data-swipe]')).toHaveCount(0)
})

phoneTest('A long press selects a card, and then taps select others', async ({ page, user }) => {
  const [first = '', second = '', third = ''] = await addTasks(page, user, 3)
  await loadTools(page)
  await touch(page, [await middleOf(page, first)], () => expect(selected(page)).toHaveCount(1))
  for (const title of [second, third, second]) await card(page, title).getByRole('heading').tap()
  await expect(selected(page)).toHaveCount(2)
  await expect(editDialog(page)).toBeHidden()
  await barButton(page, 'Complete 2 tasks').tap()
  await expect(undoBar(page)).toContainText('Completed 2 tasks')
  await expect(badge(card(page, second))).toBeVisible()
})

test('Selected repeats are skipped, stopped and completed as one group', async ({ page, user }) => {
  await user.add({ title: 'Vitamins', dueDate: day(0), repeat: 'FREQ=DAILY' })
  await user.add({ title: 'Bins', dueDate: day(0), repeat: 'FREQ=WEEKLY' })
  await user.add({ title: 'Dentist', dueDate: day(0) })
  await page.goto('/dashboard?list=latest')
  await expect(page.getByText('Every week')).toBeVisible()
  const days = () =>
    cards(page).evaluateAll((all) =>
      all
        .map((each) => [
          each.querySelector('h2')?.textContent,
          each.querySelector('.task-due time')?.getAttribute('datetime'),
        ])
        .sort(),
    )
  const all = (vitamins: string, bins: string) => [
    ['Bins', bins],
    ['Dentist', day(0)],
    ['Vitamins', vitamins],
  ]
  async function pressOnAll(...keys: string[]) {
    await pressOn(page, 'Vitamins', 'ControlOrMeta+a', ...keys)
  }
  const undo = () => undoBar(page).getByRole('button', { name: 'Undo' }).click()
  await pressOnAll('m')
  await page.getByRole('button', { name: 'Skip those that repeat' }).click()
  await expect(undoBar(page)).toContainText(/^Skipped 2 tasks(Undo)?$/)
  await expect.poll(days).toEqual(all(day(1), day(7)))
  await undo()
  await expect.poll(days).toEqual(all(day(0), day(0)))
  await pressOnAll('m')
  await page.getByRole('button', { name: 'Stop repeating' }).click()
  await expect(undoBar(page)).toContainText('Stopped repeating 2 tasks')
  await expect(page.getByText('Every week')).toHaveCount(0)
  await undo()
  await expect(page.getByText('Every week')).toBeVisible()
  await pressOnAll('x')
  await expect(undoBar(page)).toContainText('Completed 3 tasks')
  await expect.poll(days).toEqual([
    ['Bins', day(7)],
    ['Vitamins', day(1)],
  ])
  await undo()
  await expect.poll(days).toEqual(all(day(0), day(0)))
  await page.goto('/dashboard?list=latest')
  await expect.poll(days).toEqual(all(day(0), day(0)))
})

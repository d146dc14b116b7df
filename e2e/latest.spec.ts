import type { Page } from '@playwright/test'
import { force, hold, intercept, keepFailed, recordCalls, serverError } from './calls.ts'
import {
  calendarDay,
  card,
  cards,
  openDashboard,
  openList,
  panelTitle,
  sidebarButton,
  titlesOf,
} from './dashboard-page.ts'
import { day, expect, expectToasts, signedInTest as test } from './fixtures.ts'

const noneToday = 'info: No tasks for today'

/** Scrolls the page, not a card: the cards are replaced while further ones are rendered. */
const scrollToEnd = (page: Page) => page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))

const scrollUntil = (page: Page, count: number) =>
  expect(async () => {
    await scrollToEnd(page)
    await expect(cards(page)).toHaveCount(count, { timeout: 100 })
  }).toPass()

test('The Latest panel is titled "Recent" and says when it has no tasks', async ({ page, user }) => {
  await openDashboard(page)
  await expectToasts(page, [noneToday])
  const release = await hold(page, 'GET /list/getLatestTasks')
  await openList(page, 'Latest')
  await expectToasts(page, [noneToday])
  release()
  await expect(page.getByRole('main').getByText('No tasks found', { exact: true })).toBeVisible()
  await expect(page.getByRole('main').getByText('No tasks for today')).toHaveCount(0)
  await test.step('An empty Latest list is also announced by the info toast "No latest tasks found"', () =>
    expectToasts(page, [noneToday, 'info: No latest tasks found']))
  await test.step('Latest lists all tasks, newest first', async () => {
    await user.add({ title: 'first', dueDate: day(300), priority: 'low' })
    await user.add({ title: 'second', dueDate: day(-300), priority: 'high' })
    await user.add({ title: 'third', dueDate: day(0), priority: 'medium' })
    await openDashboard(page)
    await sidebarButton(page, 'Latest').click()
    await expect(cards(page)).toHaveCount(3)
    expect(await titlesOf(page)).toEqual(['third', 'second', 'first'])
    await expectToasts(page, [])
  })
})

test('A Latest list that fails is "Cannot get latest tasks" and can be retried', async ({ page, user }) => {
  await user.add({ title: 'due later', dueDate: day(5) })
  await keepFailed(page)
  // The list would be shown from the store as soon as that is complete.
  await force(page, 'GET /changes', { status: 404 })
  let forced: typeof serverError | 'dropped' | undefined
  await intercept(page, 'GET /list/getLatestTasks', (route) => {
    if (forced === undefined) return route.fallback()
    return forced === 'dropped' ? route.abort('connectionreset') : route.fulfill(forced)
  })
  for (const [failure, answer] of Object.entries({
    'an error': serverError,
    'no answer': 'dropped' as const,
  }))
    await test.step(`A Latest list that gets ${failure}`, async () => {
      forced = answer
      await openDashboard(page)
      await expectToasts(page, [noneToday])
      await sidebarButton(page, 'Latest').click()
      await expectToasts(page, [noneToday, 'error: Cannot get latest tasks'])
      await expect(page.getByText('No tasks found')).toHaveCount(0)
      forced = undefined
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(card(page, 'due later')).toBeVisible()
    })
})

test('A long list shows more on scrolling, each task once and in order', async ({ page, user }) => {
  const expected: string[] = []
  for (let number = 1; number <= 120; number++) {
    expected.unshift(`task ${number}`)
    await user.add({ title: `task ${number}`, dueDate: day(number === 1 ? 1 : 0) })
  }
  const calls = recordCalls(page)
  await force(page, 'GET /changes', { status: 404 })
  const further = /getLatestTasks.*cursor=/
  await page.route(further, (route) => route.fulfill(serverError))
  await openDashboard(page)
  await sidebarButton(page, 'Latest').click()
  await expect(cards(page)).toHaveCount(50)
  await expect(card(page, 'task 1')).toHaveCount(0)
  await test.step('A further page that fails shows an error in place, keeps the tasks on show, and can be tried again', async () => {
    await scrollToEnd(page)
    const tryAgain = page.getByRole('button', { name: 'Try again' })
    await expect(tryAgain).toBeVisible()
    await expect(cards(page)).toHaveCount(50)
    await expectToasts(page, [])
    await page.unroute(further)
    await tryAgain.click()
    await expect(cards(page)).toHaveCount(100)
  })
  await scrollUntil(page, 120)
  expect(await titlesOf(page)).toEqual(expected)
  expect(calls.filter(({ call }) => call === 'GET /list/getLatestTasks')).toHaveLength(4)
  await expectToasts(page, [])

  await page.unrouteAll()
  // The browser reports several crossings at once, as when the page was too busy to be told of the first one in time.
  await page.addInitScript(() => {
    const Observer = window.IntersectionObserver
    window.IntersectionObserver = class extends Observer {
      constructor(callback: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        super((crossings, observer) => {
          const crossing = crossings.at(-1)
          const before = Object.create(crossing as object, {
            isIntersecting: { value: !crossing?.isIntersecting },
          })
          callback([before, crossing as IntersectionObserverEntry], observer)
        }, options)
      }
    }
  })
  await openDashboard(page)
  // Neither this list nor the first page of Latest has the task that is due tomorrow: the store is complete.
  await expect(calendarDay(page, day(1)).getByRole('button')).toHaveAccessibleName(/, has tasks/)
  await sidebarButton(page, 'Latest').click()
  await expect(card(page, 'task 120')).toBeVisible()
  await scrollUntil(page, 120)
  expect(await titlesOf(page)).toEqual(expected)
  expect(calls.filter(({ call }) => call === 'GET /list/getLatestTasks')).toHaveLength(5)
})

test('A list of long tasks, whose pages are short, loads on scrolling as well', async ({ page, user }) => {
  const expected: string[] = []
  for (let number = 1; number <= 9; number++) {
    expected.unshift(`task ${number}`)
    await user.add({ title: `task ${number}`, body: '😀'.repeat(100_000) })
  }
  const calls = recordCalls(page)
  await force(page, 'GET /changes', { status: 404 })
  await openDashboard(page)
  await sidebarButton(page, 'Latest').click()
  await scrollUntil(page, 9)
  expect(await titlesOf(page)).toEqual(expected)
  // Two of them are a page of bytes.
  expect(calls.filter(({ call }) => call === 'GET /list/getLatestTasks')).toHaveLength(5)
  await expectToasts(page, [])
})

test('A list of 50 shows a screenful of cards before it renders the others', async ({ page, user }) => {
  for (let number = 1; number <= 50; number++)
    await user.add({ title: `Task ${number}`, dueDate: day(2 + (number % 2)) })
  await openDashboard(page)
  await expectToasts(page, [noneToday])
  const counts = await page.evaluateHandle(() => {
    const seen: Record<string, number[]> = {}
    new MutationObserver(() => {
      const title = document.querySelector('main h1')?.textContent ?? ''
      seen[title] = [...(seen[title] ?? []), document.querySelectorAll('main article').length]
    }).observe(document.body, { childList: true, subtree: true })
    return seen
  })
  // Upcoming has two groups.
  for (const [key, title] of Object.entries({ 2: 'Recent', 4: 'Upcoming' })) {
    await page.keyboard.press(key)
    await expect(cards(page)).toHaveCount(50)
    await expect(panelTitle(page)).toHaveText(title)
    const first = (await counts.jsonValue())[title]?.find((count) => count > 0)
    expect(first).toBeGreaterThanOrEqual(8)
    expect(first).toBeLessThan(20)
  }
})

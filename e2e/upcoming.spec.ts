import { force, keepFailed, recordCalls, serverError } from './calls.ts'
import { addByDialog, card, cards, panelTitle, titlesOf } from './dashboard-page.ts'
import { day, expect, expectToasts, signedInTest as test } from './fixtures.ts'

test('Upcoming lists tasks due after today, by day and priority', async ({ page, user, alerts }) => {
  await user.add({ title: 'next week', dueDate: day(7), priority: 'high' })
  await user.add({ title: 'tomorrow, low', dueDate: day(1), priority: 'low' })
  await user.add({ title: 'tomorrow, high', dueDate: day(1), priority: 'high' })
  await user.add({ title: 'today', dueDate: day(0) })
  await user.add({ title: 'yesterday', dueDate: day(-1) })
  await page.goto('/dashboard?list=upcoming')
  await expect(panelTitle(page)).toHaveText('Upcoming')
  await expect(cards(page)).toHaveCount(3)
  expect(await titlesOf(page)).toEqual(['tomorrow, high', 'tomorrow, low', 'next week'])
  await expectToasts(page, [])
  await test.step('A task added while Upcoming is open shows in its place without a reload', async () => {
    const calls = recordCalls(page)
    await addByDialog(page, { title: 'in two days', dueDate: day(2), priority: 'low' })
    await expect(card(page, 'in two days')).toBeVisible()
    expect(await titlesOf(page)).toEqual(['tomorrow, high', 'tomorrow, low', 'in two days', 'next week'])
    await expect.poll(() => alerts).toEqual(['Task added successfully!'])
    expect(calls.map(({ call }) => call)).toEqual(['POST /list/addTask'])
  })
})

test('A failed Upcoming says so in place, without a toast, and can be retried', async ({ page, user }) => {
  await user.add({ title: 'tomorrow', dueDate: day(1) })
  await keepFailed(page)
  await force(page, 'GET /list/getUpcomingTasks', serverError)
  await page.goto('/dashboard?list=upcoming')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The disk is on fire.')
  await expectToasts(page, [])
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(card(page, 'tomorrow')).toBeVisible()
})

test('Upcoming has the next seven days, the weeks of two months, and Later', async ({ page, user }) => {
  for (const offset of [1, 2, 8, 30, 61, 70]) await user.add({ title: `in ${offset}`, dueDate: day(offset) })
  await user.add({ title: 'tomorrow too', dueDate: day(1), priority: 'high' })
  await page.goto('/dashboard?list=upcoming')
  await expect(cards(page)).toHaveCount(7)
  const shortDay = (offset: number) =>
    page.evaluate(
      (text) =>
        new Date(text).toLocaleDateString(navigator.language, {
          ...({ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' } as const),
          ...(text.slice(0, 4) !== String(new Date().getFullYear()) && { year: 'numeric' as const }),
        }),
      day(offset),
    )
  const groups = page.getByRole('main').getByRole('heading', { level: 2 })
  await expect(groups).toHaveCount(10)
  const labels = await groups.allTextContents()
  const landmarks = await Promise.all([2, 3, 4, 5, 6, 7].map(shortDay))
  expect(labels.toSpliced(7, 2)).toEqual(['Tomorrow', ...landmarks, 'Later'])
  const group = (name: string) =>
    page.getByRole('region', { name, exact: true }).getByRole('heading', { level: 3 })
  const [rest = '', week = ''] = labels.slice(7)
  // The rest of a week begins after the days that are above it.
  expect(Number.parseInt(rest, 10)).toBe(Number(day(8).slice(-2)))
  await expect(group(rest)).toHaveText(['in 8'])
  await expect(group(week)).toHaveText(['in 30'])
  await expect(group('Tomorrow')).toHaveText(['tomorrow too', 'in 1'])
  await expect(group('Later')).toHaveText(['in 61', 'in 70'])
  await test.step('Many tasks after the next two months are grouped by month', async () => {
    await Promise.all(Array.from({ length: 11 }, (_, index) => user.add({ dueDate: day(90 + 30 * index) })))
    await expect(cards(page)).toHaveCount(18)
    await expect(page.getByRole('region', { name: 'Later' })).toHaveCount(0)
    expect(await groups.count()).toBeGreaterThan(7 + 8)
  })
})

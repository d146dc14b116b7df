import type { CDPSession, Page } from '@playwright/test'
import { intercept, requestOf } from './calls.ts'
import { card, chip, enterLine, openDashboard, quickLine, titlesOf } from './dashboard-page.ts'
import { day, noonZone } from './days.ts'
import { otherDevice } from './devices.ts'
import { expect, expectToasts, signedInTest as test } from './fixtures.ts'
import { toastsOf } from './toasts.ts'

const overdue = (page: Page) => page.getByRole('region', { name: 'Overdue' }).getByRole('article')

test('At midnight tasks become overdue, and the day and the next task change', async ({ page, user }) => {
  await user.add({ title: 'Breakfast', dueTime: '08:00' })
  await user.add({ title: 'Water the plants' })
  await user.add({ title: 'Train', dueDate: day(1), dueTime: '00:01' })
  await user.add({ title: 'Work', dueDate: day(1), dueTime: '09:00' })
  await user.add({ title: 'Learn to sail', dueDate: null })
  const eve = Temporal.PlainDate.from(day(0)).toZonedDateTime({ timeZone: noonZone, plainTime: '23:59:30' })
  await page.clock.install({ time: eve.epochMilliseconds })
  await openDashboard(page, 2)
  await expect(card(page, 'Breakfast').locator('[data-passed=true]')).toHaveText('08:00')
  await expect(page.getByText('Next at')).toHaveCount(0)
  await page.clock.runFor(31_000)
  await expect(overdue(page)).toHaveCount(2)
  await expect(page.locator('[data-passed=true]')).toHaveCount(0)
  await expect(page.getByText('Next at 00:01: Train')).toBeVisible()
  expect(await titlesOf(page)).toEqual(['Breakfast', 'Water the plants', 'Train', 'Work'])
  await page.clock.runFor(120_000)
  await expect(page.getByText('Next at 09:00: Work')).toBeVisible()
  await expect(card(page, 'Train').locator('[data-passed=true]')).toHaveText('00:01')
})

/** Moves the clock of the page to the next day, as after a night in which the computer slept. */
async function sleepUntilTomorrow(page: Page) {
  await page.clock.setFixedTime(Temporal.Now.instant().add({ hours: 24 }).epochMilliseconds)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
}

test('On a new day Today is loaded again, or later if that fails', async ({ page, context, user }) => {
  await test.step('On a new day the list Today is loaded again, without the toasts of an opening', async () => {
    await openDashboard(page)
    await expectToasts(page, ['info: No tasks for today'])
    const reloaded = page.waitForResponse(/getTodayTasks/)
    await sleepUntilTomorrow(page)
    await (await reloaded).finished()
    await expect(page.getByRole('main')).toContainText('No tasks for today')
    await expectToasts(page, ['info: No tasks for today'])
  })
  await page.clock.setFixedTime(Date.now())
  await user.add({ title: 'Water the plants' })
  const tomorrow = await user.add({ title: 'Feed the cat', dueDate: day(1) })
  await openDashboard(page, 1)
  await context.setOffline(true)
  // What the page calls does not depend on how the browser reports a failure offline.
  const failed = Promise.withResolvers<void>()
  await intercept(page, 'GET /list/getTodayTasks', (route) =>
    route.abort('internetdisconnected').then(failed.resolve),
  )
  await sleepUntilTomorrow(page)
  await failed.promise
  await expect(overdue(page)).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
  await page.unrouteAll()
  await intercept(page, 'GET /list/getTodayTasks', async (route) =>
    route.fulfill({ json: { lists: (await user.list('getLatestTasks')).reverse() } }),
  )
  await context.setOffline(false)
  await expect(card(page, tomorrow.title)).toBeVisible()
  expect(await toastsOf(page)).toEqual([])
})

/** Moves the browser to another time zone, as a flight does. */
const flyTo = (session: CDPSession, timezoneId: string) =>
  session.send('Emulation.setTimezoneOverride', { timezoneId })

// A zone that Playwright sets stays.
const travelTest = test.extend({ timezoneId: undefined })

travelTest('After a flight, tasks keep the day and the time typed', async ({ browser, server, user }) => {
  const page = await otherDevice(browser, server, user)
  const session = await page.context().newCDPSession(page)
  const today = day(0, 'UTC')
  const tomorrow = day(1, 'UTC')
  await user.add({ title: 'Dinner', dueDate: today, dueTime: '19:00' })
  await user.add({ title: 'Breakfast', dueDate: tomorrow, dueTime: '08:00' })
  await user.add({ title: 'Learn to sail', dueDate: null })
  await page.clock.setFixedTime(`${today}T12:00:00Z`)
  await flyTo(session, 'UTC')
  await openDashboard(page)
  await expect(page.getByText('Next at 19:00: Dinner')).toBeVisible()
  await quickLine(page).fill('Call Ann tomorrow at 9am')
  await expect(chip(page, 'Due tomorrow, 09:00')).toBeVisible()
  await page.context().setOffline(true)
  await quickLine(page).press('Enter')
  await enterLine(page, 'Paint someday')
  // It is 02:00 of the next day.
  await flyTo(session, 'Etc/GMT-14')
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(overdue(page)).toHaveCount(1)
  await expect(page.getByText('Next at 08:00: Breakfast')).toBeVisible()
  expect(await titlesOf(page)).toEqual(['Dinner', 'Breakfast', 'Call Ann'])
  const sent = requestOf(page, 'POST /changes')
  await page.context().setOffline(false)
  expect((await sent).headers()['time-zone']).toBe('Etc/GMT-14')
  const stored = async () =>
    (await user.list('getLatestTasks')).map(
      ({ title, dueDate, dueTime }) => `${title}, ${dueDate}, ${dueTime}`,
    )
  await expect
    .poll(async () => (await stored()).sort())
    .toEqual([
      `Breakfast, ${tomorrow}, 08:00`,
      `Call Ann, ${tomorrow}, 09:00`,
      `Dinner, ${today}, 19:00`,
      'Learn to sail, null, null',
      'Paint, null, null',
    ])
  await page.context().close()
})

import type { Page } from '@playwright/test'
import { apiBase } from '#contract/limits.ts'
import { intercept } from './calls.ts'
import { card, openDashboard } from './dashboard-page.ts'
import { day, expect, signedInTest as test } from './fixtures.ts'
import { expectToasts, toastsOf } from './toasts.ts'

/** Moves the clock of the page to the next day, as after a night in which the computer slept. */
async function sleepUntilTomorrow(page: Page) {
  await page.clock.setFixedTime(Temporal.Now.instant().add({ hours: 24 }).epochMilliseconds)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
}

function answerTomorrow(page: Page, tasks: () => Promise<unknown[]>) {
  return page.route(`**${apiBase}/list/getTodayTasks`, async (route) =>
    route.fulfill({ json: { lists: await tasks() } }),
  )
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
  await expect(page.getByRole('region', { name: 'Overdue' }).getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
  await page.unrouteAll()
  await answerTomorrow(page, async () => (await user.list('getLatestTasks')).reverse())
  await context.setOffline(false)
  await expect(card(page, tomorrow.title)).toBeVisible()
  expect(await toastsOf(page)).toEqual([])
})
